import { getAddressDecoder, getAddressEncoder } from '@solana/kit';
import {
  type AccountFilter,
  type AccountUpdate,
  type AccountView,
  matchesAccountFilter,
} from '../../chain/accounts.ts';
import type {
  Chain,
  ChainClock,
  Commitment,
  LamportSupply,
  PriorityFeeSample,
  RecentBlockhash,
  SignatureRange,
  SignatureSearch,
  SignatureStatus,
  Simulation,
  SimulationOptions,
} from '../../chain/chain.ts';
import type { LandedTransaction } from '../../chain/landed-transactions.ts';
import type { ExecutedTransaction } from '../../chain/executed-transactions.ts';
import { toExecutedTransaction, deferBalances } from '../../chain/records/executed-transaction.ts';
import { toLandedTransaction } from '../../chain/records/landed-transaction.ts';
import type { TransactionRecord } from '../../chain/records/records.ts';
import { type Address, toAddressBytes } from '../../solana/address.ts';
import { splitIntoPieces } from '../../common/work/work.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { isTokenAccount } from '../../solana/programs/token/account.ts';
import { parseTransaction, getTransactionSignature } from '../../solana/messages/transaction.ts';
import { landOn, simulateOn } from './landing.ts';
import type { TestNetwork } from './network.ts';

/** Where a token account holds its owner. */
const TOKEN_OWNER_AT = 32;

type AccountListener = (updates: readonly AccountUpdate[]) => void;

/**
 * The chain port over a `TestNetwork`, for tests of what stands on the port: reads come straight from LiteSVM,
 * transactions that are sent land at once, and watchers hear of them and of what the test publishes.
 */
export class SvmChain implements Chain {
  readonly genesisHash = '11111111111111111111111111111111';
  readonly fees: PriorityFeeSample[] = [];
  readonly #network: TestNetwork;
  readonly #accountWatchers = new Map<AccountListener, ReadonlySet<Address>>();
  readonly #programWatchers = new Map<AccountListener, Address>();
  readonly #landed = new Map<string, LandedTransaction>();
  readonly #records = new Map<string, TransactionRecord>();
  /** The programs of accounts that were read, so that their watchers hear of it when one is closed. */
  readonly #programs = new Map<Address, Address>();
  #slot = 1_000n;
  /** How many transactions were sent. */
  sent = 0;
  /** How many of the next transactions are taken in and lost. */
  losing = 0;

  constructor(network: TestNetwork) {
    this.#network = network;
  }

  /** Begins a new slot and tells watchers how these accounts stand now. */
  publish(addresses: readonly Address[]): void {
    this.#slot++;
    const before = addresses.map((address) => this.#programs.get(address));
    const updates = addresses.map((address) => this.#read(address));
    for (const [listener, program] of this.#programWatchers) {
      const owned = updates.filter(
        ({ account }, index) => account?.owner === program || (account === null && before[index] === program),
      );
      if (owned.length > 0) listener(owned);
    }
    for (const [listener, watched] of this.#accountWatchers) {
      const seen = updates.filter(({ address }) => watched.has(address));
      if (seen.length > 0) listener(seen);
    }
  }

  /** Lets slots pass in which nothing happens. */
  pass(slots: bigint): void {
    this.#slot += slots;
  }

  slot(_commitment: Commitment): bigint {
    return this.#slot;
  }

  blockHeight(_commitment: Commitment): bigint {
    return this.#slot;
  }

  clock(): ChainClock {
    const { epoch, unixTimestamp } = this.#network.svm.getClock();
    return { slot: this.#slot, epoch, unixTimestamp };
  }

  recentBlockhash(slotsToExpiry = 150): RecentBlockhash {
    const blockhash = this.#network.svm.latestBlockhash() as Address;
    return {
      blockhash,
      bytes: toAddressBytes(blockhash),
      lastValidBlockHeight: this.#slot + BigInt(Math.min(slotsToExpiry, 150)),
      slot: this.#slot,
      fetchedAt: 1_700_000_000_123,
    };
  }

  lastValidHeightOf(blockhash: Address): bigint | null {
    const newest = this.recentBlockhash();
    return newest.blockhash === blockhash ? newest.lastValidBlockHeight : null;
  }

  recentPriorityFees(_writable: readonly Address[]): readonly PriorityFeeSample[] {
    return this.fees;
  }

  async getAccounts(addresses: readonly Address[]): Promise<readonly AccountUpdate[]> {
    return addresses.map((address) => this.#read(address));
  }

  async getProgramAccounts(
    program: Address,
    _commitment?: Commitment,
    filter: AccountFilter = {},
  ): Promise<readonly AccountUpdate[]> {
    return this.#network.svm
      .getProgramAccounts(new Uint8Array(getAddressEncoder().encode(program)))
      .map((found) => this.#read(getAddressDecoder().decode(found.address)))
      .filter(({ account }) => account !== null && matchesAccountFilter(filter, account.data));
  }

  /** Nothing changes between the reads of a view unless the test sends a transaction in between. */
  openView(): AccountView {
    const slot = this.#slot;
    return {
      slots: () => ({ oldest: slot, newest: slot }),
      maxCalls: null,
      maxAccounts: null,
      indexes: () => true,
      getAccounts: (addresses) => this.getAccounts(addresses),
      getProgramAccounts: (program, filter) => this.getProgramAccounts(program, 'confirmed', filter),
      findAccounts: async (program, { offset, dataSize }, addresses) => {
        const found = addresses.map((address) =>
          this.getProgramAccounts(program, 'confirmed', {
            dataSize,
            memcmp: { offset, bytes: toAddressBytes(address) },
          }),
        );
        return (await Promise.all(found)).flat();
      },
      getAssociatedAccounts: async (owners, tokens) =>
        owners.map((owner) =>
          tokens.map(({ mint, program }) => {
            const update = this.#read(deriveAssociatedTokenAddress(owner, mint, program));
            return update.account === null ? null : update;
          }),
        ),
      tokenAccounts: (owner) => this.#tokenAccounts(owner),
    };
  }

  async *#tokenAccounts(owner: Address): AsyncGenerator<readonly AccountUpdate[]> {
    const memcmp = { offset: TOKEN_OWNER_AT, bytes: toAddressBytes(owner) };
    for (const program of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
      const found = await this.getProgramAccounts(program, 'confirmed', { memcmp });
      yield* splitIntoPieces(found.filter(({ account }) => account !== null && isTokenAccount(account.data)));
    }
  }

  watchAccounts(addresses: readonly Address[], onChange: AccountListener): () => void {
    const listener: AccountListener = (updates) => onChange(updates);
    this.#accountWatchers.set(listener, new Set(addresses));
    return () => this.#accountWatchers.delete(listener);
  }

  watchProgram(program: Address, onChange: AccountListener, filter: AccountFilter = {}): () => void {
    const listener: AccountListener = (updates) => {
      const wanted = updates.filter(
        ({ account }) => account === null || matchesAccountFilter(filter, account.data),
      );
      if (wanted.length > 0) onChange(wanted);
    };
    this.#programWatchers.set(listener, program);
    return () => this.#programWatchers.delete(listener);
  }

  async simulate(transaction: Uint8Array, options: SimulationOptions): Promise<Simulation> {
    return simulateOn(this.#network, transaction, options, this.#slot);
  }

  /** Lands it at once, in a slot of its own, unless it is one that `losing` takes. */
  async send(transaction: Uint8Array): Promise<string> {
    this.sent++;
    const signature = getTransactionSignature(parseTransaction(transaction));
    if (this.losing > 0) this.losing--;
    else if (!this.#landed.has(signature)) {
      const record = landOn(this.#network, transaction, this.#slot + 1n);
      const landed = toLandedTransaction({ ...record, blockTime: null });
      this.#records.set(signature, record);
      this.#landed.set(signature, landed);
      this.publish(landed.accounts);
    }
    return signature;
  }

  async signatureStatuses(signatures: readonly string[]): Promise<readonly (SignatureStatus | null)[]> {
    return signatures.map((signature) => {
      const landed = this.#landed.get(signature);
      return landed === undefined
        ? null
        : { slot: landed.slot, commitment: 'confirmed', error: landed.error };
    });
  }

  async searchSignature(signature: string): Promise<SignatureSearch> {
    const [status = null] = await this.signatureStatuses([signature]);
    const finalized = { slot: this.slot('finalized'), height: this.blockHeight('finalized') };
    return { status, slot: this.slot('processed'), finalized, hasHistory: true };
  }

  /** As many as mainnet began with: LiteSVM does not add its accounts up. */
  async lamportSupply(): Promise<LamportSupply> {
    const total = 500_000_000_000_000_000n;
    return { total, circulating: total };
  }

  async signaturesOf(address: Address, { limit, before, until }: SignatureRange) {
    const named = [...this.#landed.values()].filter(({ accounts }) => accounts.includes(address)).reverse();
    const from = before === undefined ? 0 : named.findIndex(({ signature }) => signature === before) + 1;
    const known = until === undefined ? -1 : named.findIndex(({ signature }) => signature === until);
    return named
      .slice(from, known === -1 ? undefined : known)
      .slice(0, limit)
      .map(({ signature, slot }) => ({ signature, slot }));
  }

  async transaction(signature: string): Promise<LandedTransaction | null> {
    return this.#landed.get(signature) ?? null;
  }

  /** @throws Error if the transaction did not land with success */
  executedTransaction(signature: string): ExecutedTransaction {
    const record = this.#records.get(signature);
    if (record?.error !== null) throw new Error(`${signature} did not land with success`);
    return toExecutedTransaction(deferBalances(record), parseTransaction(record.wire).message);
  }

  unhealthy(): string | null {
    return null;
  }

  async close(): Promise<void> {}

  #read(address: Address): AccountUpdate {
    const account = this.#network.account(address);
    if (account === null) this.#programs.delete(address);
    else this.#programs.set(address, account.owner);
    return { address, slot: this.#slot, account };
  }
}
