import { maximum } from '../../../solana/units.ts';
import type { Bank } from '../ledger/bank.ts';

/** A transaction of a slot, as lists show it. */
export interface SummarizedTransaction {
  readonly signature: string;
  readonly isFailed: boolean;
}

/** A confirmed block, without what its transactions did. */
export interface SlotSummary {
  readonly slot: bigint;
  /** Unix seconds. */
  readonly time: bigint;
  readonly blockhash: string;
  readonly transactions: number;
  readonly failed: number;
  /** The last transactions of the block, in their order. */
  readonly last: readonly SummarizedTransaction[];
}

/** The transactions that a summary lists. */
const MAX_LISTED = 50;

/**
 * Summarizes the confirmed blocks after a slot, oldest first. Slots without a block, and those whose transactions are no longer all
 * kept, are left out.
 *
 * @param limit - The newest slots that are looked at, whatever `after` is.
 */
export function listSlotSummaries(
  bank: Pick<Bank, 'slot' | 'block'>,
  after: bigint,
  limit: number,
): readonly SlotSummary[] {
  const newest = bank.slot('confirmed');
  const first = maximum(after + 1n, newest - BigInt(limit) + 1n);
  const summaries: SlotSummary[] = [];
  for (let slot = maximum(first, 0n); slot <= newest; slot++) {
    const block = bank.block(slot);
    if (block === null) continue;
    const { time, blockhash, transactions } = block;
    summaries.push({
      slot,
      time,
      blockhash,
      transactions: transactions.length,
      failed: transactions.filter(({ error }) => error !== null).length,
      last: transactions
        .slice(-MAX_LISTED)
        .map(({ signature, error }) => ({ signature, isFailed: error !== null })),
    });
  }
  return summaries;
}
