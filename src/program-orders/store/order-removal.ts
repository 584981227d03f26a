import { and, eq, inArray, lt } from 'drizzle-orm';
import type { Store } from '../../store/index.ts';
import { ORDER_PROGRAMS } from '../program-order.ts';
import { HAS_ENDED_ROW, programOrders, programOrderTrades } from './program-order-tables.ts';

const DAY_SECONDS = 86_400n;
/** How many orders one step removes, so that it does not delay what is recorded and listed. */
const REMOVED_TOGETHER = 200;

export interface ProgramOrderRemovalOptions {
  /** The genesis hash. Other networks in the same database have other clocks. */
  readonly network: string;
  /** Unix seconds, by the network's clock, as the times of orders are. */
  readonly now: bigint;
  /** Days for which orders are kept after they have ended. 0 keeps them for ever. */
  readonly historyDays: number;
  /** Called before each step; when it returns true, the rest is left to the next call. */
  readonly isStopped: () => boolean;
}

/**
 * Removes orders of programs that ended longer ago than the history is kept, with their trades. An order that has ended never
 * changes again, so that it may be read first and removed after that.
 */
export async function removeOldProgramOrders(
  store: Store,
  { network, now, historyDays, isStopped }: ProgramOrderRemovalOptions,
): Promise<void> {
  if (historyDays === 0) return;
  const before = Number(now - BigInt(historyDays) * DAY_SECONDS);
  let removed = REMOVED_TOGETHER;
  while (removed === REMOVED_TOGETHER && !isStopped()) removed = await removeSome(store, network, before);
}

async function removeSome(store: Store, network: string, before: number): Promise<number> {
  const isOld = and(eq(programOrders.network, network), HAS_ENDED_ROW, lt(programOrders.updatedAt, before));
  const old = await store.db
    .select({ program: programOrders.program, number: programOrders.number })
    .from(programOrders)
    .where(isOld)
    .orderBy(programOrders.updatedAt)
    .limit(REMOVED_TOGETHER);
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
