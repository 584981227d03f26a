import type { Account } from '../chain/accounts.ts';
import type { Chain } from '../chain/chain.ts';
import type { PoolHandle } from '../market/pools/liquidity.ts';
import type { Pools } from '../market/pools/pools.ts';
import { type Timers, waitWithin } from '../common/ports/timers.ts';
import type { Address } from '../solana/address.ts';
import type { MarketData } from '../market-data/market-data.ts';
import { decodeMintFacts } from '../market/mint-facts.ts';
import { chooseEarlierPool, toOpenedAtMs } from './first-pool.ts';
import { MintQueue } from './mint-queue.ts';
import { type ReadMint, readMints } from './read-mints.ts';
import type { TokenRecord } from './records.ts';
import { TextIndex } from './search/text-index.ts';
import { isVerified, type ListedToken, type TokenDecisions } from './decision.ts';
import { UntradedTokens } from './untraded-tokens.ts';
import type { FirstPool } from './facts/token.ts';

export interface CatalogueOptions {
  readonly chain: Pick<Chain, 'getAccounts' | 'clock'>;
  readonly pools: Pick<Pools, 'account' | 'onChange' | 'all'>;
  readonly marketData: Pick<MarketData, 'poolSeenAt'>;
  /** Tokens that are known by name before any pool trades them. */
  readonly listed: readonly ListedToken[];
  readonly decisions: TokenDecisions;
  readonly timers: Timers;
  /**
   * How many tokens are kept. Beyond it, a new one replaces the oldest that is neither verified nor has liquidity or
   * trades; if all of them have, the new one is left out.
   */
  readonly maxTokens: number;
  /** Called when tokens could not be read. They are read again. */
  readonly onDefect: (error: unknown) => void;
}

/** Each a second after the other while there are few tokens. */
const CREATOR_TRIES = 5;
/** How long the start waits for the tokens of all pools. The rest are read while requests are served. */
const OPENING_MS = 5_000;
/** How long a request waits for tokens that have just appeared. A read takes some milliseconds. */
const SETTLING_MS = 250;

/**
 * Every token that a pool trades, or that the list of known tokens or the operator names: read once when it appears, and
 * found by mint and by text. Its size and the work that one request causes are bounded.
 */
export class TokenCatalogue {
  readonly #options: CatalogueOptions;
  readonly #records = new Map<Address, TokenRecord>();
  /** Tokens that a new one may replace, the oldest first. */
  readonly #replaceable = new Set<Address>();
  readonly #index = new TextIndex<TokenRecord>();
  readonly #listed: ReadonlyMap<Address, ListedToken>;
  readonly #queue: MintQueue;
  readonly #untraded: UntradedTokens;
  readonly #stops: (() => void)[] = [];

  private constructor(options: CatalogueOptions) {
    this.#options = options;
    this.#listed = new Map(options.listed.map((token) => [token.mint, token]));
    const { chain, pools, timers, onDefect } = options;
    this.#queue = new MintQueue({
      timers,
      read: async (batch) => {
        const read = await readMints(chain, [...batch.keys()], (mint) => pools.account(mint));
        for (const each of read) this.#put(each, batch.get(each.mint) ?? null);
      },
      has: (mint) => this.#records.has(mint),
      onDefect,
    });
    this.#untraded = new UntradedTokens({
      timers,
      read: (mints) => readMints(chain, mints),
      recordOf: (read) => this.#recordOf(read, null),
    });
  }

  /** Reads the tokens of all pools that exist now, and begins to follow new ones. */
  static async open(options: CatalogueOptions): Promise<TokenCatalogue> {
    const catalogue = new TokenCatalogue(options);
    const { pools, decisions, listed } = options;
    catalogue.#stops.push(pools.onChange((handle) => catalogue.#meet(handle)));
    catalogue.#stops.push(decisions.onChange((mint) => catalogue.#judge(mint)));
    for (const handle of pools.all()) catalogue.#meet(handle);
    for (const { mint } of listed) catalogue.#queue.add(mint, null);
    for (const mint of decisions.mints()) catalogue.#queue.add(mint, null);
    await waitWithin(catalogue.#queue.settled(), OPENING_MS, options.timers);
    return catalogue;
  }

  get size(): number {
    return this.#records.size;
  }

  close(): void {
    this.#queue.close();
    for (const stop of this.#stops.splice(0)) stop();
  }

  /**
   * Resolves when the tokens that have appeared so far are read, and after a quarter of a second at the latest: many may wait
   * after the start over an outside RPC, or while the RPC does not answer.
   */
  async settled(): Promise<void> {
    await waitWithin(this.#queue.settled(), SETTLING_MS, this.#options.timers);
  }

  records(): Iterable<TokenRecord> {
    return this.#records.values();
  }

  /** Returns null for a mint that no pool trades and nobody has named; see `find`. */
  get(mint: Address): TokenRecord | null {
    const record = this.#records.get(mint);
    return record === undefined || this.#isBanned(mint) ? null : this.#current(record);
  }

  /** The mints that the list of known tokens or the operator names, each once. */
  named(): Iterable<Address> {
    return new Set([...this.#listed.keys(), ...this.#options.decisions.mints()]);
  }

  listedAs(mint: Address): ListedToken | null {
    return this.#listed.get(mint) ?? null;
  }

  isVerified(mint: Address): boolean {
    return isVerified(this.listedAs(mint), this.#options.decisions.of(mint));
  }

  /**
   * Finds mints, also those that no pool trades, which are read from the chain.
   *
   * @param mints - At most 100.
   * @returns the tokens among them that are not banned, in their order
   * @throws Unavailable if too many reads are in flight
   */
  async find(mints: readonly Address[]): Promise<readonly TokenRecord[]> {
    const wanted = [...new Set(mints)];
    const strangers = wanted.filter((mint) => !this.#records.has(mint) && this.#untraded.get(mint) === null);
    if (strangers.length > 0) await this.#untraded.read(strangers);
    return wanted.flatMap((mint) => {
      const record = this.get(mint) ?? this.#untraded.get(mint);
      return record === null || this.#isBanned(mint) ? [] : [record];
    });
  }

  /** Returns at most `limit` tokens by symbol or name, the best first. */
  search(text: string, limit: number): readonly TokenRecord[] {
    return this.#index.search(text, limit).map((record) => this.#current(record));
  }

  /** Whether a token that is not verified has a symbol that looks like that of a verified one. */
  isImitation({ mint, symbol }: TokenRecord): boolean {
    if (symbol === '' || this.isVerified(mint)) return false;
    return this.#index.someWithSymbol(symbol, (other) => other.mint !== mint && this.isVerified(other.mint));
  }

  /** Sets by how much a token comes before others. Zero: it is neither verified nor has liquidity or trades. */
  setRank(record: TokenRecord, rank: number): void {
    record.rank = rank;
    if (rank > 0 || this.#isNamed(record.mint)) this.#replaceable.delete(record.mint);
    else this.#replaceable.add(record.mint);
  }

  /** Replaces the order in which equally good matches are found. `mints` come best first. */
  rank(mints: Iterable<Address>): void {
    this.#index.rank(mints);
  }

  /** Reads tokens again. Their texts and authorities may have changed. */
  async refresh(mints: readonly Address[]): Promise<void> {
    const { chain, pools } = this.#options;
    for (const each of await readMints(chain, mints, (mint) => pools.account(mint))) this.#put(each, null);
  }

  #isBanned(mint: Address): boolean {
    return this.#options.decisions.of(mint)?.level === 'banned';
  }

  /** Notes the mints of a pool. If nobody saw it being created, it may tell since when it can be traded. */
  #meet({ pool, venue }: PoolHandle): void {
    const seenAt = this.#options.marketData.poolSeenAt(pool.address);
    const createdAt =
      seenAt !== null
        ? seenAt * 1_000
        : toOpenedAtMs(venue.openedAt?.(pool) ?? null, this.#options.timers.now());
    const firstPool = { address: pool.address, createdAt };
    for (const mint of pool.mints) {
      const known = this.#records.get(mint);
      if (known === undefined) this.#queue.add(mint, firstPool);
      else known.firstPool = chooseEarlierPool(known.firstPool, firstPool);
    }
  }

  #put(read: ReadMint, firstPool: FirstPool | null): void {
    const known = this.#records.get(read.mint);
    if (known === undefined) {
      if (!this.#makeRoom(read.mint)) return;
      const record = this.#recordOf(read, firstPool);
      this.#records.set(read.mint, record);
      this.setRank(record, 0);
      this.#list(record);
      return;
    }
    const before = `${known.name}\n${known.symbol}`;
    known.account = read.account;
    known.facts = read.facts;
    known.text = read.text;
    known.readAt = this.#options.timers.now();
    Object.assign(known, this.#textOf(read));
    if (`${known.name}\n${known.symbol}` !== before) this.#list(known);
  }

  /** Returns false if the catalogue is full of tokens that matter more than a new one. */
  #makeRoom(mint: Address): boolean {
    if (this.#records.size < this.#options.maxTokens) return true;
    const [oldest] = this.#replaceable;
    if (oldest === undefined) return this.#isNamed(mint);
    this.#replaceable.delete(oldest);
    this.#records.delete(oldest);
    this.#index.delete(oldest);
    return true;
  }

  #isNamed(mint: Address): boolean {
    return this.#listed.has(mint) || this.#options.decisions.of(mint) !== null;
  }

  #recordOf(read: ReadMint, firstPool: FirstPool | null): TokenRecord {
    return {
      mint: read.mint,
      account: read.account,
      facts: read.facts,
      text: read.text,
      ...this.#textOf(read),
      readAt: this.#options.timers.now(),
      firstPool,
      creator: null,
      creatorTries: CREATOR_TRIES,
      holders: null,
      holderHistory: [],
      signals: null,
      score: 0,
      rank: 0,
    };
  }

  /** The operator's text comes before the list's, and that before the chain's. */
  #textOf({ mint, text }: Pick<ReadMint, 'mint' | 'text'>): { name: string; symbol: string } {
    const listed = this.#listed.get(mint);
    const details = this.#options.decisions.of(mint)?.details;
    return {
      name: details?.name ?? listed?.name ?? text?.name ?? '',
      symbol: details?.symbol ?? listed?.symbol ?? text?.symbol ?? '',
    };
  }

  /** Enters a token into the index of texts, or removes it. */
  #list(record: TokenRecord): void {
    if (this.#isBanned(record.mint)) this.#index.delete(record.mint);
    else this.#index.set(record.mint, record);
  }

  /** Applies a decision of the operator. */
  #judge(mint: Address): void {
    const record = this.#records.get(mint);
    if (record === undefined) {
      this.#queue.addAgain(mint);
      return;
    }
    Object.assign(record, this.#textOf(record));
    this.#list(record);
  }

  /** Takes over the newest account of the mint, which pools keep current. */
  #current(record: TokenRecord): TokenRecord {
    const account: Account | null = this.#options.pools.account(record.mint);
    if (account === null || account === record.account) return record;
    const facts = decodeMintFacts(account);
    if (facts === null) return record;
    record.account = account;
    record.facts = facts;
    record.readAt = this.#options.timers.now();
    return record;
  }
}
