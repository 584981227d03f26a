import { describe, expect, it } from 'vitest';
import { DcaWorld } from '../../../programs/dca/tests/world.ts';
import { LimitWorld } from '../../../programs/limit-order/tests/world.ts';
import type { Chain } from '../../chain/chain.ts';
import { createDepositDca, createWithdrawDca } from '../../protocols/jupiter-dca/dca-instructions.ts';
import { LIMIT_ORDER_EVENT_AUTHORITY } from '../../protocols/jupiter-limit-order/program.ts';
import type { Store } from '../../store/index.ts';
import { openForEach } from '../../testing/opened.ts';
import { askOrders, openFollowedOrders } from '../../testing/program-orders/followed-orders.ts';
import { HistoryChain } from '../../testing/svm/history-chain.ts';
import { replaced } from '../../testing/replaced.ts';
import { openTestStore, STORES } from '../../testing/store/test-store.ts';
import { EventsBehind } from '../../chain/events/event-follower.ts';
import { programOrderCursors, programOrders, programOrderTrades } from '../store/program-order-tables.ts';

describe.each(STORES)('EventFollower on %s', (kind) => {
  const tested = openForEach(() => openTestStore(kind), 'cleanUp');

  it('begins with the whole history of its own network, and elsewhere with what is open and what lands from now on', async () => {
    const { world, chain } = openWorld();
    const ended = world.place();
    world.must(world.cancel(ended));
    const open = world.place();
    const elsewhere = openFollowedOrders(chain, tested.store, { isOwnNetwork: false });
    await elsewhere.limit.upToNow();
    world.must(world.cancel(open));
    const after = world.place();
    world.must(world.cancel(after));
    const later = [{ address: after.address }, { address: open.address }];
    expect(await listEnded(elsewhere, world)).toMatchObject(later);
    const other = await openTestStore(kind);
    const own = openFollowedOrders(chain, other.store);
    expect(await listEnded(own, world)).toMatchObject([...later, { address: ended.address }]);
    await other.cleanUp();
  });

  it('counts every event once when several instances follow at the same time', async () => {
    const world = new DcaWorld();
    const chain = new HistoryChain(world.network);
    chain.slotsPerTransaction = 0n;
    const stores = [tested.store, kind === 'sqlite' ? tested.store : await tested.reopen()];
    const instances = stores.map((store) => openFollowedOrders(chain, store));
    const order = world.open();
    for (let round = 0; round < 6; round++) {
      for (let each = 0; each < 20; each++) {
        world.must(createDepositDca(order, 10n + BigInt(each)), createWithdrawDca(order, 'in', 5n));
      }
      await Promise.all(instances.flatMap(({ dca }) => [dca.upToNow(), dca.upToNow()]));
      const [row] = await tested.store.db.select().from(programOrders);
      const { inDeposited, inWithdrawn } = world.again(order);
      expect(row).toMatchObject({ inDeposited: String(inDeposited), inWithdrawn: String(inWithdrawn) });
    }
  });

  it('loses nothing and repeats nothing when it is ended at any write', async () => {
    const { world, chain } = openWorld();
    live(world);
    let [writes, crashAt] = [0, -1];
    const crashing = crashAfter(tested.store, () => writes++ === crashAt);
    // Two transactions are recorded together, so that it is ended between recordings too.
    const bounds = { transactions: 2 };
    await readAll(openFollowedOrders(chain, tested.store, { store: crashing, bounds }));
    const expected = await dump(tested.store);
    expect(expected).toMatchObject({ orders: { length: 3 }, trades: { length: 3 } });
    const all = writes;
    expect(all).toBeGreaterThan(10);
    for (crashAt = 0; crashAt < all; crashAt++) {
      for (const table of [programOrderCursors, programOrders, programOrderTrades]) {
        await tested.store.db.delete(table);
      }
      writes = 0;
      const first = openFollowedOrders(chain, tested.store, { store: crashing, bounds });
      await expect(readAll(first)).rejects.toThrow('crashed');
      await readAll(openFollowedOrders(chain, tested.store));
      expect(await dump(tested.store), `ended at write ${crashAt}`).toEqual(expected);
    }
  });

  it('waits for a transaction that is listed before the node has it', async () => {
    const { world, chain } = openWorld();
    let late = true;
    const order = world.place();
    const slow = (seen: HistoryChain) =>
      replaced<Chain>(seen as unknown as Chain, {
        transaction: async (signature) => (late ? null : seen.transaction(signature)),
      });
    const followed = openFollowedOrders(chain, tested.store, { seen: slow });
    await expect(followed.limit.upToNow()).rejects.toThrow('does not have it yet');
    late = false;
    const { orders } = await followed.lists.listLimitOrders(...askOrders(world.maker, true));
    expect(orders).toMatchObject([{ address: order.address, openSignature: 'transaction 1' }]);
  });

  it('passes over a transaction that the network has lost, and goes on with the next', async () => {
    const { world, chain } = openWorld();
    const lost = world.place();
    const forgetful = (seen: HistoryChain) =>
      replaced<Chain>(seen as unknown as Chain, {
        transaction: async (signature) =>
          signature === 'transaction 1' ? null : seen.transaction(signature),
      });
    const followed = openFollowedOrders(chain, tested.store, { seen: forgetful });
    chain.pass(2_000n);
    world.must(world.cancel(lost));
    const known = world.place();
    world.must(world.cancel(known));
    expect(await listEnded(followed, world)).toMatchObject([{ address: known.address }]);
  });

  it('replaces an order whose end it has missed by one at the same address', async () => {
    const { world, chain } = openWorld();
    const order = world.place({ uniqueId: 3n });
    world.must(...world.fill(order, 5n));
    const followed = openFollowedOrders(chain, tested.store);
    await followed.limit.upToNow();
    world.must(world.cancel(order));
    chain.landed.pop();
    world.place({ uniqueId: 3n, making: 9n });
    const { orders } = await followed.lists.listLimitOrders(...askOrders(world.maker, true));
    expect(orders).toMatchObject([{ making: 9n, trades: [], openSignature: chain.landed.at(-1)?.signature }]);
    expect(await dump(tested.store)).toMatchObject({ orders: [{ making: '9' }], trades: [] });
  });

  it('ignores failed transactions, and what others say in the name of the program', async () => {
    const { world, chain } = openWorld();
    const order = world.place();
    const event = chain.landed.at(-1)?.calls.at(-1)?.call;
    if (event === undefined) throw new Error('the program emits an event');
    const forged = {
      programAddress: event.program,
      accounts: event.accounts.map((address) => ({ address, role: 0 as const })),
      data: event.data,
    };
    expect(world.send(forged).error).not.toBeNull();
    expect(world.send(world.cancel(order), world.cancel(order)).error).not.toBeNull();
    const followed = openFollowedOrders(chain, tested.store);
    await followed.limit.upToNow();
    expect((await dump(tested.store)).orders).toMatchObject([{ state: 'open' }]);
  });

  it('forgets everything when the network began again with the same genesis', async () => {
    const { world, chain } = openWorld();
    live(world);
    const followed = openFollowedOrders(chain, tested.store);
    await followed.limit.upToNow();
    chain.beginAgain();
    const order = world.place();
    world.must(world.cancel(order));
    expect(await listEnded(followed, world)).toMatchObject([{ address: order.address }]);
    expect((await dump(tested.store)).trades).toEqual([]);
  });

  it('goes on behind a cursor that the network has forgotten, and counts nothing of its slot twice', async () => {
    const world = new DcaWorld();
    const chain = new HistoryChain(world.network);
    const followed = openFollowedOrders(chain, tested.store);
    const order = world.open();
    chain.slotsPerTransaction = 0n;
    for (const amount of [1n, 2n, 3n]) world.must(createDepositDca(order, amount));
    await followed.dca.upToNow();
    // It still has the one before the cursor, in the same slot.
    chain.landed.splice(3, 1);
    chain.slotsPerTransaction = 1n;
    chain.pass(2_000n);
    world.must(createDepositDca(order, 40n));
    await followed.dca.upToNow();
    const { inDeposited } = world.again(order);
    expect((await dump(tested.store)).orders).toMatchObject([{ inDeposited: String(inDeposited) }]);
  });

  it('works a flood of transactions off in several runs, and says what is left', async () => {
    const { world, chain } = openWorld();
    const followed = openFollowedOrders(chain, tested.store, { bounds: { pages: 2, transactions: 1_500 } });
    await followed.limit.upToNow();
    const order = world.place();
    chain.spam(LIMIT_ORDER_EVENT_AUTHORITY, 3_500);
    world.must(world.cancel(order));
    // The first run only lists, and not all of it.
    await expect(followed.limit.upToNow()).rejects.toThrow(
      'more than 2000 transactions are still to be read',
    );
    const { orders } = await followed.lists.listLimitOrders(...askOrders(world.maker, true));
    expect(orders).toEqual([]);
    await expect(followed.lists.listLimitOrders(...askOrders(world.maker, false))).rejects.toThrow(
      /and \d+ transactions are still to be read/,
    );
    expect(chain.asked.transactions).toBeLessThan(3_100);
    expect(await listEnded(followed, world)).toMatchObject([
      { address: order.address, openSignature: 'transaction 1' },
    ]);
  });

  it.each([1, 20])('passes the oldest over when too many wait, listing %d pages at once', async (pages) => {
    const { world, chain } = openWorld();
    const bounds = { pages, transactions: 5_000, backlog: 2_000 };
    const followed = openFollowedOrders(chain, tested.store, { bounds });
    await followed.limit.upToNow();
    const missed = world.place();
    chain.spam(LIMIT_ORDER_EVENT_AUTHORITY, 3_000);
    const seen = world.place();
    world.must(world.cancel(missed));
    world.must(world.cancel(seen));
    for (let run = 0; run < 3; run++) await followed.limit.upToNow().catch(() => undefined);
    expect(await listEnded(followed, world)).toMatchObject([{ address: seen.address }]);
    expect(followed.told).toEqual([
      expect.stringMatching(
        /^the events of limit-order: Error: more than 2000 transactions waited; the events up to transaction \d+ in slot \d+ are passed over$/,
      ),
    ]);
  });

  it('follows in the background, tells of an outage, and goes on after it', async () => {
    const { world, chain } = openWorld();
    let reason: string | null = 'the node is away';
    const failing = (seen: HistoryChain) =>
      replaced<Chain>(seen as unknown as Chain, {
        signaturesOf: async (address, range) => {
          if (reason !== null) throw new Error(reason);
          return seen.signaturesOf(address, range);
        },
      });
    const followed = openFollowedOrders(chain, tested.store, { seen: failing });
    const { limit, timers, told } = followed;
    world.place();
    limit.start();
    await expect.poll(() => told).toEqual(['outage: Error: the node is away']);
    expect(limit.unhealthy()).toBe('the events of limit-order cannot be followed: the node is away');
    reason = null;
    timers.advance(2_000);
    await expect.poll(() => limit.unhealthy()).toBeNull();
    await expect.poll(async () => (await dump(tested.store)).orders).toHaveLength(1);
    await limit.close();
    timers.advance(2_000);
    world.place();
    await expect(limit.upToNow()).rejects.toThrow('ending');
    expect((await dump(tested.store)).orders).toHaveLength(1);
  });

  function openWorld(): { readonly world: LimitWorld; readonly chain: HistoryChain } {
    const world = new LimitWorld();
    return { world, chain: new HistoryChain(world.network) };
  }
});

type Followed = ReturnType<typeof openFollowedOrders>;

async function listEnded({ lists }: Followed, { maker }: LimitWorld) {
  return (await lists.listLimitOrders(...askOrders(maker, false))).orders;
}

/** Follows until nothing is left. */
async function readAll({ limit }: Followed): Promise<void> {
  for (let isBehind = true; isBehind; ) {
    isBehind = false;
    await limit.upToNow().catch((error: unknown) => {
      if (!(error instanceof EventsBehind)) throw error;
      isBehind = true;
    });
  }
}

/** Orders of every kind, with trades. */
function live(world: LimitWorld): void {
  const [filled, cancelled] = [world.place(), world.place()];
  world.must(...world.fill(filled, 10n));
  world.must(...world.fill(filled, 999_990n));
  world.must(...world.fill(cancelled, 7n));
  world.must(world.cancel(cancelled));
  world.place();
}

async function dump({ db }: Store) {
  const orders = await db.select().from(programOrders).orderBy(programOrders.number);
  const trades = await db
    .select()
    .from(programOrderTrades)
    .orderBy(programOrderTrades.orderNumber, programOrderTrades.number);
  return { orders: [...orders], trades: [...trades] };
}

/** A database whose instance ends in the middle of a transaction, at a statement of the test's choice. */
function crashAfter(store: Store, isNow: () => boolean): Store {
  return replaced<Store>(store, {
    transaction: (work) =>
      store.transaction((db) =>
        work(
          replaced(db, {
            update: ((table: Parameters<typeof db.update>[0]) => {
              if (isNow()) throw new Error('crashed');
              return db.update(table);
            }) as typeof db.update,
            insert: ((table: Parameters<typeof db.insert>[0]) => {
              if (isNow()) throw new Error('crashed');
              return db.insert(table);
            }) as typeof db.insert,
          }),
        ),
      ),
  });
}
