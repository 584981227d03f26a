import { type Timers, repeatWithPauses } from '../common/ports/timers.ts';
import type { MarketData } from '../market-data/market-data.ts';
import type { Address } from '../solana/address.ts';
import type { TokenCatalogue } from './catalogue.ts';
import {
  type OrganicScale,
  type OrganicSignals,
  computeOrganicScore,
  computeOrganicScale,
  getOrganicSignals,
} from './ranking/organic-score.ts';
import { recordHolders } from './holders/holder-history.ts';
import type { TokenLaunches } from './facts/launch.ts';
import { type HolderIndex, computeHolders } from './holders/holders.ts';
import { computeTokenRank, type TokenRecord } from './records.ts';
import type { SolSupply } from './sol-supply.ts';

export interface RefresherOptions {
  readonly catalogue: TokenCatalogue;
  readonly marketData: Pick<MarketData, 'price' | 'stats'>;
  /** Null over an outside RPC. */
  readonly holderIndex: HolderIndex | null;
  readonly launches: TokenLaunches;
  readonly timers: Timers;
  readonly solSupply: Pick<SolSupply, 'refreshIfDue'>;
  /** Returns the minute of the network's clock. */
  readonly minute: () => number;
  readonly onDefect: (error: unknown) => void;
}

/** How often a part of the tokens is refreshed. */
const EVERY_MS = 1_000;
/** The part of a turn of the event loop that ranking may take. The rest continue in the next turn. */
const SLICE_MS = 5;
/** How many mints are read again each time, together with their metadata. */
const READ_AT_ONCE = 50;
/** Counting the holders of many mints may take this much time, as a multiple of which it then pauses. */
const HOLDERS_PAUSE = 20;
/** How many counts of holders are kept over all tokens, beyond one for each, so that changes can be computed. */
const MAX_HOLDER_POINTS = 2_000_000;

/**
 * Keeps scores, ranks, holders and the texts of all tokens current, a part at a time, so that neither the event loop nor
 * the RPC notices how many there are. With few tokens, everything is refreshed once a second.
 */
export class TokenRefresher {
  readonly #options: RefresherOptions;
  #ranking: Iterator<TokenRecord> | null = null;
  #signals: OrganicSignals[] = [];
  #scale: OrganicScale = computeOrganicScale([]);
  #ranked: TokenRecord[] = [];
  #reading: Iterator<TokenRecord> | null = null;
  #counting: Iterator<TokenRecord> | null = null;
  /** The lengths of the histories of holders: of those counted in this pass, and of all in the last one. */
  #holderPoints = { pass: 0, all: 0 };
  /** How many tokens that were not launched each wallet has created: of those counted in this pass, and of all in the last one. */
  #created = { pass: new Map<Address, number>(), all: new Map<Address, number>() };
  #stop: () => void = () => undefined;
  #closed = false;

  constructor(options: RefresherOptions) {
    this.#options = options;
  }

  /** Returns how many tokens a wallet has created that were not launched; null where creators are not known. */
  countOthers(creator: Address): number | null {
    return this.#options.holderIndex === null ? null : (this.#created.all.get(creator) ?? 0);
  }

  /** Ranks all tokens once, and goes on in the background. */
  async start(): Promise<void> {
    // The first pass finds the scale of the scores, and the second one the scores.
    for (let pass = 0; pass < 2; pass++) while (!this.rankSome(Number.POSITIVE_INFINITY));
    await this.#countHolders();
    const { timers, onDefect } = this.#options;
    if (!this.#closed) this.#stop = repeatWithPauses(EVERY_MS, () => this.#refresh(), timers, onDefect);
  }

  close(): void {
    this.#closed = true;
    this.#stop();
  }

  async #refresh(): Promise<void> {
    this.rankSome(SLICE_MS);
    // Nothing waits for it: an outside RPC may take a minute.
    void this.#options.solSupply.refreshIfDue();
    await Promise.all([this.#readSome(), this.#countHolders()]);
  }

  /**
   * Ranks tokens for some milliseconds.
   *
   * Whether a pass over all tokens has ended.
   */
  rankSome(milliseconds: number): boolean {
    const { catalogue, timers } = this.#options;
    const until = timers.now() + milliseconds;
    this.#ranking ??= catalogue.records()[Symbol.iterator]();
    do {
      const { value, done } = this.#ranking.next();
      if (done === true) {
        this.#endPass();
        return true;
      }
      this.#rank(value);
    } while (timers.now() < until);
    return false;
  }

  #rank(record: TokenRecord): void {
    const { catalogue, marketData } = this.#options;
    const { mint } = record;
    record.signals = getOrganicSignals(marketData.stats(mint, '24h'), record.holders?.count ?? null);
    record.score = computeOrganicScore(record.signals, this.#scale);
    const liquidity = marketData.price(mint)?.liquidity ?? 0;
    catalogue.setRank(record, computeTokenRank(catalogue.isVerified(mint), record.score, liquidity));
    if ((record.signals.traders ?? 0) > 0) this.#signals.push(record.signals);
    if (record.rank > 0) this.#ranked.push(record);
  }

  #endPass(): void {
    this.#scale = computeOrganicScale(this.#signals);
    this.#ranked.sort((one, other) => other.rank - one.rank);
    this.#options.catalogue.rank(this.#ranked.map(({ mint }) => mint));
    this.#ranking = null;
    this.#signals = [];
    this.#ranked = [];
  }

  /** Reads some tokens again, because their texts may have changed. */
  async #readSome(): Promise<void> {
    const { catalogue } = this.#options;
    this.#reading ??= catalogue.records()[Symbol.iterator]();
    const mints: Address[] = [];
    while (mints.length < READ_AT_ONCE) {
      const { value, done } = this.#reading.next();
      if (done === true) {
        this.#reading = null;
        break;
      }
      mints.push(value.mint);
    }
    if (mints.length > 0) await catalogue.refresh(mints);
  }

  /** Counts holders for some milliseconds. */
  async #countHolders(): Promise<void> {
    const { catalogue, holderIndex, launches, timers } = this.#options;
    if (holderIndex === null) return;
    const until = timers.now() + EVERY_MS / HOLDERS_PAUSE;
    this.#counting ??= catalogue.records()[Symbol.iterator]();
    do {
      const { value, done } = this.#counting.next();
      if (done === true) {
        this.#counting = null;
        this.#holderPoints = { pass: 0, all: this.#holderPoints.pass };
        this.#created = { pass: new Map(), all: this.#created.pass };
        return;
      }
      const launch = launches.find(value.mint);
      if (launch !== null) value.creator = launches.creatorOf(value.mint);
      else if (value.creator === null && value.creatorTries > 0) {
        value.creatorTries--;
        value.creator = await holderIndex.creatorOf(value.mint);
      }
      value.holders = computeHolders(
        await holderIndex.ownersOf(value.mint, value.creator),
        value.facts.supply,
      );
      this.#recordHolders(value, value.holders.count);
      if (launch === null && value.creator !== null) this.#noteCreated(value.creator);
    } while (timers.now() < until && !this.#closed);
  }

  #noteCreated(creator: Address): void {
    const { pass } = this.#created;
    pass.set(creator, (pass.get(creator) ?? 0) + 1);
  }

  #recordHolders({ holderHistory }: TokenRecord, count: number): void {
    const points = this.#holderPoints;
    const hasRoom = Math.max(points.all, points.pass) < MAX_HOLDER_POINTS;
    recordHolders(holderHistory, this.#options.minute(), count, hasRoom);
    points.pass += holderHistory.length;
  }
}
