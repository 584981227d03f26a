import { describe, expect, it } from 'vitest';
import { bps } from '../../solana/units.ts';
import { createTestOrder } from '../../testing/waiting-orders/test-orders.ts';
import { createTrailingPlan } from '../legs.ts';
import { TriggerIndex } from '../triggers/trigger-index.ts';
import type { WaitingOrder } from '../waiting-order.ts';
import { OpenOrders } from './open-orders.ts';

describe('OpenOrders', () => {
  it.each([
    ['released', (open: OpenOrders, order: WaitingOrder) => open.release(order.id, order, NOW)],
    ['postponed', (open: OpenOrders, order: WaitingOrder) => open.postpone(order.id, NOW)],
  ])('keeps a watermark that moved while an order was worked on that is %s', (_, end) => {
    const world = { price: 90 };
    const open = openOrders(world);
    const order = createTrailingOrder(100);
    open.place(order, NOW);
    expect(take(open)).toEqual([order.id]);
    open.place(createTrailingOrder(120), NOW);
    end(open, order);
    open.wake(NOW);
    world.price = 109;
    open.noteReached(MINT, null);
    expect(take(open)).toEqual([]);
    world.price = 108;
    open.noteReached(MINT, null);
    expect(take(open)).toEqual([order.id]);
  });

  it('leaves an order as it was released if what became known of it meanwhile is older', () => {
    const world = { price: 90 };
    const open = openOrders(world);
    const order = createTrailingOrder(100);
    open.place(order, NOW);
    take(open);
    open.place(order, NOW);
    open.release(order.id, { ...order, revision: order.revision + 1, state: 'cancelled' }, NOW);
    expect(open.size).toBe(0);
  });

  it('offers rounds by the time since when they are due, and each once', () => {
    const open = openOrders({ price: 1 });
    const orders = [30, 10, 20, 40].map((dueAt, number) => createRecurringOrder(number, NOW + dueAt));
    for (const order of orders) open.place(order, NOW);
    const ids = orders.map(({ id }) => id);
    expect(takeRounds(open, NOW)).toEqual([]);
    open.wake(NOW + 30);
    expect(takeRounds(open, NOW + 30)).toEqual([ids[1], ids[2]]);
    expect(takeRounds(open, NOW + 30)).toEqual([ids[0]]);
    expect(takeRounds(open, NOW + 30)).toEqual([]);
  });
});

const NOW = 1_790_000_000_000;
const MINT = createTestOrder(0).outputMint;

function openOrders(world: { readonly price: number }): OpenOrders {
  const findPrice = () => ({ low: world.price, high: world.price });
  return new OpenOrders(new TriggerIndex({ seeds: [1, 2] }), findPrice, 'this keeper');
}

function take(open: OpenOrders): readonly string[] {
  return open.take(10, NOW).map(({ id }) => id);
}

function takeRounds(open: OpenOrders, now: number): readonly string[] {
  return open.takeRounds(2, now).map(({ id }) => id);
}

/** An order that sells a tenth below its best price. */
function createTrailingOrder(watermark: number): WaitingOrder {
  const terms = { triggerMint: MINT, condition: 'below', slippageBps: null } as const;
  return createTestOrder(1, { plan: createTrailingPlan(terms, { bps: bps(1_000), watermark }) });
}

function createRecurringOrder(number: number, nextAt: number): WaitingOrder {
  const plan = { kind: 'time_based', rounds: 2, intervalMs: 60_000, band: null, earnMint: null } as const;
  return createTestOrder(number, {
    plan: { ...plan, beginAt: nextAt },
    rounds: { filled: 0, nextAt, lastAt: null },
  });
}
