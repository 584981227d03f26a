import { U64_MAX } from '../../../solana/units.ts';
import { MAX_STALE_SLOTS } from './blocks.ts';

/**
 * Faults that a test can inject. The values of `NO_FAULTS` have no effect. Randomness depends only on `seed`, so a run
 * that sends the same transactions in the same slots is repeatable.
 */
export interface Faults {
  /** 0 to 2^32 - 1. */
  readonly seed: number;
  /** The probability, 0 to 1, that an attempt to land a transaction is lost. `maxRetries` limits further attempts. */
  readonly drop: number;
  /** The number of slots that every transaction waits before its first attempt to land, 0 to 150. */
  readonly delaySlots: number;
  /**
   * Each transaction waits 0 to this many further slots at random, so that later ones can land and be confirmed first;
   * 0 to 32.
   */
  readonly reorderSlots: number;
  /**
   * Micro-lamports per compute unit. Above 0, recent prioritization fees are reported as at least this, and a
   * transaction that pays less is not included. It waits, and lands if the congestion ends before its blockhash
   * expires. Congestion does not touch the faucet.
   */
  readonly congestion: bigint;
  /** The number of slots, 0 to 32, by which reads lag at every commitment. */
  readonly staleReads: number;
}

export const NO_FAULTS: Faults = {
  seed: 0,
  drop: 0,
  delaySlots: 0,
  reorderSlots: 0,
  congestion: 0n,
  staleReads: 0,
};

const MAX_DELAY = 150;
const MAX_REORDER = 32;

/** Returns what is wrong and what is allowed, or null when every field is in its range. */
export function findFaultPlanProblem(faults: Faults): string | null {
  return (
    outOfRange('seed', faults.seed, 0xffff_ffff) ??
    (faults.drop >= 0 && faults.drop <= 1 ? null : `drop must be from 0 to 1, got ${faults.drop}`) ??
    outOfRange('delaySlots', faults.delaySlots, MAX_DELAY) ??
    outOfRange('reorderSlots', faults.reorderSlots, MAX_REORDER) ??
    (faults.congestion >= 0n && faults.congestion <= U64_MAX
      ? null
      : `congestion must be from 0 to ${U64_MAX} micro-lamports, got ${faults.congestion}`) ??
    outOfRange('staleReads', faults.staleReads, MAX_STALE_SLOTS)
  );
}

function outOfRange(name: string, value: number, most: number): string | null {
  if (Number.isInteger(value) && value >= 0 && value <= most) return null;
  return `${name} must be a whole number from 0 to ${most}, got ${value}`;
}

/** Applies the faults to transactions. */
export class FaultPlan {
  readonly faults: Faults;
  #state: number;

  constructor(faults: Faults) {
    this.faults = faults;
    this.#state = faults.seed;
  }

  /** Returns the number of slots until the first attempt to land. */
  delay(): number {
    const { delaySlots, reorderSlots } = this.faults;
    return delaySlots + (reorderSlots === 0 ? 0 : Math.floor(this.#random() * (reorderSlots + 1)));
  }

  /** Whether this attempt to land is lost. */
  drops(): boolean {
    return this.faults.drop > 0 && this.#random() < this.faults.drop;
  }

  /** Returns a number from 0, inclusive, to 1, exclusive, by the mulberry32 generator. */
  #random(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
