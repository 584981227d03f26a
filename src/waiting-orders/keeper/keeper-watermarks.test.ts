import { describe, expect, it } from 'vitest';
import { bps } from '../../solana/units.ts';
import { openForAll } from '../../testing/opened.ts';
import { openTestStore, STORES } from '../../testing/store/test-store.ts';
import { KeeperWorld } from '../../testing/waiting-orders/keeper-world.ts';
import { createTestOrder } from '../../testing/waiting-orders/test-orders.ts';
import { createTrailingPlan } from '../legs.ts';
import type { WaitingOrder } from '../waiting-order.ts';

describe.each(STORES)('OrderKeeper with trailing orders on %s', (kind) => {
  const { store } = openForAll(() => openTestStore(kind), 'cleanUp');

  it('has an order follow the best price, and fills it when the price has come back far enough', async () => {
    const world = new KeeperWorld(store);
    world.price = 100;
    const order = await world.newOrder({ plan: createPlan() });
    world.start();
    await passPrices(world, [110, 105, 120, 109]);
    expect(await world.orders.get(order.id)).toMatchObject({
      state: 'open',
      revision: order.revision,
      plan: { triggerPrice: 108, trailing: { watermark: 120 } },
    });
    await passPrices(world, [108]);
    await world.runUntil(order.id, isFilled);
    expect(await world.orders.transactionsOf(order.id)).toMatchObject([{ triggeredPrice: 108 }]);
    await world.close();
  });

  it('fills an order whose watermark another keeper has moved before it was killed', async () => {
    const world = new KeeperWorld(store);
    world.price = 100;
    const order = await world.newOrder({ plan: createPlan() });
    const mover = world.start();
    await passPrices(world, [100]);
    // This one finds nothing to move, and hears of what was moved.
    const other = world.start();
    await passPrices(world, [120]);
    mover.calls.kill();
    await passPrices(world, [109, 107]);
    await world.runUntil(order.id, isFilled);
    expect(other.keeper.unhealthy()).toBeNull();
    await world.close();
  });
});

/** Sells when the price is a tenth below its best one, which was 100. */
function createPlan() {
  const { outputMint: triggerMint } = createTestOrder(0);
  const terms = { triggerMint, condition: 'below', slippageBps: null } as const;
  return createTrailingPlan(terms, { bps: bps(1_000), watermark: 100 });
}

/** Lets each price be there for a while. */
async function passPrices(world: KeeperWorld, prices: readonly number[]): Promise<void> {
  for (const price of prices) {
    world.setPrice(price);
    for (let step = 0; step < 2; step++) await world.pass();
  }
}

const isFilled = ({ state }: WaitingOrder) => state === 'fill_success';
