/**
 * What a test can make go wrong. Every field is optional in effect: the values of `NO_FAULTS` do nothing.
 * Randomness comes from `seed` alone, so that a run with the same transactions repeats.
 */
export interface Faults {
  readonly seed: number;
  /** Chance, 0 to 1, that one attempt to land a transaction is lost. It is tried again as `maxRetries` says. */
  readonly drop: number;
  /** Slots that every transaction waits before its first attempt to land, 0 to 150. */
  readonly delaySlots: number;
  /** Each transaction waits 0 to this many further slots at random, so that later ones can land first; 0 to 32. */
  readonly reorderSlots: number;
  /**
   * Micro-lamports per compute unit. Above 0, `recentPrioritizationFees` reports at least this for current slots, and a
   * transaction that pays less is not included: it waits, and lands when the congestion ends before its blockhash does.
   */
  readonly congestion: bigint;
  /** Reads at every commitment answer this many slots behind, 0 to 32. */
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
