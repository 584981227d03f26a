import { and, eq } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { openForAll } from '../../testing/opened.ts';
import { STORES } from '../../testing/store/test-store.ts';
import { numbered } from '../../testing/test-tokens.ts';
import {
  insertTestOrders,
  openTestOrders,
  TEST_NETWORK,
} from '../../testing/waiting-orders/test-order-store.ts';
import { createTestOrder, createTestTransaction } from '../../testing/waiting-orders/test-orders.ts';
import type { OrderTransaction } from '../waiting-order.ts';
import { OrderRowReader } from './order-row-reader.ts';
import { OrderHistory, type OrderHistoryQuery } from './order-history.ts';
import { toTransactionRow } from './order-rows.ts';
import { orderTransactions, waitingOrders } from './order-tables.ts';

describe.each(STORES)('OrderHistory on %s', (kind) => {
  const test = openForAll(() => openTestOrders(kind), 'cleanUp');

  it('pages through the history of one wallet, in each order and with each filter', async () => {
    const wallet = numbered(7_000_001);
    const other = numbered(7_000_002);
    const states = [
      'open',
      'expired',
      'fill_success',
      'ready_to_cancel',
      'cancelled',
      'deposit_failed',
    ] as const;
    const all = states.map((state, index) =>
      createTestOrder(index, {
        wallet,
        state,
        createdAt: 10 + index,
        updatedAt: 50 - index,
        expiresAt: 100 + ((index * 3) % 5),
        ...(index < 2 ? { inputMint: other } : index === 2 ? { outputMint: other } : {}),
      }),
    );
    await insertTestOrders(test.store, all);
    const history = new OrderHistory(test.store, TEST_NETWORK);
    const query: OrderHistoryQuery = {
      wallet,
      family: 'price',
      state: null,
      mint: null,
      sort: 'updated_at',
      direction: 'desc',
      limit: 100,
      offset: 0,
    };
    const list = async (changes: Partial<OrderHistoryQuery>) => {
      const { total, orders } = await history.list({ ...query, ...changes });
      return [total, orders.map(({ order }) => all.findIndex(({ id }) => id === order.id))];
    };
    expect(await list({})).toEqual([6, [0, 1, 2, 3, 4, 5]]);
    expect(await list({ limit: 2, offset: 1 })).toEqual([6, [1, 2]]);
    expect(await list({ direction: 'asc', limit: 1 })).toEqual([6, [5]]);
    expect(await list({ sort: 'created_at' })).toEqual([6, [5, 4, 3, 2, 1, 0]]);
    expect(await list({ sort: 'expires_at', direction: 'asc' })).toEqual([6, [0, 5, 2, 4, 1, 3]]);
    expect(await list({ state: 'active' })).toEqual([2, [0, 3]]);
    expect(await list({ state: 'past' })).toEqual([4, [1, 2, 4, 5]]);
    expect(await list({ mint: other })).toEqual([3, [0, 1, 2]]);
    expect(await list({ mint: other, state: 'past', limit: 1 })).toEqual([2, [1]]);
    expect(await list({ wallet: other })).toEqual([0, []]);
  });

  it('shows the deposit and the newest other transactions, and an order to nobody but its wallet', async () => {
    const history = new OrderHistory(test.store, TEST_NETWORK);
    const wallet = numbered(7_000_010);
    const order = createTestOrder(20, { wallet, transactions: 62 });
    const other = createTestOrder(21, { wallet, updatedAt: order.updatedAt + 1 });
    const foreign = createTestOrder(22, { wallet });
    await insertTestOrders(test.store, [order, other]);
    await insertTestOrders(test.store, [foreign], 'another-network');
    const fills = Array.from({ length: 61 }, (_, index) =>
      createTestTransaction({ ...order, transactions: index + 2 }),
    );
    await test.store.db.insert(orderTransactions).values(fills.map(toTransactionRow));
    const deposit = createTestTransaction(
      { ...order, transactions: 1 },
      { outcome: 'success', endedAt: order.createdAt },
    );
    const query = {
      family: 'price',
      wallet,
      state: null,
      mint: null,
      sort: 'updated_at',
      direction: 'desc',
      limit: 9,
      offset: 0,
    } as const;
    const page = await history.list(query);
    expect(page.total).toBe(2);
    expect(page.orders.map((each) => each.order)).toEqual([other, order]);
    expect(page.orders[1]?.transactions).toEqual([deposit, ...fills.slice(-50)].map(withoutBytes));
    expect(await history.find(wallet, order.id, 'price')).toEqual({
      order,
      transactions: [deposit, ...fills].map(withoutBytes),
    });
    expect(await history.find(numbered(7_000_011), order.id, 'price')).toBeNull();
    expect(await history.find(wallet, foreign.id, 'price')).toBeNull();
    expect(await history.find(wallet, 'x', 'price')).toBeNull();
    expect(await history.find(wallet, '\0', 'price')).toBeNull();
  });

  it('lists and finds orders of one family, recurring ones also by their next round', async () => {
    const history = new OrderHistory(test.store, TEST_NETWORK);
    const wallet = numbered(7_000_020);
    const rounds = { rounds: 2, intervalMs: 60_000, beginAt: 1, band: null, earnMint: null } as const;
    const price = createTestOrder(30, { wallet });
    const recurring = [9, 5, 7].map((nextAt, index) =>
      createTestOrder(31 + index, {
        wallet,
        plan: { kind: 'time_based', ...rounds },
        rounds: { filled: 0, nextAt, lastAt: null },
      }),
    );
    const [one] = recurring;
    await insertTestOrders(test.store, [price, ...recurring]);
    const query = { wallet, state: null, mint: null, direction: 'asc', limit: 9, offset: 0 } as const;
    const prices = await history.list({ ...query, family: 'price', sort: 'updated_at' });
    expect([prices.total, prices.orders.map(({ order }) => order)]).toEqual([1, [price]]);
    const due = await history.list({ ...query, family: 'recurring', sort: 'next_fill_at' });
    expect(due.total).toBe(3);
    expect(due.orders.map(({ order }) => order.rounds?.nextAt)).toEqual([5, 7, 9]);
    expect((await history.find(wallet, one?.id ?? '', 'recurring'))?.order).toEqual(one);
    expect(await history.find(wallet, one?.id ?? '', 'price')).toBeNull();
    expect(await history.find(wallet, price.id, 'recurring')).toBeNull();
  });

  it('leaves an order out whose row cannot be read, and reports it once', async () => {
    const onUnreadable = vi.fn();
    const history = new OrderHistory(test.store, TEST_NETWORK, new OrderRowReader(onUnreadable));
    const wallet = numbered(7_000_030);
    const [damaged, whole] = [createTestOrder(40, { wallet }), createTestOrder(41, { wallet })];
    await insertTestOrders(test.store, [damaged, whole]);
    await test.store.db.update(waitingOrders).set({ state: 'lost' }).where(eq(waitingOrders.id, damaged.id));
    const query = { wallet, state: null, mint: null, sort: 'updated_at', direction: 'asc' } as const;
    for (let times = 0; times < 2; times++) {
      const page = await history.list({ ...query, family: 'price', limit: 9, offset: 0 });
      expect([page.total, page.orders.map(({ order }) => order)]).toEqual([2, [whole]]);
    }
    expect(await history.find(wallet, damaged.id, 'price')).toBeNull();
    expect(onUnreadable.mock.calls).toEqual([[damaged.id, expect.any(Error)]]);
  });

  it('shows an order without a transaction whose row cannot be read', async () => {
    const onUnreadable = vi.fn();
    const history = new OrderHistory(test.store, TEST_NETWORK, new OrderRowReader(onUnreadable));
    const wallet = numbered(7_000_040);
    const order = createTestOrder(50, { wallet, transactions: 4 });
    await insertTestOrders(test.store, [order]);
    const fills = [2, 3, 4].map((transactions) => createTestTransaction({ ...order, transactions }));
    await test.store.db.insert(orderTransactions).values(fills.map(toTransactionRow));
    const change = (number: number, columns: Partial<typeof orderTransactions.$inferInsert>) =>
      test.store.db
        .update(orderTransactions)
        .set(columns)
        .where(and(eq(orderTransactions.orderId, order.id), eq(orderTransactions.number, number)));
    await change(2, { inputAmount: 'some' });
    await change(3, { outcome: 'lost' });
    const found = await history.find(wallet, order.id, 'price');
    expect(found?.transactions.map(({ number }) => number)).toEqual([1, 4]);
    expect(onUnreadable.mock.calls).toEqual([[order.id, expect.any(Error)]]);
  });
});

function withoutBytes({ wire: _wire, lastValidBlockHeight: _height, ...shown }: OrderTransaction) {
  return shown;
}
