import { parseTransaction, transactionSignature } from '../../solana/messages/transaction.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { FAILURE_REASONS } from './failure-reasons.ts';
import type { FillRecord, FillRecords } from './fill-records.ts';
import type { MakerLink } from '../streams/maker-link.ts';

/** A process that is killed is started again within so long, or its makers learn from the chain. */
const LATE_END_MS = 30_000;

/**
 * Tells makers how the swaps that they had signed ended in the last moments of a process that is gone: nobody knows what
 * of it they were told.
 */
export async function replayResults({
  records,
  link,
  timers,
}: {
  readonly records: FillRecords;
  readonly link: MakerLink;
  readonly timers: Timers;
}): Promise<void> {
  const ended = await records.endedSince(timers.now() - LATE_END_MS);
  for (const record of ended) sendResult(link, record);
}

/** Tells the maker, perhaps for the second time; nothing of a swap that it did not sign, or that has not ended. */
export function sendResult(link: MakerLink, { state, makerId, swapUuid, offered, signed }: FillRecord): void {
  const why = FAILURE_REASONS[state];
  if (signed === null || why === undefined) return;
  if (state !== 'confirmed') link.failed(makerId, swapUuid, why);
  else link.confirmed(makerId, swapUuid, transactionSignature(parseTransaction(offered)));
}
