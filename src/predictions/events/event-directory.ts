import { describeOutageReason, type OutageLog } from '../../common/outage-log.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { createRepeatedWork, type RepeatedWork } from '../../common/work/repeated-work.ts';
import type { PredictionEvent, PredictionEvents, PredictionMarket } from '../prediction.ts';
import type { EventRecords } from '../store/event-records.ts';

export interface EventDirectoryOptions {
  readonly records: Pick<EventRecords, 'listChanged'>;
  readonly timers: Pick<Timers, 'after'>;
  /** Called when the events could not be read, and when they are again. */
  readonly outage: OutageLog;
}

/** How often it looks for what other instances have changed. */
const READ_EVERY_MS = 1_000;

/** All events in memory. What this instance changes is there at once, and what others change within a second. */
export class EventDirectory implements PredictionEvents {
  readonly #options: EventDirectoryOptions;
  /** In the order of their creation, or in which they were read. */
  readonly #events = new Map<string, PredictionEvent>();
  readonly #markets = new Map<string, PredictionMarket>();
  readonly #byHash = new Map<string, PredictionMarket>();
  readonly #listeners = new Set<(eventId: string) => void>();
  readonly #reading: RepeatedWork;
  #revision = 0;
  #all: readonly PredictionEvent[] | null = null;
  #failure: string | null = null;

  private constructor(options: EventDirectoryOptions) {
    this.#options = options;
    this.#reading = createRepeatedWork({
      everyMs: READ_EVERY_MS,
      work: () => this.#readChanged(),
      timers: options.timers,
      onError: (error) => this.#noteFailure(error),
    });
  }

  /**
   * Reads all events, and follows their changes until `close` is called.
   *
   * @throws Error when the database does not answer. Nobody may take markets for unknown that were not read.
   */
  static async open(options: EventDirectoryOptions): Promise<EventDirectory> {
    const directory = new EventDirectory(options);
    await directory.#readChanged();
    directory.#reading.start();
    return directory;
  }

  readonly findEvent = (eventId: string): PredictionEvent | null => this.#events.get(eventId) ?? null;

  readonly findMarket = (marketId: string): PredictionMarket | null => this.#markets.get(marketId) ?? null;

  readonly findMarketByHash = (marketIdHash: string): PredictionMarket | null =>
    this.#byHash.get(marketIdHash) ?? null;

  readonly listEvents = (): readonly PredictionEvent[] => {
    this.#all ??= [...this.#events.values()];
    return this.#all;
  };

  readonly onChange = (listener: (eventId: string) => void): (() => void) => {
    // A function that is added twice is called twice, until each is ended.
    const added = (eventId: string) => listener(eventId);
    this.#listeners.add(added);
    return () => this.#listeners.delete(added);
  };

  /** Takes over an event as it was just written, and calls the listeners. */
  put(event: PredictionEvent): void {
    const known = this.#events.get(event.eventId);
    if (known !== undefined && isSameEvent(known, event)) return;
    // What was read before a change may come after it.
    if (known !== undefined && countChanges(known) > countChanges(event)) return;
    this.#events.set(event.eventId, event);
    this.#all = null;
    for (const market of event.markets) {
      this.#markets.set(market.marketId, market);
      this.#byHash.set(market.marketIdHash, market);
    }
    for (const listener of [...this.#listeners]) listener(event.eventId);
  }

  /** Returns why events may be out of date, for the operator; null if they are not. */
  unhealthy(): string | null {
    return this.#failure;
  }

  async close(): Promise<void> {
    await this.#reading.stop();
  }

  async #readChanged(): Promise<void> {
    const { events, revision } = await this.#options.records.listChanged(this.#revision);
    for (const event of events) this.put(event);
    this.#revision = revision;
    this.#failure = null;
    this.#options.outage.onAnswer();
  }

  #noteFailure(error: unknown): void {
    this.#failure = `the events of prediction markets cannot be read: ${describeOutageReason(error)}`;
    this.#options.outage.onFailure(error);
  }
}

/** Counts what has changed since an event was created: a decision is final, and scores are counted. */
function countChanges({ markets, score }: PredictionEvent): number {
  return markets.filter(({ status }) => status !== 'open').length + (score?.version ?? 0);
}

/** Only the decisions of markets and the score change. */
function isSameEvent(one: PredictionEvent, other: PredictionEvent): boolean {
  return (
    one.score?.version === other.score?.version &&
    one.markets.every(({ status }, index) => status === other.markets[index]?.status)
  );
}
