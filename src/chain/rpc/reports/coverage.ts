/** The chain's clock is read with the slots, so it is behind by up to some polls. */
const CLOCK_LAG = 10;
/** How long a connection can be silent before it counts as lost. */
const SILENT = 20;
/** How far the time of a transaction that was not read may be from the time at which it was reported. */
const UNREAD_MARGIN = 60;
/** The most gaps that are remembered. Beyond it, the oldest two become one. */
const MAX_GAPS = 1_000;

interface Gap {
  readonly from: number;
  readonly to: number;
}

/** Remembers from which times transactions are missing. All times are Unix seconds of the chain's clock. */
export class Coverage {
  readonly #gaps: Gap[] = [];
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

  isComplete({ from, to }: Gap): boolean {
    if (this.#lostAt !== null && to > this.#lostAt) return false;
    return this.#gaps.every((gap) => gap.to <= from || gap.from >= to);
  }

  /** Gaps come in order of time, except when the clock is set back. */
  #add(gap: Gap): void {
    const last = this.#gaps.at(-1);
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

function union(one: Gap, other: Gap): Gap {
  return { from: Math.min(one.from, other.from), to: Math.max(one.to, other.to) };
}
