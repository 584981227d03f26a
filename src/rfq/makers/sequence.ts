import { U64_MAX } from '../../solana/units.ts';

/** A reservation lasts a maker this long at its pace, as long as it is not beyond `MAX_AHEAD`. */
const AHEAD_SECONDS = 60;
const MAX_AHEAD = 100_000;
/** Makers that count in microseconds or the like still write only so often. */
const MIN_SECONDS = 5;
const MIN_AHEAD = 1_000;

/**
 * Sequence numbers of one maker. What was accepted must never be accepted again, not even after the process was killed,
 * and not every snapshot can be written down first. So a range is written down ahead of its use: numbers within it are
 * accepted at once, and a process that starts anew goes on behind the whole range. A maker that asks for its last number
 * then is told the end of the range and counts on from there.
 */
export class SequenceNumbers {
  #last: bigint;
  /** Up to here the store knows. */
  #written: bigint;
  /** Up to here it is to know after its next write. */
  #wanted: bigint;
  #paceFrom: { readonly sequence: bigint; readonly at: number } | null = null;
  #isFinished = false;

  constructor(last: bigint) {
    this.#last = last;
    this.#written = last;
    this.#wanted = last;
  }

  /** Of the last accepted snapshot; after a crash, the end of the range that was reserved. */
  get last(): bigint {
    return this.#last;
  }

  /** What the store has to know from now on. */
  get toStore(): bigint {
    return this.#wanted;
  }

  /** Whether `finish` was called: what is to be stored may be lower than what was. */
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

  /** Whether it is time to extend the range before it is used up; false while an extension is under way. */
  isRunningOut(): boolean {
    const size = this.#written - (this.#paceFrom?.sequence ?? this.#written);
    return this.#wanted === this.#written && (this.#written - this.#last) * 2n < size;
  }

  /** Extends the range beyond `sequence`; the returned function says that the store has it. */
  extend(sequence: bigint, now: number): () => void {
    const end = sequence + BigInt(Math.ceil(this.#ahead(sequence, now)));
    const wanted = end > U64_MAX ? U64_MAX : end;
    if (wanted > this.#wanted) this.#wanted = wanted;
    this.#paceFrom = { sequence, at: now };
    const extended = this.#wanted;
    return () => {
      if (extended > this.#written) this.#written = extended;
    };
  }

  /** For a process that ends: nothing more is accepted, and the rest of the range is given back. */
  finish(): void {
    this.#wanted = this.#last;
    this.#written = this.#last;
    this.#isFinished = true;
  }

  #ahead(sequence: bigint, now: number): number {
    if (this.#paceFrom === null) return MIN_AHEAD;
    const seconds = Math.max(now - this.#paceFrom.at, 1) / 1_000;
    const pace = Number(sequence - this.#paceFrom.sequence) / seconds;
    return Math.max(MIN_AHEAD, Math.min(pace * AHEAD_SECONDS, MAX_AHEAD), pace * MIN_SECONDS);
  }
}
