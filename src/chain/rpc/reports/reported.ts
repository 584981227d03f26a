import type { ReportedTransaction } from '../../reported-transactions.ts';

/** How far a transaction may be from the slot and the time at which it was reported. */
const MAX_SLOTS_APART = 150n;
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

/** Whether what a node returned can be the transaction that was reported or listed. */
export function isPlausible({ slot, time }: ReportedTransaction, reported: Reported): boolean {
  if (reported.onEnd !== null) return slot === reported.slot && Number(time) === reported.at;
  const apart = slot > reported.slot ? slot - reported.slot : reported.slot - slot;
  return apart <= MAX_SLOTS_APART && Math.abs(Number(time) - reported.at) <= MAX_SECONDS_APART;
}
