import type { Account, AccountUpdate } from '../../chain/accounts.ts';
import type { Chain } from '../../chain/chain.ts';
import { describeOutageReason, type OutageLog } from '../../common/outage-log.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { createRepeatedWork, type RepeatedWork } from '../../common/work/repeated-work.ts';
import { AccountGroups } from '../../predictions/following/account-groups.ts';
import { type Address, toAddressBytes } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import { TOKEN_2022_PROGRAM } from '../../solana/program-addresses.ts';
import { isTokenAccount } from '../../solana/programs/token/account.ts';
import type { ForecastRounds } from '../forecast.ts';

export interface OutcomeTokensOptions {
  readonly chain: Pick<Chain, 'watchProgram' | 'getProgramAccounts'>;
  readonly rounds: ForecastRounds;
  /** Returns the Unix second of the network. */
  readonly now: () => number;
  readonly timers: Pick<Timers, 'after'>;
  /** Called when holders could not be read, and when they are again. */
  readonly outage: OutageLog;
  /** The most accounts of one token that are kept. Default: 50,000. */
  readonly maxAccounts?: number | undefined;
}

/** Outcome tokens in a token account. */
export interface HeldOutcome {
  /** The token account. */
  readonly address: Address;
  readonly owner: Address;
  readonly mint: Address;
  readonly amount: bigint;
  /** The Unix second of the network in which the account was first seen. */
  readonly seenAt: number;
  readonly slot: bigint;
}

const MAX_ACCOUNTS = 50_000;
const READ_EVERY_MS = 1_000;
const MINT_AT = 0;

/** A token that is followed, with all accounts of it that were seen, empty ones included. */
interface FollowedOutcome {
  readonly mint: Address;
  readonly accounts: Map<Address, HeldOutcome>;
  readonly stop: () => void;
  isRead: boolean;
}

/**
 * The accounts of Token-2022 that hold tokens of rounds that the chain has, kept current by a watch for each token. Updates may
 * come out of order: what is known of a later slot stays. If there are more accounts of a token than are kept, the ones that come
 * last are not known.
 */
export class OutcomeTokens {
  readonly #options: OutcomeTokensOptions;
  readonly #followed = new Map<Address, FollowedOutcome>();
  readonly #owners = new AccountGroups<Address, HeldOutcome>();
  readonly #mints = new AccountGroups<Address, HeldOutcome>();
  readonly #accounts = new Map<Address, HeldOutcome>();
  readonly #reading: RepeatedWork;
  readonly #stopRounds: () => void;
  #failure: string | null = null;

  private constructor(options: OutcomeTokensOptions) {
    this.#options = options;
    this.#reading = createRepeatedWork({
      everyMs: READ_EVERY_MS,
      work: () => this.#readNew(),
      timers: options.timers,
      onError: (error) => this.#noteFailure(error),
    });
    this.#stopRounds = options.rounds.onChange(() => {
      this.#follow();
      // What fails here is read again by the repeated work.
      void this.#readNew().catch((error: unknown) => this.#noteFailure(error));
    });
  }

  /** Reads who holds tokens now, and follows them until `close` is called. Without an answer, it opens and reads them later. */
  static async open(options: OutcomeTokensOptions): Promise<OutcomeTokens> {
    const tokens = new OutcomeTokens(options);
    tokens.#follow();
    await tokens.#readNew().catch((error: unknown) => tokens.#noteFailure(error));
    tokens.#reading.start();
    return tokens;
  }

  /** Returns null for an account that holds no outcome tokens. */
  readonly find = (account: Address): HeldOutcome | null => this.#accounts.get(account) ?? null;

  readonly listOfOwner = (owner: Address): readonly HeldOutcome[] => this.#owners.list(owner);

  readonly listOfMint = (mint: Address): readonly HeldOutcome[] => this.#mints.list(mint);

  /** Returns why holders may be unknown, for the operator; null if all were read. */
  unhealthy(): string | null {
    return this.#failure;
  }

  async close(): Promise<void> {
    this.#stopRounds();
    await this.#reading.stop();
    for (const { stop } of this.#followed.values()) stop();
  }

  /** Begins to watch the tokens of new rounds, and ends it for those that are gone. */
  #follow(): void {
    const { chain, rounds } = this.#options;
    const mints = new Set(rounds.list().flatMap(({ up, down }) => [up.mint, down.mint]));
    for (const followed of [...this.#followed.values()]) if (!mints.has(followed.mint)) this.#drop(followed);
    for (const mint of mints) {
      if (this.#followed.has(mint)) continue;
      // The watch starts before the first read, so that a change during the read is seen twice rather than missed.
      const stop = chain.watchProgram(
        TOKEN_2022_PROGRAM,
        (updates) => this.#apply(mint, updates),
        createFilter(mint),
      );
      this.#followed.set(mint, { mint, accounts: new Map(), stop, isRead: false });
    }
  }

  async #readNew(): Promise<void> {
    for (const followed of [...this.#followed.values()]) {
      if (followed.isRead) continue;
      const { mint } = followed;
      const found = await this.#options.chain.getProgramAccounts(
        TOKEN_2022_PROGRAM,
        'processed',
        createFilter(mint),
      );
      followed.isRead = true;
      this.#apply(mint, found);
    }
    this.#failure = null;
    this.#options.outage.onAnswer();
  }

  #noteFailure(error: unknown): void {
    this.#failure = `the holders of forecasts cannot be read: ${describeOutageReason(error)}`;
    this.#options.outage.onFailure(error);
  }

  #drop({ mint, accounts, stop }: FollowedOutcome): void {
    stop();
    this.#followed.delete(mint);
    for (const held of accounts.values()) this.#remove(held);
  }

  #apply(mint: Address, updates: readonly AccountUpdate[]): void {
    const followed = this.#followed.get(mint);
    if (followed === undefined) return;
    for (const update of updates) this.#applyOne(followed, update);
  }

  #applyOne(
    { mint, accounts }: FollowedOutcome,
    { address, slot, account, isRollback }: AccountUpdate,
  ): void {
    const known = accounts.get(address);
    if (known !== undefined && slot < known.slot && isRollback !== true) return;
    if (known === undefined && !this.#hasRoom(accounts)) return;
    const tokens = account === null ? null : readTokens(account);
    const isOfMint = tokens?.mint === mint;
    const held: HeldOutcome = {
      address,
      owner: isOfMint ? tokens.owner : (known?.owner ?? address),
      mint,
      amount: isOfMint ? tokens.amount : 0n,
      seenAt: known?.seenAt ?? this.#options.now(),
      slot,
    };
    if (known !== undefined) this.#remove(known);
    accounts.set(address, held);
    if (held.amount === 0n) return;
    this.#accounts.set(address, held);
    this.#owners.add(held.owner, held);
    this.#mints.add(mint, held);
  }

  /** Makes room by forgetting empty accounts, which anybody can open. */
  #hasRoom(accounts: Map<Address, HeldOutcome>): boolean {
    const { maxAccounts = MAX_ACCOUNTS } = this.#options;
    if (accounts.size < maxAccounts) return true;
    for (const [address, { amount }] of accounts) if (amount === 0n) accounts.delete(address);
    return accounts.size < maxAccounts;
  }

  #remove(held: HeldOutcome): void {
    this.#accounts.delete(held.address);
    this.#owners.remove(held.owner, held);
    this.#mints.remove(held.mint, held);
  }
}

/** Reads no extensions, so that none can hide a holder. Returns null for anything but a token account. */
function readTokens({ owner: program, data }: Account) {
  if (program !== TOKEN_2022_PROGRAM || !isTokenAccount(data)) return null;
  const from = new ByteReader(data, 'token account');
  return { mint: from.address(), owner: from.address(), amount: from.u64() };
}

function createFilter(mint: Address) {
  return { memcmp: { offset: MINT_AT, bytes: toAddressBytes(mint) } };
}
