import type { Timers } from '../../common/ports/timers.ts';
import type { InventoryClaim, Reservations } from '../books/reservations.ts';
import type { FillRecord, FillRecords } from './fill-records.ts';
import { toInventoryClaim } from './fill.ts';

export interface RecallOptions {
  readonly records: Pick<FillRecords, 'unfinished' | 'byRequest'>;
  readonly reservations: Pick<Reservations, 'recall' | 'release'>;
  /** Unix seconds by the chain's clock. */
  readonly chainTime: bigint;
  readonly timers: Pick<Timers, 'after'>;
  /** Aborted when the records are closed; they are not read any more then. */
  readonly closing: AbortSignal;
  /** Called when the records cannot be read again. The claims then end by themselves. */
  readonly onDefect: (error: unknown) => void;
}

const LOOK_AGAIN_MS = 1_000;
/** By then, every fill whose process lives is removed, signed or given up. */
const MAX_LOOKS = 15;

interface UnsignedFill {
  readonly claim: InventoryClaim;
  readonly requestId: string;
}

/**
 * Reserves what another instance, which may have ended, has reserved of a maker that connects to this one. A fill that is
 * not signed may still be under check, and its record is removed if its taker cannot pay. So the records of these fills
 * are read again every second, and their claims end with them.
 */
export async function recallReservations(makerId: string, options: RecallOptions): Promise<void> {
  const { records, reservations, chainTime } = options;
  const unsigned: UnsignedFill[] = [];
  for (const { swapUuid, requestId, order, state } of await records.unfinished(makerId)) {
    const terms = order.coSigner;
    if (terms === undefined) continue;
    const claim = toInventoryClaim(swapUuid, terms);
    // The fill may land during the whole of its last second.
    const isAdded = reservations.recall(claim, Number(terms.expireAt - chainTime + 1n) * 1_000);
    if (isAdded && state === 'offered') unsigned.push({ claim, requestId });
  }
  lookAgain(unsigned, options, MAX_LOOKS);
}

function lookAgain(unsigned: readonly UnsignedFill[], options: RecallOptions, looksLeft: number): void {
  if (unsigned.length === 0 || looksLeft === 0) return;
  options.timers.after(LOOK_AGAIN_MS, () => {
    if (options.closing.aborted) return;
    releaseRemoved(unsigned, options)
      .then((left) => lookAgain(left, options, looksLeft - 1))
      .catch(options.onDefect);
  });
}

/** Returns the fills that are still not signed. */
async function releaseRemoved(
  unsigned: readonly UnsignedFill[],
  { records, reservations }: RecallOptions,
): Promise<readonly UnsignedFill[]> {
  const left: UnsignedFill[] = [];
  for (const fill of unsigned) {
    const { claim, requestId } = fill;
    const record = await records.byRequest(requestId);
    if (isWaiting(record, claim)) left.push(fill);
    else if (isOver(record, claim)) reservations.release(claim.makerId, claim.swapUuid);
  }
  return left;
}

function isWaiting(record: FillRecord | null, { swapUuid }: InventoryClaim): boolean {
  return record?.swapUuid === swapUuid && record.state === 'offered';
}

/** A confirmed fill counts until the maker's new balance is known. */
function isOver(record: FillRecord | null, { swapUuid }: InventoryClaim): boolean {
  if (record?.swapUuid !== swapUuid) return true;
  return record.state === 'expired' || record.state === 'rejected' || record.state === 'failed';
}
