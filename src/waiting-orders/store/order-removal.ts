import { and, eq, inArray, lt, lte, notExists, type SQL } from 'drizzle-orm';
import type { Store } from '../../store/index.ts';
import { craftedTransactions, HAS_ENDED, orderTransactions, waitingOrders } from './order-tables.ts';

const DAY_MS = 86_400_000;
/**
 * How long an order is kept whose deposit never landed. It cost its wallet nothing, so anybody could fill the disk with
 * such orders.
 */
const UNPAID_KEPT_MS = DAY_MS;
/** How many rows one step removes, so that it does not delay fills. */
const REMOVED_TOGETHER = 500;

export interface OrderRemovalOptions {
  /** Unix milliseconds by the store's clock. */
  readonly now: number;
  /** Days for which orders are kept after they have ended. 0 keeps them for ever. */
  readonly historyDays: number;
  /** Called before each step; when it returns true, the rest is left to the next call. */
  readonly isStopped: () => boolean;
}

/**
 * Removes crafts that have expired, orders whose deposit never landed after a day, orders that have ended after the time for
 * which the history is kept, with their transactions. It does so on all networks.
 */
export async function removeOldOrders(store: Store, options: OrderRemovalOptions): Promise<void> {
  const { now, historyDays, isStopped } = options;
  await repeatUntilFewer(isStopped, () => removeCrafts(store, now));
  const unpaidBefore = now - UNPAID_KEPT_MS;
  await repeatUntilFewer(isStopped, () => removeOrders(store, unpaidBefore, isUnpaid(store)));
  if (historyDays > 0) {
    await repeatUntilFewer(isStopped, () => removeOrders(store, now - historyDays * DAY_MS, undefined));
  }
}

async function repeatUntilFewer(isStopped: () => boolean, remove: () => Promise<number>): Promise<void> {
  let removed = REMOVED_TOGETHER;
  while (removed === REMOVED_TOGETHER && !isStopped()) removed = await remove();
}

async function removeCrafts({ db }: Store, now: number): Promise<number> {
  const { requestId, deleteAt } = craftedTransactions;
  const old = db
    .select({ requestId })
    .from(craftedTransactions)
    .where(lte(deleteAt, now))
    .orderBy(deleteAt)
    .limit(REMOVED_TOGETHER);
  const gone = await db.delete(craftedTransactions).where(inArray(requestId, old)).returning({ requestId });
  return gone.length;
}

/** A deposit that failed on the chain was paid for, unlike one that never landed. */
function isUnpaid({ db }: Store): SQL | undefined {
  const landed = db
    .select({ number: orderTransactions.number })
    .from(orderTransactions)
    .where(and(eq(orderTransactions.orderId, waitingOrders.id), eq(orderTransactions.outcome, 'failed')));
  return and(eq(waitingOrders.state, 'deposit_failed'), notExists(landed));
}

/** An order that has ended never changes again, so that it may be read first and removed after that. */
async function removeOrders(store: Store, before: number, which: SQL | undefined): Promise<number> {
  const old = await store.db
    .select({ id: waitingOrders.id })
    .from(waitingOrders)
    .where(and(HAS_ENDED, lt(waitingOrders.updatedAt, before), which))
    .orderBy(waitingOrders.updatedAt)
    .limit(REMOVED_TOGETHER);
  const ids = old.map(({ id }) => id);
  if (ids.length === 0) return 0;
  await store.transaction(async (db) => {
    await db.delete(orderTransactions).where(inArray(orderTransactions.orderId, ids));
    await db.delete(waitingOrders).where(inArray(waitingOrders.id, ids));
  });
  return ids.length;
}
