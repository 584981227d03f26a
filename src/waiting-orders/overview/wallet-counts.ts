import { and, count, inArray } from 'drizzle-orm';
import type { Database } from '../../store/index.ts';
import { waitingOrders } from '../store/order-tables.ts';
import { STATES_WITH_MONEY } from './order-overview.ts';

/**
 * Counts the orders of each of these wallets that may have money in their account. A wallet without one is left out. Those of all
 * networks count, because one vault keeps the money of its wallet on each of them.
 */
export async function countOrdersWithMoney(
  db: Database,
  wallets: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (wallets.length === 0) return new Map();
  const rows = await db
    .select({ wallet: waitingOrders.wallet, orders: count() })
    .from(waitingOrders)
    .where(
      and(inArray(waitingOrders.wallet, [...wallets]), inArray(waitingOrders.state, [...STATES_WITH_MONEY])),
    )
    .groupBy(waitingOrders.wallet);
  return new Map(rows.map(({ wallet, orders }) => [wallet, Number(orders)]));
}
