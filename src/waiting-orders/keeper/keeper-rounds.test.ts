import { describe, expect, it } from 'vitest';
import { CountedMetrics } from '../../testing/counted-metrics.ts';
import { openForAll } from '../../testing/opened.ts';
import { openTestStore } from '../../testing/store/test-store.ts';
import {
  KeeperWorld,
  PAID,
  ROUND_INTERVAL_MS,
  SOLD,
  STEP_MS,
} from '../../testing/waiting-orders/keeper-world.ts';
import { createTestOrder, createTestTransaction } from '../../testing/waiting-orders/test-orders.ts';
import type { RecurringPlan } from '../order-plan.ts';
import type { WaitingOrder } from '../waiting-order.ts';
import { ROUND_MS } from './order-keeper.ts';

describe('OrderKeeper with recurring orders', () => {
  const { store } = openForAll(() => openTestStore('sqlite'), 'cleanUp');

  it('begins a round within half a second, and the next one an interval and a random delay later', async () => {
    const world = new KeeperWorld(store);
    world.random = 0.5;
    const begun = world.timers.now() + 2_000;
    const order = await world.newOrderOf('time_based', dueAt(begun));
    world.start();
    await passTo(world, begun - 1);
    expect(await world.orders.get(order.id)).toMatchObject({ state: 'open', transactions: 1 });
    await passTo(world, begun + ROUND_MS);
    const filled = await world.runUntil(order.id, ({ rounds }) => rounds?.filled === 1);
    const [fill] = await world.orders.transactionsOf(order.id);
    expect(fill).toMatchObject({ leg: 'round', round: 1, inputAmount: SOLD, triggeredPrice: null });
    expect((fill?.createdAt ?? 0) - begun).toBeLessThanOrEqual(ROUND_MS);
    // A twentieth of the interval at most.
    expect(filled.rounds?.nextAt).toBe((fill?.endedAt ?? 0) + 1.025 * ROUND_INTERVAL_MS);
    const ended = await world.runUntil(order.id, ({ state }) => state === 'fill_success');
    expect(ended).toMatchObject({ remaining: 0n, received: 3n * PAID, rounds: { filled: 3 } });
    expect(world.fillsOf(order)).toBe(3n);
    await world.close();
  });

  it('waits for the prices of a round within its time, writes that once, and then puts it off', async () => {
    const world = new KeeperWorld(store);
    world.price = 2;
    const order = await world.newOrderOf('price_conditional');
    const { rounds } = order;
    world.start();
    const waiting = await world.runUntil(order.id, ({ waitsFor }) => waitsFor === 'band');
    for (let step = 0; step < 3; step++) await world.pass();
    expect((await world.orders.get(order.id))?.revision).toBe(waiting.revision);
    const missed = await world.runUntil(order.id, ({ waitsFor }) => waitsFor === null);
    expect(missed.rounds).toEqual({ ...rounds, nextAt: (rounds?.nextAt ?? 0) + ROUND_INTERVAL_MS });
    world.price = 1;
    const filled = await world.runUntil(order.id, ({ rounds }) => rounds?.filled === 1);
    expect(await world.orders.transactionsOf(filled.id)).toMatchObject([{ triggeredPrice: 1 }]);
    await world.close();
  });

  it('is put off by whole milliseconds, whatever the interval', async () => {
    const world = new KeeperWorld(store);
    const { plan, ...order } = manyRounds(world);
    const oddly = { ...plan, intervalMs: 61_000 } as RecurringPlan;
    const { id } = await world.newOrderOf('time_based', { ...order, plan: oddly });
    world.refusePlan = () => 'route';
    world.start();
    const times = new Set<number>();
    await world.runUntil(id, ({ retryAt }) => times.add(retryAt).size > 4);
    expect([...times].filter((at) => !Number.isInteger(at))).toEqual([]);
    await world.close();
  });

  it('fills a round soon after its price has come, however long it has waited', async () => {
    const world = new KeeperWorld(store);
    world.price = 2;
    const { plan, ...order } = await world.newOrderOf('price_conditional', priced(world));
    world.start();
    for (let step = 0; step < 67; step++) await world.pass();
    expect(await world.orders.get(order.id)).toMatchObject({ plan, waitsFor: 'band', transactions: 1 });
    world.price = 1;
    for (let step = 0; step < 5; step++) await world.pass();
    expect(await world.orders.get(order.id)).toMatchObject({ rounds: { filled: 1 } });
    await world.close();
  });

  it('counts each round that was filled once, and each that was missed by what it waited for last', async () => {
    const world = new KeeperWorld(store);
    const metrics = new CountedMetrics();
    world.metrics = metrics;
    await world.removeOrders();
    const missed = () => metrics.countsOf('sluice_waiting_orders_rounds_missed_total');
    const filled = () => metrics.countsOf('sluice_waiting_orders_rounds_filled_total');
    const late = await world.newOrderOf('time_based');
    world.timers.advance(ROUND_INTERVAL_MS);
    world.start();
    await world.runUntil(late.id, hasNextRound(late));
    expect([missed(), filled()]).toEqual([{ late: 1 }, {}]);
    await world.runUntil(late.id, ({ state }) => state === 'fill_success');
    expect([missed(), filled()]).toEqual([{ late: 1 }, { '': 3 }]);
    world.price = 2;
    const outside = await world.newOrderOf('price_conditional');
    await world.runUntil(outside.id, hasNextRound(outside));
    world.price = 1;
    world.refusePlan = () => 'route';
    const unroutable = await world.newOrderOf('time_based');
    await world.runUntil(unroutable.id, hasNextRound(unroutable));
    expect(missed()).toMatchObject({ late: 1, band: 1, route: expect.any(Number) });
    world.refusePlan = () => null;
    for (const { id } of [outside, unroutable])
      await world.runUntil(id, ({ state }) => state === 'fill_success');
    expect(filled()).toEqual({ '': 9 });
    await world.close();
    await world.removeOrders();
  });

  it('counts a round as put off by the clock when that was put back', async () => {
    const world = new KeeperWorld(store);
    const metrics = new CountedMetrics();
    world.metrics = metrics;
    const order = await world.newOrderOf('time_based');
    const { rounds, plan } = order;
    const ahead = (rounds?.nextAt ?? 0) + 10 * ROUND_INTERVAL_MS;
    await world.removeOrders();
    const { id } = await world.newOrder({
      ...order,
      rounds: { filled: 1, nextAt: ahead, lastAt: ahead },
      plan,
    });
    world.start();
    await world.runUntil(id, (each) => each.rounds?.nextAt !== ahead);
    expect(metrics.countsOf('sluice_waiting_orders_rounds_missed_total')).toEqual({ clock: 1 });
    await world.close();
    await world.removeOrders();
  });

  it('counts the round of a fill that another keeper has left', async () => {
    const world = new KeeperWorld(store);
    const metrics = new CountedMetrics();
    world.metrics = metrics;
    await world.removeOrders();
    const leaseUntil = world.timers.now() + 1;
    const left = { state: 'executing', leaseHolder: 'one that was killed', leaseUntil } as const;
    const order = await world.newOrderOf('time_based', { ...left, filledBy: 'round' });
    const signed = world.signFill(order);
    const lastValidBlockHeight = world.chain.lastValidHeight();
    const fill = { ...signed, kind: 'fill', leg: 'round', round: 1, lastValidBlockHeight } as const;
    await world.insertTransaction(createTestTransaction(order, fill));
    world.start();
    await world.runUntil(order.id, (each) => each.rounds?.filled === 1);
    expect(metrics.countsOf('sluice_waiting_orders_rounds_filled_total')).toEqual({ '': 1 });
    await world.close();
    await world.removeOrders();
  });

  it('fills what is still due after hours of downtime, and puts off what was missed on its own grid', async () => {
    const world = new KeeperWorld(store);
    const begun = world.timers.now();
    const orders = [];
    for (let at = 0; at < 120; at++) orders.push(await world.newOrderOf('time_based', hourly(begun, at)));
    world.timers.advance(5 * HOUR_MS);
    const restarted = world.timers.now();
    world.start();
    const delays = [];
    for (const order of orders) {
      const { id, rounds: before } = order;
      const { rounds } = await world.runUntil(id, (each) => (each.rounds?.nextAt ?? 0) > restarted);
      const isDue = (before?.nextAt ?? 0) > restarted - HOUR_MS / 2;
      expect([rounds?.filled, world.fillsOf(order)]).toEqual(isDue ? [1, 1n] : [0, 0n]);
      const delay = (rounds?.nextAt ?? 0) - (before?.nextAt ?? 0);
      if (!isDue) delays.push([delay % HOUR_MS, (rounds?.nextAt ?? 0) - restarted <= HOUR_MS]);
    }
    expect(delays).toEqual(Array(109).fill([0, true]));
    await world.close();
  });

  it('lets prices and rounds take turns when hundreds of rounds are due', async () => {
    const world = new KeeperWorld(store);
    world.price = 2;
    const planned: string[] = [];
    world.refusePlan = ({ id }) => {
      if (planned.push(id) === 50) world.setPrice(1);
      return 'route';
    };
    const priced = await world.newOrder();
    for (let at = 0; at < 300; at++) await world.newOrderOf('time_based');
    world.start();
    await world.pass();
    expect(new Set(planned).size).toBe(301);
    expect(planned.indexOf(priced.id)).toBeLessThan(100);
    await world.close();
    await world.removeOrders();
  });

  it('fills no order twice within its interval when the clock of the store jumps, and goes on when it was put back', async () => {
    const world = new KeeperWorld(store);
    const orders = [];
    for (let at = 0; at < 3; at++) orders.push(await world.newOrderOf('time_based', manyRounds(world)));
    // Time and every jump forward count, and no jump back.
    let passed = 0;
    const plans = new Map<string, number[]>();
    let stretch = 0;
    const filled = new Set<string>();
    world.refusePlan = ({ id }) => {
      const own = plans.get(id) ?? [];
      plans.set(id, [...own, passed]);
      filled.add(`${id} ${stretch}`);
      return null;
    };
    for (let keepers = 0; keepers < 2; keepers++) world.start();
    for (const ahead of [0, 10 * HOUR_MS, HOUR_MS, 11 * HOUR_MS, 0, 30 * 24 * HOUR_MS, 0]) {
      passed += Math.max(0, ahead - world.storeAhead);
      world.storeAhead = ahead;
      stretch++;
      for (let step = 0; step < 40; step++) {
        passed += STEP_MS;
        await world.pass();
      }
    }
    for (const order of orders) {
      const times = plans.get(order.id) ?? [];
      expect(world.paidBy(order.account)).toBe(SMALL * BigInt(times.length));
      const apart = times.slice(1).map((time, at) => time - (times[at] ?? 0));
      expect(Math.min(...apart)).toBeGreaterThanOrEqual(ROUND_INTERVAL_MS);
    }
    // Every order has a round in each stretch of 200 seconds.
    expect(filled.size).toBe(7 * orders.length);
    await world.close();
  });
});

/** Whether a round was put off, or the next one came. */
function hasNextRound({ rounds: before }: WaitingOrder): (order: WaitingOrder) => boolean {
  return ({ rounds }) => rounds?.nextAt !== before?.nextAt;
}

const HOUR_MS = 3_600_000;
/** Lamports of a small round. */
const SMALL = 100_000n;

/** An order of one round an hour, between two prices. */
function priced(world: KeeperWorld): Partial<WaitingOrder> {
  const begun = world.timers.now();
  const { plan } = hourly(begun, 0);
  const { outputMint: triggerMint } = createTestOrder(0);
  const band = { triggerMint, minPrice: 0.5, maxPrice: 1.5 };
  if (plan === undefined) throw new Error('the order has no plan');
  return { ...dueAt(begun), plan: { ...plan, kind: 'price_conditional', band } as RecurringPlan };
}

/** An order of more rounds than a test lets pass. */
function manyRounds(world: KeeperWorld): Partial<WaitingOrder> {
  const now = world.timers.now();
  const plan: RecurringPlan = {
    kind: 'time_based',
    rounds: 40,
    intervalMs: ROUND_INTERVAL_MS,
    beginAt: now,
    band: null,
    earnMint: null,
  };
  return { ...dueAt(now), plan, inputAmount: SMALL * 40n };
}

function dueAt(at: number): Partial<WaitingOrder> {
  return { rounds: { filled: 0, nextAt: at, lastAt: null } };
}

/** An order of one round an hour: 120 of them begin within five hours. */
function hourly(begun: number, number: number): Partial<WaitingOrder> {
  const beginAt = begun + number * 150_000;
  const plan: RecurringPlan = {
    kind: 'time_based',
    rounds: 3,
    intervalMs: HOUR_MS,
    beginAt,
    band: null,
    earnMint: null,
  };
  return { ...dueAt(beginAt), plan };
}

async function passTo(world: KeeperWorld, time: number): Promise<void> {
  while (world.timers.now() < time) {
    world.timers.advance(Math.min(100, time - world.timers.now()));
    await world.quiet();
  }
}
