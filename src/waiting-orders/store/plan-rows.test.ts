import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bps } from '../../solana/units.ts';
import { openForAll } from '../../testing/opened.ts';
import { assertProperty } from '../../testing/random.ts';
import { STORES } from '../../testing/store/test-store.ts';
import { numbered } from '../../testing/test-tokens.ts';
import { insertTestOrders, openTestOrders } from '../../testing/waiting-orders/test-order-store.ts';
import { createTestOrder } from '../../testing/waiting-orders/test-orders.ts';
import { createTrailingPlan } from '../legs.ts';
import { isRecurring, type OrderPlan, ORDER_LEGS, TRIGGER_CONDITIONS } from '../order-plan.ts';
import { NEVER, type WaitingOrder } from '../waiting-order.ts';
import { type OrderRow, readPlan, toPlanColumns } from './plan-rows.ts';
import { toOrderRow } from './order-rows.ts';
import { waitingOrders } from './order-tables.ts';

describe.each(STORES)('the rows of orders on %s', (kind) => {
  const test = openForAll(() => openTestOrders(kind), 'cleanUp');

  it('give back every plan and its progress as they were written, and a change writes all but the watermark', async () => {
    let number = 0;
    await assertProperty(
      fc.asyncProperty(fc.array(progressed, { minLength: 12, maxLength: 12 }), async (all) => {
        const orders = all.map((changes) => createTestOrder(++number, changes as Partial<WaitingOrder>));
        await insertTestOrders(test.store, orders);
        for (const order of orders) expect(await test.orders.get(order.id)).toEqual(order);
        const others = orders.map(
          (order, index) => ({ ...order, ...all.at(index - 1), revision: 2 }) as WaitingOrder,
        );
        // Together, so that they cost one commit.
        await Promise.all(
          orders.map(async (order, index) => {
            const other = others[index] as WaitingOrder;
            const plan = withWatermarkOf(order, other.plan);
            if (plan === null) return;
            expect(await test.orders.update(other, order.revision)).toBe(true);
            expect(await test.orders.get(order.id)).toEqual({ ...other, plan });
          }),
        );
      }),
      { cases: 50, short: 5, seed: 3_704, against: 'what was written' },
    );
  });

  it('of recurring orders are nothing without the progress of their rounds', async () => {
    const order = createTestOrder(900_001, { plan: ROUNDS, rounds: { filled: 1, nextAt: 5, lastAt: 4 } });
    await insertTestOrders(test.store, [order]);
    await test.store.db.update(waitingOrders).set({ nextFillAt: null }).where(eq(waitingOrders.id, order.id));
    await expect(test.orders.get(order.id)).rejects.toThrow(
      `the order ${order.id} has no progress of its rounds`,
    );
  });
});

describe('readPlan', () => {
  it.each([
    ['kind', 'triple', '"triple" is none of single, oco, otoco, time_based, price_conditional'],
    ['condition', 'beside', '"beside" is none of above, below'],
    ['condition', null, 'has no condition'],
    ['triggerMint', null, 'has no triggerMint'],
    ['triggerPrice', null, 'has no triggerPrice'],
    ['triggerPrice', 0, 'is 0'],
    ['triggerPrice', Number.NaN, 'is NaN'],
  ])('refuses a row whose %s is %s', (column, value, message) => {
    const row: OrderRow = { ...toOrderRow('a network', createTestOrder(1)), [column]: value };
    expect(() => readPlan(row)).toThrow(message);
  });

  it('reads rows of the version that had only single orders, whose other columns are empty', () => {
    const order = createTestOrder(1);
    const row = toOrderRow('a network', order);
    const { kind: _kind, ...columns } = toPlanColumns(order.plan);
    expect(readPlan({ ...row, ...columns, kind: 'single' })).toEqual(order.plan);
  });
});

const ROUNDS: OrderPlan = {
  kind: 'time_based',
  rounds: 3,
  intervalMs: 60_000,
  beginAt: 7,
  band: null,
  earnMint: null,
};

const price = fc.double({ min: 1e-12, max: 1e12, noNaN: true });
const slippageBps = fc.option(fc.integer({ min: 0, max: 10_000 }).map(bps));
const leg = fc.record({ triggerPrice: price, slippageBps });
const mint = fc.nat(1_000).map((number) => numbered(6_000_000 + number));
const condition = fc.constantFrom(...TRIGGER_CONDITIONS);
const exits = { takeProfit: leg, stopLoss: leg };
const trailing = fc.record({ bps: fc.integer({ min: 50, max: 9_000 }).map(bps), watermark: price });
const round = {
  rounds: fc.integer({ min: 2, max: 1e9 }),
  intervalMs: fc.integer({ min: 60_000, max: 31_536_000_000 }),
  beginAt: fc.nat(2 ** 45),
};
const bound = fc.option(price);
const band = fc
  .record({ triggerMint: mint, minPrice: bound, maxPrice: bound })
  .filter(({ minPrice, maxPrice }) => minPrice !== null || maxPrice !== null);

const plan: fc.Arbitrary<OrderPlan> = fc.oneof(
  fc.record({ triggerMint: mint, condition, leg }).map(({ leg: priced, ...watched }) => ({
    kind: 'single' as const,
    ...watched,
    ...priced,
    trailing: null,
  })),
  fc
    .record({ triggerMint: mint, condition, slippageBps, trailing })
    .map(({ trailing: distance, ...watched }) => createTrailingPlan(watched, distance)),
  fc.record({ kind: fc.constant('oco' as const), triggerMint: mint, ...exits }),
  fc
    .record({ triggerMint: mint, condition, leg, outputAccount: mint, ...exits })
    .map(({ leg: priced, ...given }) => ({ kind: 'otoco' as const, ...given, ...priced })),
  fc.record({
    kind: fc.constant('time_based' as const),
    ...round,
    band: fc.constant(null),
    earnMint: fc.option(mint),
  }),
  fc.record({ kind: fc.constant('price_conditional' as const), ...round, band, earnMint: fc.constant(null) }),
);

const atoms = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const time = fc.nat(2 ** 45);
const progressed = fc
  .record({
    plan,
    remaining: atoms,
    received: atoms,
    bought: atoms,
    unsold: atoms,
    filledBy: fc.option(fc.constantFrom(...ORDER_LEGS)),
    filled: fc.nat(100),
    nextAt: time,
    lastAt: fc.option(time),
  })
  .map(({ filled, nextAt, lastAt, ...changes }) => ({
    ...changes,
    rounds: isRecurring(changes.plan) ? { filled, nextAt, lastAt } : null,
    ...(isRecurring(changes.plan) ? { expiresAt: NEVER } : {}),
  }));

/** Returns the plan with the watermark of the order that is stored; null where the two differ in having one. */
function withWatermarkOf({ plan: stored }: WaitingOrder, next: OrderPlan): OrderPlan | null {
  const old = stored.kind === 'single' ? stored.trailing : null;
  const given = next.kind === 'single' ? next.trailing : null;
  if (old === null && given === null) return next;
  if (old === null || given === null || next.kind !== 'single') return null;
  return createTrailingPlan(next, { ...given, watermark: old.watermark });
}
