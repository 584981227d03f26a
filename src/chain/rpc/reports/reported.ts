import type { ReportedTransaction } from '../../reported-transactions.ts';

/** How many seconds a transaction may be from the time at which it was reported. */
export const MAX_SECONDS_APART = 120;

/** A transaction that was reported, or listed for a gap, and is not read yet. */
export interface Reported {
  readonly signature: string;
  readonly slot: bigint;
  /** Unix seconds of the network. */
  readonly at: number;
  readonly attempts: number;
  /** Called with whether it was passed on, if it was listed for a gap; null if it was reported. */
  readonly onEnd: ((isPassedOn: boolean) => void) | null;
}

/**
 * Whether what a node returned can be the transaction that was reported or listed.
 *
 * @param maxSlots - How many slots it may be from the one that it was reported in. A transaction whose fork was dropped lands
 *   again as long as its blockhash can be used.
 */
export function isPlausible(
  { slot, time }: ReportedTransaction,
  reported: Reported,
  maxSlots: bigint,
): boolean {
  if (reported.onEnd !== null) return slot === reported.slot && Number(time) === reported.at;
  const apart = slot > reported.slot ? slot - reported.slot : reported.slot - slot;
  return apart <= maxSlots && Math.abs(Number(time) - reported.at) <= MAX_SECONDS_APART;
}
