import { inArray } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { openForEach } from '../../testing/opened.ts';
import {
  insertTestOrders,
  openTestOrders,
  TEST_NETWORK,
} from '../../testing/waiting-orders/test-order-store.ts';
import { createTestOrder } from '../../testing/waiting-orders/test-orders.ts';
import { ORDER_STATES, type WaitingOrder } from '../waiting-order.ts';
import { WaitingOrderStore } from './order-store.ts';
import { craftedTransactions, orderTransactions, waitingOrders } from './order-tables.ts';

describe('removeOldOrders', () => {
  const test = openForEach(() => openTestOrders('sqlite'), 'cleanUp');

  it('keeps every order for ever by default, but for those whose deposit never landed, which are kept for a day', async () => {
    const old = ORDER_STATES.map((state, number) => createTestOrder(number, { state, updatedAt: 0 }));
    const unpaid = createTestOrder(20, { state: 'deposit_failed', updatedAt: 0 });
    const young = createTestOrder(21, { state: 'deposit_failed', updatedAt: 1 });
    await insertTestOrders(test.store, [...old, unpaid, young]);
    await setDeposit([unpaid, young], 'expired');
    await setDeposit(old, 'failed');
    await test.orders.removeOld(DAY_MS + 1);
    expect(await listKept([...old, unpaid, young])).toEqual([...old, young].map(({ id }) => id));
    expect(await test.orders.transactionsOf(unpaid.id)).toEqual([]);
    expect(await test.orders.transactionsOf(young.id)).toHaveLength(1);
  });

  it('removes orders that have ended so many days ago, with their transactions, and no others', async () => {
    const orders = new WaitingOrderStore({ store: test.store, network: TEST_NETWORK, historyDays: 30 });
    const old = ORDER_STATES.map((state, number) => createTestOrder(number, { state, updatedAt: 0 }));
    const young = createTestOrder(20, { state: 'cancelled', updatedAt: 1 });
    await insertTestOrders(test.store, [...old, young]);
    await setDeposit(old, 'failed');
    await orders.removeOld(30 * DAY_MS + 1);
    const kept = old.filter(({ state }) => !['fill_success', 'cancelled', 'deposit_failed'].includes(state));
    expect(await listKept([...old, young])).toEqual([...kept, young].map(({ id }) => id));
    expect(await test.store.db.select().from(orderTransactions)).toHaveLength(kept.length + 1);
  });

  it('goes on until nothing is left, in steps between which it can be stopped', async () => {
    const many = Array.from({ length: 700 }, (_, number) =>
      createTestOrder(number, { state: 'deposit_failed', updatedAt: 0 }),
    );
    await insertTestOrders(test.store, many);
    await test.store.db.update(orderTransactions).set({ outcome: 'expired' });
    let steps = 0;
    await test.orders.removeOld(DAY_MS + 1, () => steps++ >= 2);
    expect(await listKept(many)).toHaveLength(200);
    await test.orders.removeOld(DAY_MS + 1);
    expect(await listKept(many)).toEqual([]);
  });

  it('removes crafts from the time on that they name', async () => {
    const craft = {
      kind: 'deposit',
      wallet: 'w',
      orderId: null,
      message: '',
      lastValidBlockHeight: '1',
      terms: '{}',
      createdAt: 1,
    };
    const crafts = [10, 11].map((deleteAt) => ({
      ...craft,
      network: TEST_NETWORK,
      requestId: `until ${deleteAt}`,
      deleteAt,
    }));
    await test.store.db.insert(craftedTransactions).values(crafts);
    await test.orders.removeOld(10);
    expect(await test.store.db.select().from(craftedTransactions)).toMatchObject([{ requestId: 'until 11' }]);
  });

  async function setDeposit(orders: readonly WaitingOrder[], outcome: string): Promise<void> {
    const ids = orders.map(({ id }) => id);
    await test.store.db
      .update(orderTransactions)
      .set({ outcome })
      .where(inArray(orderTransactions.orderId, ids));
  }

  async function listKept(orders: readonly WaitingOrder[]): Promise<readonly string[]> {
    const rows = await test.store.db.select({ id: waitingOrders.id }).from(waitingOrders);
    const kept = new Set(rows.map(({ id }) => id));
    return orders.flatMap(({ id }) => (kept.has(id) ? [id] : []));
  }
});

const DAY_MS = 86_400_000;
