import { describe, expect, it } from 'vitest';
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
import { OrderHistory, type OrderHistoryQuery } from './order-history.ts';
import { toTransactionRow } from './order-rows.ts';
import { orderTransactions } from './order-tables.ts';

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
});

function withoutBytes({ wire: _wire, lastValidBlockHeight: _height, ...shown }: OrderTransaction) {
  return shown;
}
