/** A line of a feed, with a number that no other line of it has. */
export interface FeedLine<Item> {
  /** Counts all lines that have arrived, also those that are not shown, from 1. */
  readonly number: number;
  readonly item: Item;
}

/** What is shown of a feed. */
export interface FeedSample<Item> {
  /** The newest first. */
  readonly lines: readonly FeedLine<Item>[];
  /** All lines that have arrived. */
  readonly total: number;
  /** Lines that arrived within the last second, and those of them that are shown. */
  readonly perSecond: number;
  readonly shownPerSecond: number;
}

/** Lines that are kept. */
export const MAX_KEPT = 2_000;
/** Above so many lines a second only a sample of them is shown: nobody reads faster, and the page could not draw them. */
export const MAX_PER_SECOND = 100;

const SECOND_MS = 1_000;

/** Keeps the newest lines of a feed, and only a sample of them while more arrive than can be shown. */
export class FeedSampler<Item> {
  readonly #maxKept: number;
  readonly #maxPerSecond: number;
  /** From the oldest to the newest; cut when it is twice as long as it may be. */
  #kept: FeedLine<Item>[] = [];
  /** What arrived within the last second. */
  #arrivals: { readonly at: number; readonly count: number; readonly shown: number }[] = [];
  #total = 0;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(maxKept: number = MAX_KEPT, maxPerSecond: number = MAX_PER_SECOND) {
    this.#maxKept = maxKept;
    this.#maxPerSecond = maxPerSecond;
  }

  /**
   * Takes lines that have arrived together. Where there are too many, those that are kept are spread evenly among them.
   * @param now - Milliseconds of a clock that never goes back.
   */
  push(items: readonly Item[], now: number): void {
    if (items.length === 0) return;
    this.#forget(now);
    const room = this.#computeRoom(items.length, now);
    const step = items.length / room;
    for (let place = 0; place < room; place++) {
      const index = Math.floor((place + 1) * step) - 1;
      const item = items[index];
      if (item !== undefined) this.#kept.push({ number: this.#total + index + 1, item });
    }
    this.#total += items.length;
    this.#lastAt = now;
    this.#arrivals.push({ at: now, count: items.length, shown: room });
    if (this.#kept.length > 2 * this.#maxKept) this.#kept = this.#kept.slice(-this.#maxKept);
  }

  /** Returns what is shown now. */
  read(now: number): FeedSample<Item> {
    this.#forget(now);
    return {
      lines: this.#kept.slice(-this.#maxKept).reverse(),
      total: this.#total,
      perSecond: this.#arrivals.reduce((sum, { count }) => sum + count, 0),
      shownPerSecond: this.#arrivals.reduce((sum, { shown }) => sum + shown, 0),
    };
  }

  /** Forgets all lines. They stay counted. */
  clear(): void {
    this.#kept = [];
  }

  /** Returns how many of some lines may be shown. While too many arrive, a second's share is spread over the second. */
  #computeRoom(count: number, now: number): number {
    const { perSecond, shown } = this.#arrivals.reduce(
      (sum, arrival) => ({ perSecond: sum.perSecond + arrival.count, shown: sum.shown + arrival.shown }),
      { perSecond: count, shown: 0 },
    );
    const left = Math.max(0, this.#maxPerSecond - shown);
    if (perSecond <= this.#maxPerSecond) return Math.min(count, left);
    const elapsed = Math.min(now - this.#lastAt, SECOND_MS);
    const share = Math.max(1, Math.ceil((this.#maxPerSecond * elapsed) / SECOND_MS));
    return Math.min(count, left, share);
  }

  #forget(now: number): void {
    const first = this.#arrivals.findIndex(({ at }) => at > now - SECOND_MS);
    this.#arrivals = first < 0 ? [] : this.#arrivals.slice(first);
  }
}

/** Says that only a sample is shown: `showing 100 of 431 lines a second`. Null while everything is. */
export function describeSampling({
  perSecond,
  shownPerSecond,
}: Pick<FeedSample<unknown>, 'perSecond' | 'shownPerSecond'>): string | null {
  return shownPerSecond < perSecond ? `showing ${shownPerSecond} of ${perSecond} lines a second` : null;
}
