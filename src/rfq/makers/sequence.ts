import { U64_MAX } from '../../solana/units.ts';

/** A reserved range lasts this long at the maker's rate, unless that exceeds `MAX_AHEAD`. */
const AHEAD_SECONDS = 60;
const MAX_AHEAD = 100_000;
/** Makers with large steps, such as microseconds, get a range for at least this long. */
const MIN_SECONDS = 5;
const MIN_AHEAD = 1_000;

/**
 * The sequence numbers of one maker. An accepted number must never be accepted again, even after a crash, and not every
 * number can be written before its ack. So numbers are reserved in ranges: the end of a range is written before its
 * use, and the numbers within it are accepted at once. After a crash, numbering resumes after the reserved range. A
 * maker that asks for its last number then gets the end of the range, and continues from there.
 *
 * @example
 * ```ts
 * import { SequenceNumbers } from './sequence.ts';
 *
 * const numbers = new SequenceNumbers(0n);
 * const stored = numbers.extend(1n, Date.now()); // Write numbers.valueToStore now,
 * stored(); // and call this when it is written.
 * if (numbers.covers(1n)) numbers.accept(1n);
 * ```
 */
export class SequenceNumbers {
  #last: bigint;
  /** The end of the range that the store knows. */
  #written: bigint;
  /** The end of the range that the next write stores. */
  #wanted: bigint;
  #rateSince: { readonly sequence: bigint; readonly at: number } | null = null;
  #isFinished = false;

  constructor(last: bigint) {
    this.#last = last;
    this.#written = last;
    this.#wanted = last;
  }

  /** The number of the last accepted snapshot; after a crash, the end of the range that was reserved. */
  get last(): bigint {
    return this.#last;
  }

  /** The number that the store must know. */
  get valueToStore(): bigint {
    return this.#wanted;
  }

  /** Whether `finish` was called. Only then may `valueToStore` be lower than the stored number. */
  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** Whether the number can be accepted without a write. */
  covers(sequence: bigint): boolean {
    return sequence <= this.#written;
  }

  accept(sequence: bigint): void {
    this.#last = sequence;
  }

  /** Whether the range should be extended before it is used up; false while an extension is in progress. */
  isRunningOut(): boolean {
    const size = this.#written - (this.#rateSince?.sequence ?? this.#written);
    return this.#wanted === this.#written && (this.#written - this.#last) * 2n < size;
  }

  /**
   * Extends the range beyond `sequence`.
   * @param now - Unix milliseconds.
   * @returns a function to call when `valueToStore` is written
   */
  extend(sequence: bigint, now: number): () => void {
    const end = sequence + BigInt(Math.ceil(this.#ahead(sequence, now)));
    const wanted = end > U64_MAX ? U64_MAX : end;
    if (wanted > this.#wanted) this.#wanted = wanted;
    this.#rateSince = { sequence, at: now };
    const extended = this.#wanted;
    return () => {
      if (extended > this.#written) this.#written = extended;
    };
  }

  /** Ends the numbering: nothing more is accepted, and the rest of the range is returned. */
  finish(): void {
    this.#wanted = this.#last;
    this.#written = this.#last;
    this.#isFinished = true;
  }

  #ahead(sequence: bigint, now: number): number {
    if (this.#rateSince === null) return MIN_AHEAD;
    const seconds = Math.max(now - this.#rateSince.at, 1) / 1_000;
    const rate = Number(sequence - this.#rateSince.sequence) / seconds;
    return Math.max(MIN_AHEAD, Math.min(rate * AHEAD_SECONDS, MAX_AHEAD), rate * MIN_SECONDS);
  }
}
