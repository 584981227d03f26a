import type { Store } from '../../store/index.ts';
import { orderTransactions, waitingOrders } from '../../waiting-orders/store/order-tables.ts';
import { toOrderRow, toTransactionRow } from '../../waiting-orders/store/order-rows.ts';
import { WaitingOrderStore } from '../../waiting-orders/store/order-store.ts';
import type { WaitingOrder } from '../../waiting-orders/waiting-order.ts';
import { openTestStore, type STORES, type TestStore } from '../store/test-store.ts';
import { createTestOrder, createTestTransaction } from './test-orders.ts';

/** The network of test orders. */
export const TEST_NETWORK = 'the-test-network';
/** Rows of one statement. PostgreSQL takes 65,535 parameters, and an order has 28. */
const ROWS_AT_ONCE = 500;

export interface TestOrderStore extends TestStore {
  readonly orders: WaitingOrderStore;
  /** Returns the orders as another instance on the same database sees them: with PostgreSQL, over connections of its own. */
  readonly reopenOrders: () => Promise<WaitingOrderStore>;
}

/** Opens an empty database for orders. */
export async function openTestOrders(kind: (typeof STORES)[number]): Promise<TestOrderStore> {
  const test = await openTestStore(kind);
  return {
    ...test,
    orders: createTestOrderStore(test.store),
    reopenOrders: async () => createTestOrderStore(await test.reopen()),
  };
}

/** Returns the orders of the test network in a database. They are kept for ever. */
export function createTestOrderStore(store: Store): WaitingOrderStore {
  return new WaitingOrderStore({ store, network: TEST_NETWORK, historyDays: 0 });
}

/** Writes orders as they are, each with a deposit that succeeded, without a craft. */
export async function insertTestOrders(
  store: Store,
  orders: Iterable<WaitingOrder>,
  network: string = TEST_NETWORK,
): Promise<void> {
  const all = [...orders];
  for (let start = 0; start < all.length; start += ROWS_AT_ONCE) {
    const page = all.slice(start, start + ROWS_AT_ONCE);
    await store.transaction(async (db) => {
      await db.insert(waitingOrders).values(page.map((order) => toOrderRow(network, order)));
      await db
        .insert(orderTransactions)
        .values(page.map((order) => toTransactionRow(createTestDeposit(order))));
    });
  }
}

/** Opens a database with so many open orders of one wallet each. Their numbers count from 0. */
export async function openTestOrdersWith(
  kind: (typeof STORES)[number],
  { count, change = () => ({}) }: { count: number; change?: (number: number) => Partial<WaitingOrder> },
): Promise<TestOrderStore> {
  const test = await openTestOrders(kind);
  const orders = Array.from({ length: count }, (_, number) => createTestOrder(number, change(number)));
  await insertTestOrders(test.store, orders);
  return test;
}

function createTestDeposit(order: WaitingOrder) {
  const first = { ...order, transactions: 1 };
  return createTestTransaction(first, { kind: 'deposit', outcome: 'success', endedAt: order.createdAt });
}
