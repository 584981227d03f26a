import { describeOutageReason, type OutageLog } from '../../common/outage-log.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { createRepeatedWork, type RepeatedWork } from '../../common/work/repeated-work.ts';
import type { PredictionEvent, PredictionEvents, PredictionMarket } from '../../predictions/prediction.ts';
import type { Address } from '../../solana/address.ts';
import type { ForecastRounds } from '../forecast.ts';
import {
  type ForecastLifecycle,
  type ForecastRoundFacts,
  toForecastEvent,
  toForecastLifecycle,
} from './forecast-event.ts';
import { toForecastEventId } from './forecast-ids.ts';

/** The record of rounds, from which the directory knows those that are gone. */
export interface ForecastRoundRecord {
  readonly listNewest: (limit: number) => Promise<readonly ForecastRoundFacts[]>;
  /** Returns the rounds that were recorded anew or changed since the call before. */
  readonly listChanged: () => Promise<readonly ForecastRoundFacts[]>;
  readonly listByHashes: (marketIdHashes: readonly string[]) => Promise<readonly ForecastRoundFacts[]>;
}

export interface ForecastDirectoryOptions {
  readonly rounds: ForecastRounds;
  readonly record: ForecastRoundRecord;
  /** Returns the Unix second of the network. */
  readonly now: () => number;
  readonly timers: Pick<Timers, 'after'>;
  /** Called when the record could not be read, and when it is again. */
  readonly outage: OutageLog;
}

/** How many rounds are listed: those of a day for two schedules. */
const LISTED_ROUNDS = 400;
/** How many older rounds stay known that somebody has asked for. */
const RECALLED_ROUNDS = 1_000;
const REFRESH_EVERY_MS = 1_000;

interface ListedRound {
  readonly round: ForecastRoundFacts;
  readonly lifecycle: ForecastLifecycle;
  readonly event: PredictionEvent;
}

/**
 * Rounds as events: those that the chain has, and the newest of those that are gone. Older ones are known for as long as nothing
 * pushes them out after somebody has recalled them.
 */
export class ForecastDirectory implements PredictionEvents {
  readonly #options: ForecastDirectoryOptions;
  readonly #listed = new Map<string, ListedRound>();
  /** In the order in which they were recalled, the oldest first. */
  readonly #recalled = new Map<string, ListedRound>();
  readonly #eventIds = new Map<string, string>();
  readonly #listeners = new Set<(eventId: string) => void>();
  readonly #refreshing: RepeatedWork;
  readonly #stopRounds: () => void;
  #all: readonly PredictionEvent[] | null = null;
  #failure: string | null = null;

  private constructor(options: ForecastDirectoryOptions) {
    this.#options = options;
    this.#refreshing = createRepeatedWork({
      everyMs: REFRESH_EVERY_MS,
      work: () => this.#refresh(),
      timers: options.timers,
      onError: (error) => this.#noteFailure(error),
    });
    this.#stopRounds = options.rounds.onChange((round) => this.#take(round));
  }

  /**
   * Reads the newest rounds, and follows rounds until `close` is called.
   *
   * @throws Error when the database does not answer.
   */
  static async open(options: ForecastDirectoryOptions): Promise<ForecastDirectory> {
    const directory = new ForecastDirectory(options);
    for (const round of [...(await options.record.listNewest(LISTED_ROUNDS))].reverse())
      directory.#put(round);
    for (const round of options.rounds.list()) directory.#putCurrent(round);
    directory.#refreshing.start();
    return directory;
  }

  readonly findEvent = (eventId: string): PredictionEvent | null => {
    const listed = this.#listed.get(eventId);
    if (listed === undefined) return this.#recalled.get(eventId)?.event ?? null;
    if (!this.#isLate(listed)) return listed.event;
    this.#put(listed.round);
    return this.#listed.get(eventId)?.event ?? null;
  };

  readonly findMarket = (marketId: string): PredictionMarket | null =>
    this.#findMarket(marketId, (market) => market.marketId === marketId);

  readonly findMarketByHash = (marketIdHash: string): PredictionMarket | null =>
    this.#findMarket(marketIdHash, (market) => market.marketIdHash === marketIdHash);

  readonly listEvents = (): readonly PredictionEvent[] => {
    for (const listed of [...this.#listed.values()]) if (this.#isLate(listed)) this.#put(listed.round);
    this.#all ??= [...this.#listed.values()].map(({ event }) => event);
    return this.#all;
  };

  readonly onChange = (listener: (eventId: string) => void): (() => void) => {
    const added = (eventId: string) => listener(eventId);
    this.#listeners.add(added);
    return () => this.#listeners.delete(added);
  };

  /** Sees to it that the rounds of markets are known, if they are recorded. */
  readonly recall = async (marketIdHashes: readonly string[]): Promise<void> => {
    const unknown = marketIdHashes.filter((hash) => this.findMarketByHash(hash) === null);
    if (unknown.length === 0) return;
    for (const round of await this.#options.record.listByHashes(unknown)) {
      const listed = this.#toListed(round);
      const { eventId } = listed.event;
      if (this.#listed.has(eventId)) continue;
      this.#recalled.delete(eventId);
      this.#recalled.set(eventId, listed);
      this.#index(listed.event);
    }
    this.#forgetOldest(this.#recalled, RECALLED_ROUNDS);
  };

  /** Returns why rounds that are gone may be unknown, for the operator; null if they are not. */
  unhealthy(): string | null {
    return this.#failure;
  }

  async close(): Promise<void> {
    this.#stopRounds();
    await this.#refreshing.stop();
  }

  async #refresh(): Promise<void> {
    this.listEvents();
    for (const recorded of await this.#options.record.listChanged()) {
      // The record may have a round that was there before the network began again.
      const round = this.#options.rounds.find(recorded.address);
      if (round === null) this.#put(recorded);
      else this.#putCurrent(round);
    }
    this.#failure = null;
    this.#options.outage.onAnswer();
  }

  #noteFailure(error: unknown): void {
    this.#failure = `the record of forecasts cannot be read: ${describeOutageReason(error)}`;
    this.#options.outage.onFailure(error);
  }

  #take(address: Address): void {
    const round = this.#options.rounds.find(address);
    if (round !== null) {
      this.#putCurrent(round);
      return;
    }
    const eventId = toForecastEventId(address);
    const listed = this.#listed.get(eventId);
    // A round can only be gone without a result if the network began again.
    if (listed === undefined || listed.round.outcome !== null) return;
    this.#listed.delete(eventId);
    this.#unindex(listed.event);
    this.#notify(eventId);
  }

  /**
   * Lists a round as the chain has it. If it had a result or another opening price before, the network began again, or took that
   * back.
   */
  #putCurrent(round: ForecastRoundFacts): void {
    const eventId = toForecastEventId(round.address);
    const known = this.#listed.get(eventId);
    const hadResult = known?.lifecycle === 'settled' && round.outcome === null;
    if (hadResult || known?.round.openPrice !== round.openPrice) this.#listed.delete(eventId);
    this.#put(round);
  }

  #put(round: ForecastRoundFacts): void {
    const eventId = toForecastEventId(round.address);
    const known = this.#listed.get(eventId);
    const lifecycle = toForecastLifecycle(round, this.#options.now());
    // The chain and the record tell of a result one after the other.
    if (known !== undefined && (known.lifecycle === lifecycle || known.lifecycle === 'settled')) return;
    const listed = this.#toListed(round);
    this.#listed.set(eventId, listed);
    this.#recalled.delete(eventId);
    this.#index(listed.event);
    this.#all = null;
    this.#notify(eventId);
    this.#forgetOldest(this.#listed, LISTED_ROUNDS);
  }

  /** Forgets the rounds that came first, unless the chain still has them. */
  #forgetOldest(rounds: Map<string, ListedRound>, most: number): void {
    for (const [eventId, { event, round }] of rounds) {
      if (rounds.size <= most) return;
      if (this.#options.rounds.find(round.address) !== null) continue;
      rounds.delete(eventId);
      this.#unindex(event);
      this.#all = null;
      this.#notify(eventId);
    }
  }

  #toListed(round: ForecastRoundFacts): ListedRound {
    const lifecycle = toForecastLifecycle(round, this.#options.now());
    return { round, lifecycle, event: toForecastEvent(round, lifecycle) };
  }

  #isLate({ lifecycle, round }: ListedRound): boolean {
    return lifecycle === 'open' && round.closeAt <= this.#options.now();
  }

  #index({ eventId, markets }: PredictionEvent): void {
    for (const { marketId, marketIdHash } of markets) {
      this.#eventIds.set(marketId, eventId);
      this.#eventIds.set(marketIdHash, eventId);
    }
  }

  #unindex({ markets }: PredictionEvent): void {
    for (const { marketId, marketIdHash } of markets) {
      this.#eventIds.delete(marketId);
      this.#eventIds.delete(marketIdHash);
    }
  }

  #findMarket(key: string, isMarket: (market: PredictionMarket) => boolean): PredictionMarket | null {
    const eventId = this.#eventIds.get(key);
    return eventId === undefined ? null : (this.findEvent(eventId)?.markets.find(isMarket) ?? null);
  }

  #notify(eventId: string): void {
    for (const listener of [...this.#listeners]) listener(eventId);
  }
}
