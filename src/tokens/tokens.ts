import type { Chain } from '../chain/chain.ts';
import { waitWithin } from '../common/ports/timers.ts';
import { visitInTurns, mapInTurns, createUnaccountedWork, type Work } from '../common/work/work.ts';
import { WRAPPED_SOL_MINT } from '../solana/program-addresses.ts';
import type { Address } from '../solana/address.ts';
import type { MarketData } from '../market-data/market-data.ts';
import { WINDOW_NAMES, type WindowName, type WindowStats } from '../market-data/trades/trade.ts';
import { TokenCatalogue, type CatalogueOptions } from './catalogue.ts';
import { type CategoryCandidate, type Category, orderCandidates, RecomputedLists } from './categories.ts';
import { toOrganicLabel } from './ranking/organic-score.ts';
import { computeHolderChanges } from './holders/holder-history.ts';
import type { HolderIndex } from './holders/holders.ts';
import { chooseFirstPool } from './first-pool.ts';
import type { TokenRecord } from './records.ts';
import { MAX_RANKED } from './search/ranked-entries.ts';
import { TokenRefresher } from './refresher.ts';
import { SolSupply } from './sol-supply.ts';
import { type TokenDecisions, listTokenTags } from './decision.ts';
import type { TokenLaunches } from './facts/launch.ts';
import type { Token } from './facts/token.ts';

export interface TokensOptions extends CatalogueOptions {
  readonly chain: CatalogueOptions['chain'] & Pick<Chain, 'lamportSupply'>;
  readonly marketData: Pick<MarketData, 'price' | 'stats' | 'mints' | 'poolSeenAt'>;
  /** Null where the network has no index of holders. */
  readonly holderIndex: HolderIndex | null;
  readonly launches: TokenLaunches;
}

/** A token that is what its name says. */
export interface NamedToken {
  readonly name: string;
  readonly symbol: string;
  readonly logoURI: string | null;
  readonly tags: readonly string[];
}

/** How a token is called, whoever says so. Name and symbol are text that anybody may have written. */
export interface RecalledToken {
  readonly name: string;
  /** Null without one. */
  readonly symbol: string | null;
  readonly decimals: number;
  readonly isVerified: boolean;
}

/** The longest list of a category that can be asked for. */
const MAX_TOP = 100;
/** How long a list by a tag may be. */
const MAX_TAGGED = 20_000;
/** How long the start waits for the count of all lamports. An outside RPC may take longer. */
const COUNTING_MS = 5_000;
/** Categories of the best tokens leave out those that would always be among them. */
const ALWAYS_ON_TOP: ReadonlySet<string> = new Set(['stablecoin']);

/**
 * What is known of tokens: from their mints and metadata, from the pools that trade them, from trades, and from the
 * operator. All methods but `find` answer from memory. Lists are made in turns of the work that is passed.
 */
export class Tokens {
  readonly #catalogue: TokenCatalogue;
  readonly #refresher: TokenRefresher;
  readonly #solSupply: SolSupply;
  readonly #decisions: TokenDecisions;
  readonly #chain: TokensOptions['chain'];
  readonly #marketData: TokensOptions['marketData'];
  readonly #launches: TokenLaunches;
  readonly #timers: TokensOptions['timers'];
  readonly #lists: RecomputedLists<readonly TokenRecord[]>;

  private constructor(
    catalogue: TokenCatalogue,
    refresher: TokenRefresher,
    solSupply: SolSupply,
    options: TokensOptions,
  ) {
    this.#catalogue = catalogue;
    this.#refresher = refresher;
    this.#solSupply = solSupply;
    this.#decisions = options.decisions;
    this.#chain = options.chain;
    this.#marketData = options.marketData;
    this.#launches = options.launches;
    this.#timers = options.timers;
    this.#lists = new RecomputedLists(() => options.timers.now());
  }

  /** Reads the tokens of all pools and lists, and keeps them current until `close` is called. */
  static async open(options: TokensOptions): Promise<Tokens> {
    const { chain, marketData, holderIndex, launches, timers, onDefect } = options;
    const solSupply = new SolSupply({ chain, timers, onDefect });
    const counted = waitWithin(solSupply.refreshIfDue(), COUNTING_MS, timers);
    const catalogue = await TokenCatalogue.open(options);
    await counted;
    const minute = () => getChainMinute(chain);
    const refresher = new TokenRefresher({
      catalogue,
      marketData,
      holderIndex,
      launches,
      solSupply,
      timers,
      minute,
      onDefect,
    });
    await refresher.start();
    return new Tokens(catalogue, refresher, solSupply, options);
  }

  /** The number of tokens that searches by text find. */
  get size(): number {
    return this.#catalogue.size;
  }

  close(): void {
    this.#refresher.close();
    this.#catalogue.close();
  }

  /**
   * @param mints - At most 100.
   * @returns those that exist and are not banned, in their order; also mints that no pool trades
   * @throws Unavailable if the chain does not answer
   */
  async find(mints: readonly Address[], work: Work = createUnaccountedWork()): Promise<readonly Token[]> {
    return mapInTurns(work, await this.#catalogue.find(mints), (record) => this.#tokenOf(record));
  }

  /**
   * @param text - A symbol, a name or the beginning of one; the caller bounds its length.
   * @returns at most `limit` tokens, the best first
   */
  async search(text: string, limit: number, work: Work = createUnaccountedWork()): Promise<readonly Token[]> {
    await this.#catalogue.settled();
    return mapInTurns(work, this.#catalogue.search(text, limit), (record) => this.#tokenOf(record));
  }

  /** Returns the tokens that the operator or the list of known tokens has given the tag. */
  async tagged(tag: string, work: Work = createUnaccountedWork()): Promise<readonly Token[]> {
    await this.#catalogue.settled();
    const tagged: Token[] = [];
    await visitInTurns(work, this.#catalogue.named(), (mint) => {
      const record = this.#catalogue.get(mint);
      if (record === null || tagged.length === MAX_TAGGED || !this.#tags(mint).includes(tag)) return;
      tagged.push(this.#tokenOf(record));
    });
    return tagged;
  }

  /** Returns the best tokens of a category, without SOL and stablecoins. */
  top(
    category: Category,
    window: WindowName,
    limit: number,
    work: Work = createUnaccountedWork(),
  ): Promise<readonly Token[]> {
    const list = this.#lists.get(`${category} ${window}`, () =>
      orderCandidates(category, this.#candidates(window), MAX_TOP),
    );
    return this.#stillGood(list, limit, work);
  }

  /** Returns the tokens whose first pool is newest. */
  async recent(limit: number, work: Work = createUnaccountedWork()): Promise<readonly Token[]> {
    await this.#catalogue.settled();
    return this.#stillGood(
      this.#lists.get('recent', () => this.#newest(MAX_TOP)),
      limit,
      work,
    );
  }

  /** Returns the best tokens, the best first: at most `limit`, and at most 5,000. */
  async best(limit = MAX_RANKED, work: Work = createUnaccountedWork()): Promise<readonly Token[]> {
    await this.#catalogue.settled();
    const list = this.#lists.get('best', () =>
      [...this.#catalogue.records()].sort((one, other) => other.rank - one.rank).slice(0, MAX_RANKED),
    );
    return this.#stillGood(list.slice(0, limit), limit, work);
  }

  /** Whether the operator, or the list of known tokens, says that the mint is what its name says. */
  isVerified(mint: Address): boolean {
    return this.#catalogue.isVerified(mint);
  }

  /**
   * Returns how a token is named that the list of known tokens or the operator vouches for; null for any other token,
   * also for one of the list that the operator does not verify any more.
   */
  listedAs(mint: Address): NamedToken | null {
    if (!this.isVerified(mint)) return null;
    const listed = this.#catalogue.listedAs(mint);
    const record = this.#catalogue.get(mint);
    const icon = this.#decisions.of(mint)?.details.icon ?? listed?.logoURI ?? null;
    const [name, symbol] = [record?.name ?? listed?.name ?? '', record?.symbol ?? listed?.symbol ?? ''];
    return { name, symbol, logoURI: icon, tags: this.#tags(mint) };
  }

  /** Returns what is in memory of a token; null for one that is not known, or that is banned. */
  recall(mint: Address): RecalledToken | null {
    const record = this.#catalogue.get(mint);
    if (record === null) return null;
    const { name, symbol, facts } = record;
    return {
      name,
      symbol: symbol === '' ? null : symbol,
      decimals: facts.decimals,
      isVerified: this.isVerified(mint),
    };
  }

  /** A list may have been computed before a token of it was banned. */
  async #stillGood(list: readonly TokenRecord[], limit: number, work: Work): Promise<readonly Token[]> {
    const good: Token[] = [];
    await visitInTurns(work, list, ({ mint }) => {
      const record = good.length === limit ? null : this.#catalogue.get(mint);
      if (record !== null) good.push(this.#tokenOf(record));
    });
    return good;
  }

  *#candidates(window: WindowName): Iterable<CategoryCandidate> {
    for (const mint of this.#marketData.mints()) {
      const record = this.#catalogue.get(mint);
      const stats = this.#marketData.stats(mint, window);
      if (record === null || stats === null || this.#isAlwaysOnTop(mint)) continue;
      yield { record, stats, liquidity: this.#marketData.price(mint)?.liquidity ?? 0 };
    }
  }

  #isAlwaysOnTop(mint: Address): boolean {
    return mint === WRAPPED_SOL_MINT || this.#tags(mint).some((tag) => ALWAYS_ON_TOP.has(tag));
  }

  #newest(limit: number): readonly TokenRecord[] {
    const dated: { readonly record: TokenRecord; readonly at: number }[] = [];
    for (const record of this.#catalogue.records()) {
      const at = chooseFirstPool(
        record.firstPool,
        this.#launches.find(record.mint),
        this.#timers.now(),
      )?.createdAt;
      if (at !== null && at !== undefined) dated.push({ record, at });
    }
    dated.sort((one, other) => other.at - one.at);
    return dated.slice(0, limit).map(({ record }) => record);
  }

  /** Over an outside RPC, only the launched ones are known. */
  #countMints(creator: Address, isLauncher: boolean): number | null {
    const others = this.#refresher.countOthers(creator);
    if (others === null && !isLauncher) return null;
    return Math.max(this.#launches.countOf(creator) + (others ?? 0), 1);
  }

  #tags(mint: Address): readonly string[] {
    return listTokenTags(this.#catalogue.listedAs(mint), this.#decisions.of(mint));
  }

  #tokenOf(record: TokenRecord): Token {
    const { mint, facts, name, symbol, firstPool, holders, holderHistory, score, readAt } = record;
    const launch = this.#launches.find(mint);
    const creator = launch === null ? record.creator : this.#launches.creatorOf(mint);
    const details = this.#decisions.of(mint)?.details ?? {};
    const stats = Object.fromEntries(
      WINDOW_NAMES.map((window) => [window, this.#marketData.stats(mint, window)]),
    ) as Record<WindowName, WindowStats | null>;
    return {
      mint,
      facts,
      name,
      symbol,
      icon: details.icon ?? this.#catalogue.listedAs(mint)?.logoURI ?? null,
      details,
      firstPool: chooseFirstPool(firstPool, launch, this.#timers.now()),
      supply:
        mint === WRAPPED_SOL_MINT
          ? this.#solSupply.known
          : { total: facts.supply, circulating: facts.supply },
      price: this.#marketData.price(mint),
      stats,
      creator,
      creatorMints: creator === null ? null : this.#countMints(creator, launch !== null),
      launch,
      holders,
      holderChanges: computeHolderChanges(holderHistory, getChainMinute(this.#chain), holders?.count ?? 0),
      organicScore: score,
      organicLabel: toOrganicLabel(score),
      isVerified: this.#catalogue.isVerified(mint),
      isImitation: this.#catalogue.isImitation(record),
      tags: this.#tags(mint),
      updatedAt: readAt,
    };
  }
}

/** The minute of the network's clock, by which windows are counted. */
function getChainMinute(chain: TokensOptions['chain']): number {
  return Math.floor(Number(chain.clock().unixTimestamp) / 60);
}
