import type { Commitment } from '../../chain.ts';
import type { FaultPlan } from '../blocks/faults.ts';
import type { HistoryEntry } from '../blocks/history.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** What the bank's parts work on. */
export interface Live {
  readonly ledger: Ledger;
  faults: FaultPlan;
  /** Included in the open slot so far, in order. */
  open: HistoryEntry[];
}

/** The slot that reads at a commitment answer as of: behind it by what the fault says, but not before what is known. */
export function viewSlot({ ledger, faults }: Live, commitment: Commitment): bigint {
  const slot = ledger.blocks.slot(commitment) - BigInt(faults.faults.staleReads);
  const { firstReadable } = ledger.blocks;
  return slot > firstReadable ? slot : firstReadable;
}
