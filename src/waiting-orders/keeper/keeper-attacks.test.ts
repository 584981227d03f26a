import { describe, expect, it, vi } from 'vitest';
import type { Account, AccountUpdate } from '../../chain/accounts.ts';
import type { Address } from '../../solana/address.ts';
import { SYSTEM_PROGRAM } from '../../solana/program-addresses.ts';
import type { Bps } from '../../solana/units.ts';
import { openForAll } from '../../testing/opened.ts';
import { openTestStore, STORES } from '../../testing/store/test-store.ts';
import { FUNDED, KeeperWorld, SOLD } from '../../testing/waiting-orders/keeper-world.ts';
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

  it.each<[string, (world: KeeperWorld, order: WaitingOrder) => void]>([
    [
      'is gone',
      ({ network }, { account }) => {
        network.setAccount(account, { ...(network.account(account) as Account), lamports: 0n });
        expect(network.account(account)).toBeNull();
      },
    ],
    [
      'was closed, with lamports of a stranger at its address',
      ({ network }, { account }) => network.setData(account, SYSTEM_PROGRAM, new Uint8Array(0)),
    ],
    ['was handed over', (world, { account, wallet }) => world.setTokens(account, wallet, FUNDED)],
    [
      'holds more than remained of the order, such as what it has earned, and less than before',
      (world, { account, vault }) => world.setTokens(account, vault, FUNDED - 1n),
    ],
  ])('gives up no fill that nodes deny while the account that it sells from %s', async (_, land) => {
    const world = new KeeperWorld(store);
    const left = { leaseHolder: 'one that was killed', leaseUntil: world.timers.now() - 1 } as const;
    const orders = [];
    for (let index = 0; index < 2; index++) {
      const order = await world.newOrder({ ...left, state: 'executing' });
      const denied = { kind: 'fill', held: FUNDED, lastValidBlockHeight: 0n } as const;
      await world.insertTransaction(createTestTransaction(order, { ...world.signFill(order), ...denied }));
      orders.push(order);
    }
    const [filled, kept] = orders as [WaitingOrder, WaitingOrder];
    land(world, filled);
    world.start();
    await world.runUntil(kept.id, isFilled);
    expect(await world.orders.get(filled.id)).toMatchObject({ state: 'executing' });
    await world.close();
  });

  it('gives a fill up that would have closed the account, and that never landed, though the issuer has taken tokens from it', async () => {
    const world = new KeeperWorld(store);
    const left = { leaseHolder: 'one that was killed', leaseUntil: world.timers.now() - 1 } as const;
    const order = await world.newOrder({ ...left, state: 'executing' });
    const whole = { kind: 'fill', held: FUNDED, inputAmount: FUNDED, lastValidBlockHeight: 0n } as const;
    await world.insertTransaction(createTestTransaction(order, { ...world.signFill(order), ...whole }));
    world.setTokens(order.account, order.vault, FUNDED - 1n);
    world.start();
    await world.runUntil(order.id, isFilled);
    const [lost] = (await world.orders.transactionsOf(order.id)).filter(({ kind }) => kind === 'fill');
    expect(lost).toMatchObject({ outcome: 'expired' });
    await world.close();
  });

  it('gives up no fill that nodes deny while they do not know the newest blocks, or contradict each other', async () => {
    const world = new KeeperWorld(store);
    const left = { leaseHolder: 'one that was killed', leaseUntil: world.timers.now() - 1 } as const;
    const order = await world.newOrder({ ...left, state: 'executing' });
    const denied = { kind: 'fill', held: FUNDED, lastValidBlockHeight: 0n } as const;
    await world.insertTransaction(createTestTransaction(order, { ...world.signFill(order), ...denied }));
    const account = world.network.account(order.account);
    let asked = 0;
    const answers: Readonly<Record<string, () => AccountUpdate>> = {
      behind: () => ({ address: order.account, account, slot: 1n }),
      split: () => ({
        address: order.account,
        account: asked % 3 === 0 ? account : null,
        slot: world.chain.slot('confirmed'),
      }),
    };
    const read = vi.spyOn(world.chain, 'getAccounts');
    world.start();
    for (const answer of Object.values(answers)) {
      asked = 0;
      read.mockImplementation(async () => {
        asked++;
        return [answer()];
      });
      for (let step = 0; step < 40; step++) await world.pass();
      expect(asked).toBeGreaterThan(3);
      expect(await world.orders.get(order.id)).toMatchObject({ state: 'executing' });
    }
    read.mockRestore();
    await world.runUntil(order.id, isFilled);
    expect(world.fillsOf(order)).toBe(1n);
    await world.close();
  });

  it('begins the fill of another wallet while one has more fills that never land than there are places', async () => {
    const world = new KeeperWorld(store);
    const wallet = world.network.newWallet(1_000_000_000n);
    for (let index = 0; index < 12; index++) await world.newOrder({ wallet });
    const sent = vi.spyOn(world.chain, 'send').mockResolvedValue('a node that forwards nothing');
    world.start(undefined, 8);
    await world.pass();
    const other = await world.newOrder();
    for (let step = 0; step < 2; step++) await world.pass();
    expect(await world.orders.get(other.id)).toMatchObject({ state: 'executing' });
    sent.mockRestore();
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
