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
import { OrderRowReader } from '../../../waiting-orders/store/order-row-reader.ts';
import { waitingOrders } from '../../../waiting-orders/store/order-tables.ts';
import type { WaitingOrder } from '../../../waiting-orders/waiting-order.ts';
import { createLogger } from '../../http/log/log.ts';
import { createInProcessLimiter } from '../../limits/rate-limiter.ts';
import { closeServer } from '../../server/server.ts';
import { createAdminServer } from '../server.ts';

const onUnreadable = vi.fn();
let app: FastifyInstance;
const platform = openForEach(openTestPlatform, 'cleanUp');
beforeEach(async () => {
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
    await platform.store.db
      .update(waitingOrders)
      .set({ condition: 'beside' })
      .where(eq(waitingOrders.id, id));
    const { status, body } = await get('waiting-orders?limit=2');
    expect(status).toBe(200);
    expect(body.orders.map((order: WaitingOrder) => order.id)).toEqual(
      [3, 1].map((one) => createOpenOrder(one).id),
    );
    expect(body.next).toBeNull();
    expect(onUnreadable.mock.calls).toEqual([[id, expect.any(Error)]]);
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
      store: { ...platform.store, now: async () => 1_790_000_000_000 },
      rows: new OrderRowReader(onUnreadable),
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
