import { and, eq, inArray, lt } from 'drizzle-orm';
import type { Store } from '../../store/index.ts';
import {
  type HistoryRemovalOptions,
  REMOVED_IN_ONE_STEP,
  removeOldEntries,
} from '../../store/sql/remove-old.ts';
import { ORDER_PROGRAMS } from '../program-order.ts';
import { HAS_ENDED_ROW, programOrders, programOrderTrades } from './program-order-tables.ts';

/**
 * Removes orders of programs that ended longer ago than the history is kept, with their trades. An order that has ended never
 * changes again, so that it may be read first and removed after that.
 */
export async function removeOldProgramOrders(store: Store, options: HistoryRemovalOptions): Promise<void> {
  await removeOldEntries(options, (before) => removeSome(store, options.network, before));
}

async function removeSome(store: Store, network: string, before: number): Promise<number> {
  const isOld = and(eq(programOrders.network, network), HAS_ENDED_ROW, lt(programOrders.updatedAt, before));
  const old = await store.db
    .select({ program: programOrders.program, number: programOrders.number })
    .from(programOrders)
    .where(isOld)
    .orderBy(programOrders.updatedAt)
    .limit(REMOVED_IN_ONE_STEP);
  if (old.length === 0) return 0;
  await store.transaction(async (db) => {
    for (const name of ORDER_PROGRAMS) {
      const numbers = old.filter(({ program }) => program === name).map(({ number }) => number);
      if (numbers.length === 0) continue;
      // After the network began again, another order can have such a number.
      const gone = await db
        .delete(programOrders)
        .where(and(isOld, eq(programOrders.program, name), inArray(programOrders.number, numbers)))
        .returning({ number: programOrders.number });
      const { network: ofNetwork, program, orderNumber } = programOrderTrades;
      const ofGone = inArray(
        orderNumber,
        gone.map(({ number }) => number),
      );
      if (gone.length === 0) continue;
      await db.delete(programOrderTrades).where(and(eq(ofNetwork, network), eq(program, name), ofGone));
    }
  });
  return old.length;
}
