import type { FastifyInstance } from 'fastify';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AS_OPERATOR, OPERATOR_CREDENTIAL } from '../../../testing/gateway/admin-credential.ts';
import { openForEach } from '../../../testing/opened.ts';
import { openTestPlatform } from '../../../testing/platform/test-platform.ts';
import { DEFAULT_BOUNDS } from '../../../testing/server-bounds.ts';
import {
  createOpenOrder,
  insertStoredOrder,
  ORDER_WALLET,
} from '../../../testing/waiting-orders/stored-order.ts';
import { TEST_NETWORK } from '../../../testing/waiting-orders/test-order-store.ts';
import { OrderRowReader } from '../../../waiting-orders/store/order-row-reader.ts';
import { orderTransactions, waitingOrders } from '../../../waiting-orders/store/order-tables.ts';
import type { OrderTransaction, WaitingOrder } from '../../../waiting-orders/waiting-order.ts';
import { createLogger } from '../../http/log/log.ts';
import { createInProcessLimiter } from '../../limits/rate-limiter.ts';
import { closeServer } from '../../server/server.ts';
import { createAdminServer } from '../server.ts';

const onUnreadable = vi.fn();
/** What the clock of the orders says, in Unix milliseconds. That of the database is another one. */
let now: number;
let app: FastifyInstance;
const platform = openForEach(openTestPlatform, 'cleanUp');
beforeEach(async () => {
  now = 1_790_000_000_000;
  onUnreadable.mockReset();
  app = await openServer();
});
afterEach(() => closeServer(app));

describe('the orders that wait', () => {
  it('are listed with the price now, and why each is not filled', async () => {
    await insert(createOpenOrder(1), createOpenOrder(2, { waitsFor: 'gas', failures: 2 }));
    const { status, body } = await get('waiting-orders');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      orders: [
        { waitsFor: 'gas', failures: 2, price: 220, inputAmount: '1000000000', keeper: null },
        { waitsFor: null, explanation: 'its price is reached, and a keeper is about to fill it' },
      ],
      next: null,
    });
  });

  it.each([
    ['', [6, 4, 3, 2, 1]],
    ['?state=fill_success', [5]],
    ['?waitsFor=price', [3]],
    ['?mint=JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN', [4]],
    [`?wallet=${ORDER_WALLET}`, [6, 4, 3, 2, 1]],
    ['?wallet=Vote111111111111111111111111111111111111111', []],
    ['?state=open&waitsFor=gas', [2]],
  ])('are selected by %j', async (query, numbers) => {
    await insert(
      createOpenOrder(1, { state: 'expired' }),
      createOpenOrder(2, { waitsFor: 'gas' }),
      createOpenOrder(3, { waitsFor: 'price' }),
      createOpenOrder(4, { outputMint: 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN' as never }),
      createOpenOrder(5, { state: 'fill_success' }),
      createOpenOrder(6, { state: 'executing' }),
    );
    const { body } = await get(`waiting-orders${query}`);
    expect(body.orders.map(({ id }: WaitingOrder) => id)).toEqual(
      numbers.map((one) => createOpenOrder(one).id),
    );
  });

  it('are paged by a cursor', async () => {
    await insert(...[1, 2, 3, 4, 5].map((number) => createOpenOrder(number)));
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Answer = await get(`waiting-orders?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...page.body.orders.map(({ id }: WaitingOrder) => id));
      cursor = page.body.next;
    }
    expect(seen).toEqual([5, 4, 3, 2, 1].map((number) => createOpenOrder(number).id));
  });

  it('are listed without one whose row cannot be read, which is reported', async () => {
    await insert(...[1, 2, 3].map((number) => createOpenOrder(number)));
    const { id } = createOpenOrder(2);
    await changeRow(2, { condition: 'beside' });
    const { status, body } = await get('waiting-orders?limit=2');
    expect(status).toBe(200);
    expect(body.orders.map((order: WaitingOrder) => order.id)).toEqual(
      [3, 1].map((one) => createOpenOrder(one).id),
    );
    expect(body.next).toBeNull();
    expect(onUnreadable.mock.calls).toEqual([[id, expect.any(Error)]]);
  });

  it('are listed without one that no answer can show, because a time of it is none', async () => {
    await insert(...[1, 2, 3].map((number) => createOpenOrder(number)));
    await changeRow(1, { expiresAt: 9e15, retryAt: 9e15, waitsFor: 'gas' });
    await changeRow(2, { nextFillAt: Number.MAX_SAFE_INTEGER, createdAt: Number.MAX_SAFE_INTEGER });
    const { status, body } = await get('waiting-orders');
    expect([status, body.orders.map(({ id }: WaitingOrder) => id)]).toEqual([200, [createOpenOrder(3).id]]);
    expect(onUnreadable).toHaveBeenCalledTimes(2);
  });

  it('are those of the network of this gateway, and not of another one on the same database', async () => {
    await insert(createOpenOrder(1), createOpenOrder(2));
    await changeRow(1, { network: 'another network' });
    expect((await get('waiting-orders')).body.orders).toMatchObject([{ id: createOpenOrder(2).id }]);
    expect((await get(`waiting-orders/${createOpenOrder(1).id}`)).status).toBe(404);
    expect((await get(`waiting-orders/${createOpenOrder(2).id}`)).status).toBe(200);
  });

  it('are judged by the clock of the orders, which may be ahead of that of the database', async () => {
    const order = createOpenOrder(1, { waitsFor: 'gas', retryAt: now + 8_000, expiresAt: now + 60_000 });
    await insert(order);
    const explain = async () => {
      const { body } = await get(`waiting-orders/${order.id}`);
      const listed = (await get('waiting-orders')).body.orders[0];
      expect(listed).toEqual(body.order);
      return [listed.explanation, listed.retryAt];
    };
    now = order.createdAt;
    expect(await explain()).toEqual([expect.stringContaining('; the next attempt is at'), order.retryAt]);
    now = order.retryAt;
    expect(await explain()).toEqual([expect.not.stringContaining('next attempt'), null]);
    now = order.expiresAt;
    expect(await explain()).toEqual(['its time is over, and it is about to be marked as expired', null]);
  });

  it('say why one that is asked for cannot be read, and leave out transactions that cannot', async () => {
    const [order, broken] = [createOpenOrder(1), createOpenOrder(2)];
    await insertStoredOrder(platform.store.db, order, [{}, { kind: 'fill' }, { kind: 'fill' }]);
    await insert(broken);
    await changeRow(2, { condition: 'beside' });
    await platform.store.db
      .update(orderTransactions)
      .set({ inputAmount: 'all' })
      .where(eq(orderTransactions.number, 2));
    const { status, body } = await get(`waiting-orders/${order.id}`);
    expect([status, body.transactions.map(({ number }: OrderTransaction) => number)]).toEqual([200, [3, 1]]);
    expect(onUnreadable.mock.calls).toEqual([[order.id, expect.any(Error)]]);
    const refused = await get(`waiting-orders/${broken.id}`);
    expect([refused.status, refused.body.error]).toEqual([
      409,
      `the order ${broken.id} cannot be read: "beside" is none of above, below`,
    ]);
  });

  it('show their transactions, their keeper, and the next attempt', async () => {
    const order = createOpenOrder(1, {
      waitsFor: 'price',
      retryAt: 1_790_000_060_000,
      leaseHolder: 'keeper-1',
      leaseUntil: 1_790_000_060_000,
    });
    await insertStoredOrder(platform.store.db, order, [
      {},
      { kind: 'fill', outcome: 'failed', triggeredPrice: 211, endedAt: 1_790_000_000_500 },
    ]);
    const { body } = await get(`waiting-orders/${order.id}`);
    expect(body).toMatchObject({
      order: { id: order.id, keeper: 'keeper-1', keeperUntil: order.leaseUntil, retryAt: order.retryAt },
      transactions: [
        { number: 2, kind: 'fill', outcome: 'failed', triggeredPrice: 211, outputAmount: null },
        { number: 1, kind: 'deposit', outcome: 'success', triggeredPrice: null, endedAt: null },
      ],
    });
    // The signed bytes could be sent by whoever reads them.
    expect(body.transactions[0]).not.toHaveProperty('wire');
  });

  it('are shown to the operator alone', async () => {
    for (const path of ['waiting-orders', 'waiting-orders/x'])
      expect((await get(path, {})).status, path).toBe(401);
  });

  it.each([
    ['waiting-orders?wallet=%00', 400],
    ["waiting-orders?mint=' or '1'='1", 400],
    ['waiting-orders?state=filled', 400],
    ['waiting-orders?waitsFor=luck', 400],
    ['waiting-orders?limit=100000', 400],
    ['waiting-orders?cursor=x', 400],
    [`waiting-orders?cursor=${Buffer.from('["\\u0000"]').toString('base64url')}`, 400],
    ['waiting-orders/%00', 400],
    ['waiting-orders/nothing', 404],
  ])('refuse %s', async (path, status) => {
    expect((await get(path.replaceAll(' ', '%20'))).status).toBe(status);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes.
type Answer = { readonly status: number; readonly body: any };

function openServer(): Promise<FastifyInstance> {
  return createAdminServer({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('silent', { write: () => {} }),
    readiness: [],
    network: null,
    platform,
    limiter: createInProcessLimiter(),
    waitingOrders: {
      store: platform.store,
      orders: {
        network: TEST_NETWORK,
        rows: new OrderRowReader(onUnreadable),
        now: async () => now,
      },
      priceOf: () => 220,
    },
    production: true,
    credential: OPERATOR_CREDENTIAL,
  });
}

async function get(path: string, headers: Record<string, string> = AS_OPERATOR): Promise<Answer> {
  const answer = await app.inject({ method: 'GET', url: `/admin/v1/${path}`, headers });
  return { status: answer.statusCode, body: answer.json() };
}

async function insert(...orders: readonly WaitingOrder[]): Promise<void> {
  for (const order of orders) await insertStoredOrder(platform.store.db, order);
}

/** Writes into the row of an order what this program would not. */
async function changeRow(number: number, columns: Partial<typeof waitingOrders.$inferInsert>): Promise<void> {
  await platform.store.db
    .update(waitingOrders)
    .set(columns)
    .where(eq(waitingOrders.id, createOpenOrder(number).id));
}
