import { maximum } from '../../../solana/units.ts';
import type { Commitment } from '../../chain.ts';
import type { FaultPlan } from '../blocks/faults.ts';
import type { NextFaults } from '../blocks/next-faults.ts';
import type { HistoryEntry } from '../blocks/history.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** The mutable state that the bank's parts share. */
export interface LiveState {
  readonly ledger: Ledger;
  faults: FaultPlan;
  /** The faults for the next transactions. */
  readonly nextFaults: NextFaults;
  /** The transactions of the open slot, in order. */
  open: HistoryEntry[];
}

/** Returns the slot as of which reads at a commitment are answered. The `staleReads` fault makes it lag. */
export function getViewSlot({ ledger, faults }: LiveState, commitment: Commitment): bigint {
  const slot = ledger.blocks.slot(commitment) - BigInt(faults.faults.staleReads);
  return maximum(slot, ledger.blocks.firstReadable);
}
