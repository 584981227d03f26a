import { expect, it } from 'vitest';
import { openForAll } from '../../testing/opened.ts';
import { openTestStore } from '../../testing/store/test-store.ts';
import { InterruptedCalls } from '../../testing/waiting-orders/interrupted.ts';
import {
  KeeperWorld,
  PAID,
  SOLD,
  STOP_LOSS,
  TAKE_PROFIT,
} from '../../testing/waiting-orders/keeper-world.ts';
import { createTestOrder } from '../../testing/waiting-orders/test-orders.ts';
import { applyOrderEvent } from '../machine.ts';
import type { OrderLeg, PlanKind } from '../order-plan.ts';
import type { WaitingOrder } from '../waiting-order.ts';

const BOUGHT = { remaining: 0n, bought: PAID, unsold: PAID, filledBy: 'entry' } as const;
const { store } = openForAll(() => openTestStore('sqlite'), 'cleanUp');

// What a process does between two calls, nobody else sees: killed before a call is killed after the one before it.
it.each<OneFill>([
  {
    what: 'a single order',
    kind: 'single',
    prices: [1, 1],
    ways: ['killed', 'held up', 'cut off', 'unanswered'],
  },
  // The price reaches one exit, and the other one as soon as the keeper is interrupted.
  {
    what: 'an order with two exits',
    kind: 'oco',
    prices: [TAKE_PROFIT, STOP_LOSS],
    ways: ['killed', 'held up'],
  },
  { what: 'an entry', kind: 'otoco', prices: [1, 1], ways: ['killed'] },
  { what: 'an exit', kind: 'otoco', changes: BOUGHT, prices: [STOP_LOSS, TAKE_PROFIT], ways: ['held up'] },
  { what: 'a round', kind: 'time_based', prices: [1, 1], ways: ['killed', 'held up'] },
])('$what is filled exactly once whatever happens to a keeper at any of its calls', async (fill) => {
  const world = new KeeperWorld(store);
  const legs = new Set<OrderLeg | null>();
  for (const way of fill.ways) {
    for (let at = 1, isReached = true; isReached; at++) {
      const calls = new InterruptedCalls(at, INTERRUPTIONS[way]);
      const [price, priceAfter] = fill.prices;
      world.price = price;
      const order = await world.newOrderOf(fill.kind, fill.changes);
      const first = world.start(calls);
      await world.passWhile(() => !calls.wasReached, order.id, isPaid(fill));
      isReached = calls.wasReached;
      world.price = priceAfter;
      const second = world.start();
      const filled = await world.runUntil(order.id, isPaid(fill));
      legs.add(filled.filledBy);
      // One that was held up goes on, as if nothing had happened.
      calls.goOn();
      for (let step = 0; step < 5; step++) await world.pass();
      await expectOneFill(world, filled, `${way} at call ${at}`);
      first.calls.kill();
      second.calls.kill();
      await world.removeOrders();
    }
  }
  expect(legs.size).toBe(fill.prices[0] === fill.prices[1] ? 1 : 2);
  expect(world.defects).toEqual([]);
  await world.close();
});

it('an order is either filled or cancelled, whatever a keeper does when its wallet cancels it', async () => {
  const world = new KeeperWorld(store);
  const ends = new Set<string>();
  for (let at = 1, isReached = true; isReached; at++) {
    const order = await world.newOrder();
    const calls = new InterruptedCalls(at, {
      kind: 'told',
      when: 'before',
      tell: () => cancel(world, order.id),
    });
    const { calls: called } = world.start(calls);
    const ended = await world.runUntil(order.id, ({ state }) => !['open', 'executing'].includes(state));
    isReached = calls.wasReached;
    for (let step = 0; step < 5; step++) await world.pass();
    const isFilled = ended.state === 'fill_success';
    expect([ended.state, world.fillsOf(order)], `cancelled before call ${at}`).toEqual([
      isFilled ? 'fill_success' : 'ready_to_cancel',
      isFilled ? 1n : 0n,
    ]);
    ends.add(ended.state);
    called.kill();
  }
  expect([...ends].sort()).toEqual(['fill_success', 'ready_to_cancel']);
  expect(world.defects).toEqual([]);
  await world.close();
});

it('an order is either filled by its old price or has its new one, whatever a keeper does when it is edited', async () => {
  const world = new KeeperWorld(store);
  const ends = new Set<string>();
  for (let at = 1, isReached = true; isReached; at++) {
    const order = await world.newOrder();
    let isEdited = false;
    const tell = async () => {
      isEdited = await edit(world, order.id);
    };
    const calls = new InterruptedCalls(at, { kind: 'told', when: 'before', tell });
    world.start(calls);
    await world.passWhile(() => !calls.wasReached, order.id);
    isReached = calls.wasReached;
    for (let step = 0; step < 8; step++) await world.pass();
    const after = await world.orders.get(order.id);
    expect([after?.state, after?.plan, world.fillsOf(order)], `edited before call ${at}`).toEqual(
      isEdited ? ['open', NEW_PLAN, 0n] : ['fill_success', order.plan, 1n],
    );
    ends.add(String(after?.state));
    calls.kill();
    await world.removeOrders();
  }
  expect([...ends].sort()).toEqual(['fill_success', 'open']);
  expect(world.defects).toEqual([]);
  await world.close();
});

const INTERRUPTIONS = {
  killed: { kind: 'killed', when: 'after' },
  'held up': { kind: 'held up', when: 'before' },
  'cut off': { kind: 'cut off', when: 'before' },
  unanswered: { kind: 'cut off', when: 'after' },
} as const;

/** A fill of an order, which two keepers may make. */
interface OneFill {
  readonly what: string;
  readonly kind: PlanKind;
  readonly changes?: Partial<WaitingOrder>;
  /** The price that the first keeper sees, and that of the second one. */
  readonly prices: readonly [number, number];
  readonly ways: readonly (keyof typeof INTERRUPTIONS)[];
}

/** Returns whether the first fill of an order has ended, and paid the wallet or for its exits. */
function isPaid({ changes }: OneFill): (order: WaitingOrder) => boolean {
  const before = changes?.bought ?? 0n;
  return ({ state, received, bought }) => state !== 'executing' && received + bought > before;
}

async function cancel(world: KeeperWorld, id: string): Promise<void> {
  const order = await world.orders.get(id);
  if (order === null) return;
  const asked = applyOrderEvent(order, { kind: 'cancel-asked', at: world.timers.now() });
  if (asked.ok) await world.orders.update(asked.value, order.revision);
}

/** A price that is not reached. */
const NEW_PLAN = createTestOrder(0, { triggerPrice: 0.1 }).plan;

/** Returns whether the order was still open. */
async function edit(world: KeeperWorld, id: string): Promise<boolean> {
  const order = await world.orders.get(id);
  if (order === null) return false;
  const { expiresAt } = order;
  const edited = applyOrderEvent(order, {
    kind: 'edited',
    plan: NEW_PLAN,
    expiresAt,
    at: world.timers.now(),
  });
  return edited.ok && (await world.orders.update(edited.value, order.revision));
}

async function expectOneFill(world: KeeperWorld, order: WaitingOrder, when: string): Promise<void> {
  const transactions = await world.orders.transactionsOf(order.id);
  const outcomes = transactions.map(({ outcome }) => outcome).filter((outcome) => outcome !== 'expired');
  const { plan, filledBy, received, bought } = order;
  const isExit = plan.kind === 'otoco' && filledBy !== 'entry';
  const sold = world.paidBy(isExit ? plan.outputAccount : order.account);
  const paid = filledBy === 'entry' ? bought : received;
  expect({ sold, paid, outcomes }, when).toEqual({
    sold: isExit ? PAID : SOLD,
    paid: PAID,
    outcomes: ['success'],
  });
}
