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
  /** In order of time, except when the clock is set back. An element is replaced when it grows, and never changed. */
  readonly #gaps: TimeRange[] = [];
  /** When transactions ceased to be reported; null while they are. */
  #lostAt: number | null = Number.NEGATIVE_INFINITY;

  /** Notes that all transactions are reported from now on. */
  begin(now: number): void {
    if (this.#lostAt === null) return;
    this.#add({ from: this.#lostAt, to: now + CLOCK_LAG });
    this.#lostAt = null;
  }

  /** Notes that transactions are no longer reported. */
  lose(now: number): void {
    this.#lostAt ??= now - SILENT;
  }

  /** Notes that a transaction that was reported about now was not read. */
  miss(now: number): void {
    this.#add({ from: now - UNREAD_MARGIN, to: now + UNREAD_MARGIN });
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

  /** @returns the last time before `end` from which nothing is missing; null if there is none */
  lastComplete(end: number): TimeRange | null {
    let to = Math.min(end, this.#lostAt ?? Number.POSITIVE_INFINITY);
    for (const gap of this.#gaps.toReversed()) {
      if (gap.to < to) return { from: gap.to, to };
      to = Math.min(to, gap.from);
    }
    // Before the first report there is a gap without a beginning.
    return null;
  }

  /** @returns the newest gap within the range that passes the test; null if there is none or transactions are not reported */
  gapWithin({ from, to }: TimeRange, mayBe: (gap: TimeRange) => boolean): TimeRange | null {
    if (this.#lostAt !== null) return null;
    return this.#gaps.findLast((gap) => gap.from >= from && gap.to <= to && mayBe(gap)) ?? null;
  }

  /**
   * Notes that all transactions of a gap are known after all.
   *
   * @returns false when it has become part of a longer one in the meantime
   */
  close(gap: TimeRange): boolean {
    const index = this.#gaps.indexOf(gap);
    if (index === -1) return false;
    this.#gaps.splice(index, 1);
    return true;
  }

  #add(gap: TimeRange): void {
    const last = this.#gaps.at(-1);
    if (last?.from === Number.NEGATIVE_INFINITY && gap.from <= last.to) {
      // What came before the first report is not read, so that a gap after it can still be closed.
      if (gap.to > last.to) this.#gaps.push({ from: last.to, to: gap.to });
      return;
    }
    if (last !== undefined && gap.from <= last.to && gap.to >= last.from) {
      this.#gaps.pop();
      this.#gaps.push(union(last, gap));
      return;
    }
    this.#gaps.push(gap);
    const [first, second] = this.#gaps;
    if (this.#gaps.length > MAX_GAPS && first !== undefined && second !== undefined) {
      this.#gaps.splice(0, 2, union(first, second));
    }
  }
}

function union(one: TimeRange, other: TimeRange): TimeRange {
  return { from: Math.min(one.from, other.from), to: Math.max(one.to, other.to) };
}
