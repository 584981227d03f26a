import type { Account, AccountUpdate } from '../../chain/accounts.ts';
import type { ChainClock } from '../../chain/chain.ts';
import { NO_METRICS } from '../../common/ports/metrics.ts';
import { MemoryRecords } from './makers.ts';
import { ManualTimers } from '../timers.ts';
import { type Address, address, toAddress } from '../../solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { ordinaryTokenAccount } from '../token-account.ts';
import type { Extension } from '../../solana/programs/token/extensions.ts';
import { encodeMint } from '../../solana/programs/token/mint.ts';
import type { RfqOptions } from '../../rfq/index.ts';
import { openRfq, type Rfq } from '../../rfq/index.ts';
import type {
  MakerRecord,
  MakerStore,
  OwnedRecord,
  RecordedTransition,
  StoredMaker,
} from '../../rfq/makers/maker.ts';
import { DEFAULT_BREAKER } from '../../rfq/makers/maker-state.ts';
import type { Snapshot, StreamedToken } from '../../rfq/books/snapshot.ts';

export const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
export const SOL_TOKEN: StreamedToken = {
  mint: WRAPPED_SOL_MINT,
  decimals: 9,
  symbol: 'SOL',
  tokenProgram: TOKEN_PROGRAM,
};
export const USDC_TOKEN: StreamedToken = {
  mint: USDC,
  decimals: 6,
  symbol: 'USDC',
  tokenProgram: TOKEN_PROGRAM,
};

/** An address of 32 bytes that all have this value. */
export function createTestAddress(byte: number): Address {
  return toAddress(new Uint8Array(32).fill(byte));
}

/** Accounts in memory, which a test writes and watchers hear of. */
export class MemoryAccounts {
  readonly genesisHash = '11111111111111111111111111111111';
  readonly #accounts = new Map<Address, Account>();
  readonly #watchers = new Map<(updates: readonly AccountUpdate[]) => void, ReadonlySet<Address>>();
  #slot = 1n;
  /** How many accounts were read. */
  reads = 0;
  /** What the next reads fail with. */
  failure: Error | null = null;

  mint(
    mint: Address,
    decimals: number,
    owner: Address = TOKEN_PROGRAM,
    extensions: readonly Extension[] = [],
  ) {
    const fields = { mintAuthority: null, supply: 0n, decimals, freezeAuthority: null, extensions };
    this.set(mint, { owner, data: encodeMint(fields) });
  }

  balance(
    owner: Address,
    mint: Address,
    amount: bigint,
    state: 'initialized' | 'frozen' = 'initialized',
    tokenProgram: Address = TOKEN_PROGRAM,
  ) {
    const account = deriveAssociatedTokenAddress(owner, mint, tokenProgram);
    const data = ordinaryTokenAccount({ mint, owner, amount, state });
    this.set(account, { owner: tokenProgram, data });
  }

  set(at: Address, account: Pick<Account, 'owner' | 'data'> | null): void {
    this.#slot++;
    if (account === null) this.#accounts.delete(at);
    else this.#accounts.set(at, { lamports: 1n, executable: false, rentEpoch: 0n, ...account });
    for (const [watcher, addresses] of this.#watchers) {
      if (addresses.has(at)) watcher([this.#read(at)]);
    }
  }

  get watched(): number {
    return this.#watchers.size;
  }

  clock(): ChainClock {
    return { slot: this.#slot, epoch: 0n, unixTimestamp: 1_800_000_000n };
  }

  async getAccounts(addresses: readonly Address[]): Promise<readonly AccountUpdate[]> {
    this.reads += addresses.length;
    if (this.failure !== null) throw this.failure;
    return addresses.map((at) => this.#read(at));
  }

  watchAccounts(addresses: readonly Address[], onChange: (updates: readonly AccountUpdate[]) => void) {
    const watcher = (updates: readonly AccountUpdate[]) => onChange(updates);
    this.#watchers.set(watcher, new Set(addresses));
    return () => this.#watchers.delete(watcher);
  }

  #read(at: Address): AccountUpdate {
    return { address: at, slot: this.#slot, account: this.#accounts.get(at) ?? null };
  }
}

/** Remembers in memory what an instance would write. */
export class MemoryMakerStore implements MakerStore {
  readonly states = new Map<string, StoredMaker>();
  readonly transitions: RecordedTransition[] = [];
  writes = 0;
  readonly #epochs = new Map<string, number>();
  readonly #gone = new Set<string>();
  /** What the next writes fail with. */
  failure: Error | null = null;

  /** As when the maker is deleted from the database. */
  forget({ id: makerId, createdAt }: Pick<MakerRecord, 'id' | 'createdAt'>): void {
    this.#gone.add(`${makerId} of ${createdAt}`);
    this.states.delete(makerId);
    this.#epochs.delete(makerId);
  }

  readonly load = async () => [...this.states.values()];
  readonly read = async (makerId: string) => structuredClone(this.states.get(makerId)) ?? null;
  readonly acquire = async ({ makerId }: StoredMaker) => {
    if (this.failure !== null) throw this.failure;
    const epoch = (this.#epochs.get(makerId) ?? 0) + 1;
    this.#epochs.set(makerId, epoch);
    return { epoch, stored: await this.read(makerId) };
  };
  readonly save = async (makers: readonly OwnedRecord[], transitions: readonly RecordedTransition[]) => {
    this.writes++;
    if (this.failure !== null) throw this.failure;
    const [moved, removed] = [new Set<string>(), new Set<string>()];
    for (const { createdAt, epoch, isLast, ...maker } of makers) {
      const before = this.states.get(maker.makerId)?.lastSequence ?? 0n;
      const lastSequence = isLast || maker.lastSequence > before ? maker.lastSequence : before;
      const isGone = this.#gone.has(`${maker.makerId} of ${createdAt}`);
      if (isGone) removed.add(maker.makerId);
      else if (epoch < (this.#epochs.get(maker.makerId) ?? 0)) moved.add(maker.makerId);
      else this.states.set(maker.makerId, structuredClone({ ...maker, lastSequence }));
    }
    this.transitions.push(
      ...transitions.filter(({ makerId }) => !moved.has(makerId) && !removed.has(makerId)),
    );
    return { moved: [...moved], removed: [...removed] };
  };
}

export interface TestRfq {
  readonly rfq: Rfq;
  readonly timers: ManualTimers;
  readonly chain: MemoryAccounts;
  readonly store: MemoryMakerStore;
}

/** A maker with the address of its number, rich in SOL and USDC. */
export function makerRecord(
  chain: MemoryAccounts,
  number = 1,
  overrides: Partial<MakerRecord> = {},
): MakerRecord {
  const record = {
    id: `maker-${number}`,
    name: null,
    address: createTestAddress(number),
    pairs: null,
    enabled: true,
    createdAt: 0,
    ...overrides,
  };
  chain.balance(record.address, WRAPPED_SOL_MINT, 10n ** 15n);
  chain.balance(record.address, USDC, 10n ** 15n);
  return record;
}

/** The makers' side with SOL and USDC on the chain, a clock that the test moves, and one maker. */
export async function openTestRfq(overrides: Partial<RfqOptions & TestRfq> = {}): Promise<TestRfq> {
  const timers = overrides.timers instanceof ManualTimers ? overrides.timers : new ManualTimers();
  const chain = overrides.chain instanceof MemoryAccounts ? overrides.chain : new MemoryAccounts();
  const store = overrides.store instanceof MemoryMakerStore ? overrides.store : new MemoryMakerStore();
  chain.mint(WRAPPED_SOL_MINT, 9);
  chain.mint(USDC, 6);
  const rfq = await openRfq({
    breaker: DEFAULT_BREAKER,
    records: new MemoryRecords(),
    unhealthy: async () => null,
    deadlines: timers,
    peers: null,
    metrics: NO_METRICS,
    stopwatch: () => timers.now(),
    onDefect: (where, error) => {
      throw new Error(where, { cause: error });
    },
    ...overrides,
    chain,
    store,
    timers,
  });
  rfq.setRecords([makerRecord(chain)]);
  return { rfq, timers, chain, store };
}

/** A snapshot of SOL for USDC that is accepted, at `now` in Unix milliseconds. */
export function snapshot(now: number, overrides: Partial<Snapshot> = {}): Snapshot {
  return {
    timestamp: BigInt(now) * 1_000n,
    sequence: 1n,
    expirySeconds: 60n,
    makerId: 'maker-1',
    makerAddress: createTestAddress(1),
    lotSizeBase: 1_000n,
    cluster: 'mainnet',
    base: SOL_TOKEN,
    quote: USDC_TOKEN,
    bids: [{ price: 99_000_000n, volume: 10n ** 9n }],
    asks: [{ price: 101_000_000n, volume: 10n ** 9n }],
    ...overrides,
  };
}
