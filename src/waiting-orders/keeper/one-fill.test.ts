import { expect, it } from 'vitest';
import { openForAll } from '../../testing/opened.ts';
import { openTestStore } from '../../testing/store/test-store.ts';
import { InterruptedCalls, type Interruption } from '../../testing/waiting-orders/interrupted.ts';
import { KeeperWorld, PAID } from '../../testing/waiting-orders/keeper-world.ts';
import { applyOrderEvent } from '../machine.ts';
import type { WaitingOrder } from '../waiting-order.ts';

const { store } = openForAll(() => openTestStore('sqlite'), 'cleanUp');

// What a process does between two calls, nobody else sees: killed before a call is killed after the one before it.
it.each<Interruption>([
  { kind: 'killed', when: 'after' },
  { kind: 'held up', when: 'before' },
  { kind: 'cut off', when: 'before' },
  { kind: 'cut off', when: 'after' },
])('an order is filled exactly once when a keeper is $kind $when any of its calls', async (interruption) => {
  const world = new KeeperWorld(store);
  for (let at = 1, isReached = true; isReached; at++) {
    const calls = new InterruptedCalls(at, interruption);
    const order = await world.newOrder();
    const first = world.start(calls);
    await world.passWhile(() => !calls.wasReached, order.id);
    isReached = calls.wasReached;
    const second = world.start();
    const filled = await world.runUntil(order.id, ({ state }) => state === 'fill_success');
    // One that was held up goes on, as if nothing had happened.
    calls.goOn();
    for (let step = 0; step < 5; step++) await world.pass();
    await expectOneFill(world, filled, `${interruption.kind} ${interruption.when} call ${at}`);
    first.calls.kill();
    second.calls.kill();
  }
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

async function cancel(world: KeeperWorld, id: string): Promise<void> {
  const order = await world.orders.get(id);
  if (order === null) return;
  const asked = applyOrderEvent(order, { kind: 'cancel-asked', at: world.timers.now() });
  if (asked.ok) await world.orders.update(asked.value, order.revision);
}

async function expectOneFill(world: KeeperWorld, order: WaitingOrder, when: string): Promise<void> {
  const transactions = await world.orders.transactionsOf(order.id);
  const outcomes = transactions.map(({ outcome }) => outcome).filter((outcome) => outcome !== 'expired');
  expect({ fills: world.fillsOf(order), received: order.received, outcomes }, when).toEqual({
    fills: 1n,
    received: PAID,
    outcomes: ['success'],
  });
}
