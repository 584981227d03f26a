import { describe, expect, it } from 'vitest';
import { openForAll } from '../../testing/opened.ts';
import { openTestStore, STORES } from '../../testing/store/test-store.ts';
import { InterruptedCalls } from '../../testing/waiting-orders/interrupted.ts';
import { KeeperWorld, PAID } from '../../testing/waiting-orders/keeper-world.ts';
import { createTestTransaction } from '../../testing/waiting-orders/test-orders.ts';
import type { WaitingOrder } from '../waiting-order.ts';

describe.each(STORES)('OrderKeeper on %s', (kind) => {
  const { store } = openForAll(() => openTestStore(kind), 'cleanUp');

  it('fills an order when its price comes, and gives back what the fill did not cost', async () => {
    const world = new KeeperWorld(store);
    world.price = NOT_REACHED;
    world.start();
    const order = await world.newOrder();
    for (let step = 0; step < 3; step++) await world.pass();
    expect(await world.orders.get(order.id)).toMatchObject({ state: 'open', revision: order.revision });
    world.setPrice(1);
    const filled = await world.runUntil(order.id, isFilled);
    expect(filled).toMatchObject({ received: PAID, remaining: 0n, leaseHolder: null });
    expect(await world.orders.transactionsOf(order.id)).toMatchObject([
      { number: 2, kind: 'fill', outcome: 'success', triggeredPrice: 1, outputAmount: PAID },
    ]);
    expect(world.spent).toBe(15_000n);
    await world.close();
  });

  it('works on each order in one of several keepers', async () => {
    const world = new KeeperWorld(store);
    const keepers = [world.start(), world.start(), world.start()];
    const orders = [];
    for (let index = 0; index < 20; index++) orders.push(await world.newOrder());
    for (const order of orders) await world.runUntil(order.id, isFilled);
    expect(orders.map((order) => world.fillsOf(order))).toEqual(orders.map(() => 1n));
    expect(world.chain.sent).toBe(20);
    expect(keepers.map(({ keeper }) => keeper.unhealthy())).toEqual([null, null, null]);
    await world.close();
  });

  it('finishes a fill that another keeper has recorded and not sent, and one that can no longer land', async () => {
    const world = new KeeperWorld(store);
    const now = world.timers.now();
    const left = { state: 'executing', leaseHolder: 'one that was killed', leaseUntil: now + 1 } as const;
    const [unsent, expired] = [await world.newOrder(left), await world.newOrder(left)];
    for (const [order, height] of [
      [unsent, world.chain.lastValidHeight()],
      [expired, 0n],
    ] as const) {
      const signed = world.signFill(order);
      const given = { ...signed, kind: 'fill', lastValidBlockHeight: height } as const;
      await world.insertTransaction(createTestTransaction(order, given));
    }
    world.start();
    expect(await world.runUntil(unsent.id, isFilled)).toMatchObject({ transactions: 1 });
    expect(await world.runUntil(expired.id, isFilled)).toMatchObject({ transactions: 2 });
    expect((await world.orders.transactionsOf(expired.id)).map(({ outcome }) => outcome)).toEqual([
      'expired',
      'success',
    ]);
    expect([world.fillsOf(unsent), world.fillsOf(expired)]).toEqual([1n, 1n]);
    await world.close();
  });

  it('sees an order of another instance that is created after the clock of the store was put back', async () => {
    const world = new KeeperWorld(store);
    world.price = NOT_REACHED;
    world.start();
    const hour = 3_600_000;
    const changed = await world.newOrder({ updatedAt: world.timers.now() + hour });
    await world.pass();
    const order = await world.newOrder();
    world.price = 1;
    await world.runUntil(order.id, isFilled);
    await world.runUntil(changed.id, isFilled);
    await world.close();
  });

  it('expires an order whose time is over, and never fills it after that', async () => {
    const world = new KeeperWorld(store);
    world.price = NOT_REACHED;
    world.start();
    const order = await world.newOrder({ expiresAt: world.timers.now() + 12_000 });
    const expired = await world.runUntil(order.id, ({ state }) => state !== 'open');
    expect(expired).toMatchObject({ state: 'expired', waitsFor: null });
    world.setPrice(1);
    for (let step = 0; step < 5; step++) await world.pass();
    expect(world.fillsOf(order)).toBe(0n);
    await world.close();
  });

  it('puts an order off with the reason, and tries it again', async () => {
    const world = new KeeperWorld(store);
    const order = await world.newOrder();
    const reasons = ['route', 'price'] as const;
    let plans = 0;
    world.refusePlan = () => reasons[plans++] ?? null;
    world.start();
    expect(await world.runUntil(order.id, ({ waitsFor }) => waitsFor !== null)).toMatchObject({
      waitsFor: 'route',
      leaseHolder: null,
    });
    expect((await world.runUntil(order.id, isFilled)).waitsFor).toBeNull();
    expect(plans).toBe(3);
    await world.close();
  });

  it('waits for a store that does not answer, says so, and fills after that', async () => {
    const world = new KeeperWorld(store);
    const calls = new InterruptedCalls();
    const { keeper } = world.start(calls);
    await world.pass();
    calls.cutOff(true);
    const order = await world.newOrder();
    for (let step = 0; step < 5; step++) await world.pass();
    expect(keeper.unhealthy()).toBe('the database does not answer');
    expect(world.fillsOf(order)).toBe(0n);
    calls.cutOff(false);
    await world.runUntil(order.id, isFilled);
    expect(keeper.unhealthy()).toBeNull();
    expect(world.fillsOf(order)).toBe(1n);
    await world.close();
  });

  it('does not keep a wallet waiting for all orders of another one, whose prices come first', async () => {
    const world = new KeeperWorld(store);
    world.price = NOT_REACHED;
    world.start();
    const { wallet } = await world.newOrder();
    for (let order = 1; order < MANY; order++) await world.newOrder({ wallet });
    const other = await world.newOrder({ triggerPrice: 1.2 });
    for (let step = 0; step < 3; step++) await world.pass();
    const planned: string[] = [];
    world.refusePlan = ({ id }) => {
      planned.push(id);
      return 'route';
    };
    world.setPrice(1);
    await world.quiet();
    expect(planned.length).toBeGreaterThan(MANY);
    expect(planned.indexOf(other.id)).toBeLessThan(MANY / 2);
    await world.close();
  });

  it('lets no fill be half recorded when it stops, and leaves the rest to the next one', async () => {
    const world = new KeeperWorld(store);
    const orders = [];
    for (let index = 0; index < 5; index++) orders.push(await world.newOrder());
    world.chain.losing = 100;
    const calls = new InterruptedCalls();
    const { keeper } = world.start(calls);
    await world.quiet();
    const stopped = keeper.close();
    await world.pass();
    await stopped;
    const made = calls.count;
    await world.pass();
    expect(calls.count).toBe(made);
    world.chain.losing = 0;
    world.start();
    for (const order of orders) await world.runUntil(order.id, isFilled);
    expect(orders.map((order) => world.fillsOf(order))).toEqual(orders.map(() => 1n));
    await world.close();
  });
});

/** More orders than are read at once. */
const MANY = 400;
const NOT_REACHED = 2;
const isFilled = ({ state }: WaitingOrder) => state === 'fill_success';
