import type { Address } from '../../solana/address.ts';
import type { NumberedOrder, OrderChanges } from './order-changes.ts';
import {
  type RecordedDcaOrder,
  type RecordedLimitOrder,
  type RecordedOrder,
  toOrderColumns,
} from './order-rows.ts';

/** An open order as the chain holds it, which does not say what opened it. */
export type ChainOrder = Omit<RecordedLimitOrder, 'openSignature'> | Omit<RecordedDcaOrder, 'openSignature'>;

/**
 * Compares the open orders of the record with those of the chain, as of the same moment, and computes what makes them equal.
 * They differ where accounts were written without the program: by the genesis, a reset, a restored snapshot or a cheat code.
 *
 * An order that is not recorded is recorded as the chain has it. One that is not on the chain is removed, because nobody knows
 * how it ended. One whose account is not as its events left it is recorded anew, without the trades that it does not have any
 * more.
 *
 * @param recorded - All open orders of the record.
 * @param held - All open orders of the chain.
 * @param orders - How many orders have a number.
 */
export function computeReconciliation(
  recorded: readonly NumberedOrder[],
  held: readonly ChainOrder[],
  orders: number,
): OrderChanges {
  const known = new Map<Address, NumberedOrder>(recorded.map((each) => [each.order.address, each]));
  const removed: number[] = [];
  const inserted: NumberedOrder[] = [];
  for (const order of held) {
    const found = known.get(order.address);
    known.delete(order.address);
    if (found !== undefined && isSameState(found.order, order)) continue;
    if (found !== undefined) removed.push(found.number);
    const openSignature = found?.order.openSignature ?? null;
    const number = orders + inserted.length + 1;
    inserted.push({ number, order: { ...order, openSignature }, trades: 0 });
  }
  removed.push(...[...known.values()].map(({ number }) => number));
  return { inserted, updated: [], removed, trades: [], orders: orders + inserted.length };
}

/** The record has the times of blocks, and the accounts those of the clock, or none. */
function isSameState(recorded: RecordedOrder, held: ChainOrder): boolean {
  const { openSignature, createdAt, updatedAt } = recorded;
  const columns = toOrderColumns({ ...held, openSignature, createdAt, updatedAt });
  return JSON.stringify(columns) === JSON.stringify(toOrderColumns(recorded));
}
