import type { TimeRange } from '../../reported-transactions.ts';

/** The chain's clock is read with the slots, so it is behind by up to some polls. */
const CLOCK_LAG = 10;
/** How long a connection can be silent before it counts as lost. */
const SILENT = 20;
/** How far the time of a transaction that was not read may be from the time at which it was reported. */
const UNREAD_MARGIN = 60;
/** The most gaps that are remembered. Beyond it, the oldest two become one. */
const MAX_GAPS = 1_000;

/** Remembers from which times transactions are missing. */
export class Coverage {
  /** In order of time, and apart from each other. An element is replaced when it grows, and never changed. */
  readonly #gaps: TimeRange[] = [];
  /** When transactions ceased to be reported; null while they are. */
  #lostAt: number | null = Number.NEGATIVE_INFINITY;

  /** Notes that all transactions are reported from now on. */
  begin(now: number): void {
    if (this.#lostAt === null) return;
    // The network's clock may have been set back in between.
    this.#add({ from: Math.min(this.#lostAt, now), to: Math.max(this.#lostAt, now + CLOCK_LAG) });
    this.#lostAt = null;
  }

  /** Whether transactions are reported now. */
  get isReported(): boolean {
    return this.#lostAt === null;
  }

  /** Notes that transactions are no longer reported. */
  lose(now: number): void {
    this.#lostAt ??= now - SILENT;
  }

  /** Notes that a transaction of about this time was not read. */
  miss(time: number): void {
    this.#add({ from: time - UNREAD_MARGIN, to: time + UNREAD_MARGIN });
  }

  /** Notes that all transactions of a time before the first report are known. */
  resume({ from, to }: TimeRange): void {
    if (this.#lostAt === Number.NEGATIVE_INFINITY) {
      this.#gaps.unshift({ from: Number.NEGATIVE_INFINITY, to: from });
      this.#lostAt = to;
      return;
    }
    const [first] = this.#gaps;
    if (first === undefined || first.from !== Number.NEGATIVE_INFINITY || to > first.to) return;
    this.#gaps.splice(0, 1, { from: first.from, to: from }, { from: to, to: first.to });
  }

  isComplete({ from, to }: TimeRange): boolean {
    if (this.#lostAt !== null && to > this.#lostAt) return false;
    return this.#gaps.every((gap) => gap.to <= from || gap.from >= to);
  }

  /** Returns the last time before `end` from which nothing is missing; null if there is none. */
  lastComplete(end: number): TimeRange | null {
    let to = Math.min(end, this.#lostAt ?? Number.POSITIVE_INFINITY);
    for (const gap of this.#gaps.toReversed()) {
      if (gap.to < to) return { from: gap.to, to };
      to = Math.min(to, gap.from);
    }
    // Before the first report there is a gap without a beginning.
    return null;
  }

  /** Returns the newest gap within the range that passes the test; null if there is none or transactions are not reported. */
  gapWithin({ from, to }: TimeRange, mayBe: (gap: TimeRange) => boolean): TimeRange | null {
    if (this.#lostAt !== null) return null;
    return this.#gaps.findLast((gap) => gap.from >= from && gap.to <= to && mayBe(gap)) ?? null;
  }

  /**
   * Notes that all transactions of a gap are known after all.
   *
   * Returns false when it has become part of a longer one in the meantime.
   */
  close(gap: TimeRange): boolean {
    const index = this.#gaps.indexOf(gap);
    if (index === -1) return false;
    this.#gaps.splice(index, 1);
    return true;
  }

  #add(gap: TimeRange): void {
    const [first] = this.#gaps;
    // What came before the first report is not read, so that a gap after it can still be closed.
    const isAfterFirst = first?.from === Number.NEGATIVE_INFINITY;
    let added = isAfterFirst ? { from: Math.max(gap.from, first.to), to: gap.to } : gap;
    if (added.from >= added.to) return;
    let index = isAfterFirst ? 1 : 0;
    while ((this.#gaps[index]?.to ?? Number.POSITIVE_INFINITY) < added.from) index++;
    for (
      let next = this.#gaps[index];
      next !== undefined && next.from <= added.to;
      next = this.#gaps[index]
    ) {
      added = union(next, added);
      this.#gaps.splice(index, 1);
    }
    this.#gaps.splice(index, 0, added);
    const [oldest, second] = this.#gaps;
    if (this.#gaps.length > MAX_GAPS && oldest !== undefined && second !== undefined) {
      this.#gaps.splice(0, 2, union(oldest, second));
    }
  }
}

function union(one: TimeRange, other: TimeRange): TimeRange {
  return { from: Math.min(one.from, other.from), to: Math.max(one.to, other.to) };
}
