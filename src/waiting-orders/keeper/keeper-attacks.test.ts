import { describe, expect, it } from 'vitest';
import type { Account } from '../../chain/accounts.ts';
import type { Address } from '../../solana/address.ts';
import type { Bps } from '../../solana/units.ts';
import { openForAll } from '../../testing/opened.ts';
import { openTestStore, STORES } from '../../testing/store/test-store.ts';
import { KeeperWorld, SOLD } from '../../testing/waiting-orders/keeper-world.ts';
import { createTestTransaction } from '../../testing/waiting-orders/test-orders.ts';
import type { WaitingOrder } from '../waiting-order.ts';

const HOUR_MS = 3_600_000;

describe.each(STORES)('OrderKeeper under attack on %s', (kind) => {
  const { store } = openForAll(() => openTestStore(kind), 'cleanUp');

  it('fills orders that were put off or leased while the clock of the store was ahead', async () => {
    const world = new KeeperWorld(store);
    world.refusePlan = () => (world.storeAhead > 0 ? 'route' : null);
    world.storeAhead = HOUR_MS;
    // Its time is that of the other clock, so that a keeper which has started does not take it for a new one.
    const order = await world.newOrder();
    world.start();
    await world.runUntil(order.id, ({ waitsFor }) => waitsFor === 'route');
    const ahead = world.timers.now() + HOUR_MS;
    world.storeAhead = 0;
    const leased = await world.newOrder({ leaseHolder: 'one that was killed', leaseUntil: ahead });
    const postponed = await world.newOrder({ retryAt: ahead, waitsFor: 'route' });
    for (const { id } of [order, leased, postponed]) await world.runUntil(id, isFilled);
    await world.close();
  });

  it('finishes fills while more deposits than it takes over at a time never end', async () => {
    const world = new KeeperWorld(store);
    world.settle = () => new Promise(() => undefined);
    const now = world.timers.now();
    const left = { leaseHolder: 'one that was killed' } as const;
    for (let index = 0; index < 40; index++) {
      const deposit = await world.newOrder({ ...left, state: 'depositing', leaseUntil: now - 100 });
      await world.insertTransaction(createTestTransaction(deposit));
    }
    const order = await world.newOrder({ ...left, state: 'executing', leaseUntil: now - 1 });
    const fill = { ...world.signFill(order), kind: 'fill' } as const;
    const lastValidBlockHeight = world.chain.lastValidHeight();
    await world.insertTransaction(createTestTransaction(order, { ...fill, lastValidBlockHeight }));
    world.start();
    await world.runUntil(order.id, isFilled);
    expect(world.fillsOf(order)).toBe(1n);
    await world.close();
  });

  it('fills the other orders when rows cannot be read', async () => {
    const world = new KeeperWorld(store);
    const damages: readonly Parameters<typeof world.newOrder>[0][] = [
      { id: '!' },
      { id: '~' },
      { id: '00000000-0000-0000-0000-000000000001', remaining: 'many' as never },
      { id: '00000000-0000-0000-0000-000000000002', triggerMint: 'no mint' as Address },
      { id: '00000000-0000-0000-0000-000000000003', triggerPrice: -1 },
      { id: '00000000-0000-0000-0000-000000000004', slippageBps: 1_000_000_000 as Bps },
      { id: '00000000-0000-0000-0000-000000000005', remaining: 1n << 200n },
      {
        id: '00000000-0000-0000-0000-000000000006',
        expiresAt: 0,
        received: '' as never,
        wallet: '' as Address,
      },
      { id: '00000000-0000-0000-0000-000000000007', state: 'executing', inputAmount: '-' as never },
      { id: '00000000-0000-0000-0000-000000000008', state: 'hidden' as never },
    ];
    for (const damage of damages) await world.newOrder(damage);
    const before = await world.newOrder();
    const { keeper } = world.start();
    const created = await world.newOrder();
    for (const { id } of [before, created]) await world.runUntil(id, isFilled);
    expect(keeper.unhealthy()).toBeNull();
    await world.close();
  });

  it('gives up no fill that nodes deny while the account that it would have emptied is gone', async () => {
    const world = new KeeperWorld(store);
    const left = { leaseHolder: 'one that was killed', leaseUntil: world.timers.now() - 1 } as const;
    const orders = [];
    for (let index = 0; index < 2; index++) {
      const order = await world.newOrder({ ...left, state: 'executing' });
      const fill = { ...world.signFill(order), kind: 'fill', lastValidBlockHeight: 0n } as const;
      await world.insertTransaction(createTestTransaction(order, fill));
      orders.push(order);
    }
    const [gone, kept] = orders as [WaitingOrder, WaitingOrder];
    const account = world.network.account(gone.account) as Account;
    world.network.setAccount(gone.account, { ...account, lamports: 0n });
    expect(world.network.account(gone.account)).toBeNull();
    world.start();
    await world.runUntil(kept.id, isFilled);
    expect(await world.orders.get(gone.id)).toMatchObject({ state: 'executing' });
    await world.close();
  });

  it('ends an order whose account a fill has closed, even if the fill took less than remained', async () => {
    const world = new KeeperWorld(store);
    world.closing = true;
    world.shortBy = 1n;
    const order = await world.newOrder({ inputAmount: SOLD + 1n, remaining: SOLD + 1n });
    world.start();
    expect(await world.runUntil(order.id, isFilled)).toMatchObject({ remaining: 0n });
    expect(world.fillsOf(order)).toBe(1n);
    await world.close();
  });
});

const isFilled = ({ state }: WaitingOrder) => state === 'fill_success';
