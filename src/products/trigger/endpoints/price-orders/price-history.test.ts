import { describe, expect, it } from 'vitest';
import { bps } from '../../../../solana/units.ts';
import { openForAll } from '../../../../testing/opened.ts';
import {
  authorizeWallet,
  createTestSignIn,
  openTriggerGateway,
} from '../../../../testing/products/trigger-gateway.ts';
import { numbered } from '../../../../testing/test-tokens.ts';
import {
  insertTestOrders,
  openTestOrders,
  TEST_NETWORK,
} from '../../../../testing/waiting-orders/test-order-store.ts';
import {
  createTestOrder,
  createTestTransaction,
  type SingleChanges,
} from '../../../../testing/waiting-orders/test-orders.ts';
import { OrderHistory } from '../../../../waiting-orders/store/order-history.ts';
import { toTransactionRow } from '../../../../waiting-orders/store/order-rows.ts';
import { orderTransactions } from '../../../../waiting-orders/store/order-tables.ts';
import type { OrderTransaction, WaitingOrder } from '../../../../waiting-orders/waiting-order.ts';

describe('GET /trigger/v2/orders/history', () => {
  const test = openForAll(openHistoryGateway, 'close');

  it('shows an open order without what only filled ones have', async () => {
    const { order, deposit } = await test.put({ slippageBps: bps(100), expiresAt: 1_795_000_000_000 });
    expect(await test.askOne(order)).toEqual({
      id: order.id,
      orderType: 'single',
      orderState: 'open',
      rawState: 'open',
      userPubkey: order.wallet,
      privyWalletPubkey: order.vault,
      inputMint: order.inputMint,
      initialInputAmount: '20000000',
      remainingInputAmount: '20000000',
      outputMint: order.outputMint,
      triggerMint: order.outputMint,
      triggerCondition: 'below',
      triggerPriceUsd: 1.5,
      slippageBps: 100,
      expiresAt: 1_795_000_000_000,
      createdAt: order.createdAt,
      updatedAt: order.updatedAt,
      trailingBps: null,
      highWatermark: null,
      lowWatermark: null,
      events: [
        {
          type: 'deposit',
          timestamp: deposit.endedAt,
          state: 'success',
          txSignature: deposit.signature,
          mint: order.inputMint,
          amount: '20000000',
        },
      ],
    });
  });

  it('shows what was filled, and every attempt, the oldest first', async () => {
    const { order } = await test.put(
      { remaining: 6_666_667n, received: 9n, triggeredAt: 77, transactions: 4 },
      [
        { outcome: 'failed', inputAmount: 20_000_000n, endedAt: 1_790_000_900_001 },
        { outcome: 'success', inputAmount: 13_333_333n, outputAmount: 9n, endedAt: 1_790_000_900_002 },
        { outcome: 'pending', inputAmount: 6_666_667n, createdAt: 1_790_000_900_003 },
      ],
    );
    const shown = await test.askOne(order);
    expect(shown).toMatchObject({
      initialInputAmount: '20000000',
      remainingInputAmount: '6666667',
      inputUsed: '13333333',
      outputAmount: '9',
      fillPercent: 0.666666,
      triggeredAt: 77,
    });
    const fill = {
      type: 'fill',
      mint: order.inputMint,
      outputMint: order.outputMint,
      orderContext: 'buy_below',
    };
    expect(shown.events.slice(1)).toEqual([
      {
        ...fill,
        timestamp: 1_790_000_900_001,
        state: 'failed',
        txSignature: expect.any(String),
        amount: '20000000',
      },
      {
        ...fill,
        timestamp: 1_790_000_900_002,
        state: 'success',
        txSignature: expect.any(String),
        amount: '13333333',
        outputAmount: '9',
      },
      {
        ...fill,
        timestamp: 1_790_000_900_003,
        state: 'pending',
        txSignature: expect.any(String),
        amount: '6666667',
      },
    ]);
  });

  it('says that an order is filled only when its last atom is', async () => {
    const nearly = await test.put({ remaining: 1n });
    expect(await test.askOne(nearly.order)).toMatchObject({ fillPercent: 0.999999 });
    const { order } = await test.put({ remaining: 0n, received: 5n, state: 'fill_success' });
    expect(await test.askOne(order)).toMatchObject({
      fillPercent: 1,
      orderState: 'filled',
      rawState: 'fill_success',
    });
  });

  it('shows that an order expired and was cancelled after that', async () => {
    const ended = { state: 'cancelled', expiredAt: 1_790_000_900_000, updatedAt: 1_790_000_900_009 } as const;
    const { order } = await test.put({ ...ended, transactions: 2 }, [
      { kind: 'withdrawal', outcome: 'expired', endedAt: 1_790_000_900_005 },
    ]);
    const shown = await test.askOne(order);
    expect(shown).toMatchObject({ orderState: 'cancelled', remainingInputAmount: '20000000' });
    expect(shown.events.slice(1)).toEqual([
      { type: 'expired', timestamp: 1_790_000_900_000, state: 'success' },
      {
        type: 'withdrawal',
        timestamp: 1_790_000_900_005,
        state: 'failed',
        txSignature: expect.any(String),
        mint: order.inputMint,
        amount: '20000000',
      },
      { type: 'cancelled', timestamp: 1_790_000_900_009, state: 'success' },
    ]);
  });

  it.each([
    ['depositing', 'pending', 'depositing'],
    ['executing', 'executing', 'executing'],
    ['ready_to_cancel', 'pending_withdraw', 'ready_to_cancel'],
    ['withdrawing', 'pending_withdraw', 'ready_to_cancel'],
    ['expired', 'expired', 'expired'],
    ['deposit_failed', 'failed', 'deposit_failed'],
  ] as const)('shows the state %s as %s, and its inner name %s', async (state, orderState, rawState) => {
    const { order } = await test.put({ state });
    expect(await test.askOne(order)).toMatchObject({ orderState, rawState });
  });

  it.each([
    ['inputMint', 'above', 'take_profit'],
    ['inputMint', 'below', 'stop_loss'],
    ['outputMint', 'above', 'buy_above'],
    ['outputMint', 'below', 'buy_below'],
  ] as const)(
    'calls an order on its %s that waits for a price %s %s',
    async (watched, condition, context) => {
      const mints = { inputMint: numbered(1), outputMint: numbered(2) };
      const { order } = await test.put(
        { ...mints, triggerMint: mints[watched], condition, transactions: 2 },
        [{}],
      );
      expect((await test.askOne(order)).events[1]).toMatchObject({ type: 'fill', orderContext: context });
    },
  );

  it('pages, filters and sorts, and repeats limit and offset', async () => {
    const wallet = test.newWallet();
    const put = (changes: Partial<WaitingOrder> & SingleChanges) => test.put({ wallet, ...changes });
    const one = await put({ updatedAt: 5, createdAt: 1 });
    const two = await put({ updatedAt: 4, createdAt: 2, state: 'expired', inputMint: numbered(3) });
    const three = await put({ updatedAt: 3, createdAt: 3, state: 'cancelled', outputMint: numbered(3) });
    const names = new Map([one, two, three].map(({ order }, index) => [order.id, index + 1]));
    const list = async (query: string) => {
      const { status, body } = await test.ask(wallet, `?${query}`);
      return [status, body.orders.map(({ id }: { id: string }) => names.get(id)), body.pagination];
    };
    const page = { total: 3, limit: 20, offset: 0 };
    expect(await list('')).toEqual([200, [1, 2, 3], page]);
    expect(await list('limit=1&offset=1')).toEqual([200, [2], { total: 3, limit: 1, offset: 1 }]);
    expect(await list('sort=created_at&dir=asc&limit=100')).toEqual([
      200,
      [1, 2, 3],
      { ...page, limit: 100 },
    ]);
    expect(await list('dir=asc')).toEqual([200, [3, 2, 1], page]);
    expect(await list('state=active')).toEqual([200, [1], { ...page, total: 1 }]);
    expect(await list('state=past')).toEqual([200, [2, 3], { ...page, total: 2 }]);
    expect(await list(`mint=${numbered(3)}&state=`)).toEqual([200, [2, 3], { ...page, total: 2 }]);
    expect(await list('offset=3')).toEqual([200, [], { ...page, offset: 3 }]);
  });

  it.each([
    ['limit=0', 'limit', 'limit must be a whole number from 1 to 100, got "0"'],
    ['limit=101', 'limit', 'limit must be a whole number from 1 to 100, got "101"'],
    ['limit=x', 'limit', 'limit must be a whole number from 1 to 100, got "x"'],
    ['offset=-1', 'offset', 'offset must be a whole number from 0 to 999999999, got "-1"'],
    ['mint=x', 'mint', 'mint must be an address: 32 bytes in base58, got "x"'],
    ['state=open', 'state', 'Invalid option: expected one of "active"|"past"'],
    ['sort=id', 'sort', 'Invalid option: expected one of "updated_at"|"created_at"|"expires_at"'],
    ['dir=up', 'dir', 'Invalid option: expected one of "asc"|"desc"'],
  ])('refuses %s', async (query, name, message) => {
    const { status, body } = await test.ask(test.newWallet(), `?${query}`);
    expect([status, body]).toEqual([
      400,
      { error: 'Request validation failed', details: { [name]: message } },
    ]);
  });
});

describe('GET /trigger/v2/orders/history/:id', () => {
  const test = openForAll(openHistoryGateway, 'close');

  it('shows the order as the list does', async () => {
    const { order } = await test.put({});
    const { status, body } = await test.ask(order.wallet, `/${order.id}`);
    expect([status, body]).toEqual([200, await test.askOne(order)]);
  });

  it('does not show the orders of others', async () => {
    const { order } = await test.put({});
    for (const [wallet, id] of [
      [test.newWallet(), order.id],
      [order.wallet, `${order.id}x`],
    ] as const) {
      const { status, body } = await test.ask(wallet, `/${id}`);
      expect([status, body]).toEqual([404, { error: 'Order not found' }]);
    }
  });
});

async function openHistoryGateway() {
  const test = await openTestOrders('sqlite');
  const history = new OrderHistory(test.store, TEST_NETWORK);
  const app = await openTriggerGateway({ signIn: createTestSignIn(test.store), history });
  let numbers = 0;
  const newWallet = () => numbered(5_000 + numbers++);
  const ask = async (wallet: WaitingOrder['wallet'], rest: string) => {
    const url = `/trigger/v2/orders/history${rest}`;
    const { statusCode, body } = await app.inject({
      url,
      headers: { authorization: await authorizeWallet(wallet) },
    });
    return { status: statusCode, body: JSON.parse(body) };
  };
  return {
    newWallet,
    ask,
    /** Stores an order of a wallet of its own, with a deposit and these further transactions. */
    put: async (
      changes: Partial<WaitingOrder> & SingleChanges,
      further: readonly Partial<OrderTransaction>[] = [],
    ) => {
      const order = createTestOrder(numbers, { wallet: newWallet(), ...changes });
      await insertTestOrders(test.store, [order]);
      const rows = further.map((each, index) =>
        toTransactionRow(createTestTransaction({ ...order, transactions: index + 2 }, each)),
      );
      if (rows.length > 0) await test.store.db.insert(orderTransactions).values(rows);
      const [deposit] = await test.orders.transactionsOf(order.id);
      return { order, deposit: deposit as OrderTransaction };
    },
    /** Returns the only order of its wallet, as the list shows it. */
    askOne: async ({ wallet }: WaitingOrder) => (await ask(wallet, '')).body.orders[0],
    close: async () => {
      await app.close();
      await test.cleanUp();
    },
  };
}
