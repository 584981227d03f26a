import { describe, expect, it } from 'vitest';
import { DcaWorld } from '../../../programs/dca/tests/world.ts';
import { LimitWorld } from '../../../programs/limit-order/tests/world.ts';
import { type Chain, ChainUnavailable } from '../../chain/chain.ts';
import { createCloseDca } from '../../protocols/jupiter-dca/dca-instructions.ts';
import { SYSTEM_PROGRAM } from '../../solana/program-addresses.ts';
import type { Store } from '../../store/index.ts';
import { openForEach } from '../../testing/opened.ts';
import {
  askOrders,
  type FollowedOrders,
  openFollowedOrders,
} from '../../testing/program-orders/followed-orders.ts';
import { HistoryChain } from '../../testing/svm/history-chain.ts';
import { replaced } from '../../testing/replaced.ts';
import { openTestStore, STORES } from '../../testing/store/test-store.ts';
import { programOrders, programOrderTrades } from '../store/program-order-tables.ts';

describe.each(STORES)('orders that no event opened, on %s', (kind) => {
  const tested = openForEach(() => openTestStore(kind), 'cleanUp');

  it('are listed with their fills and their end, as limit orders', async () => {
    const { world, order, chain } = openGenesis();
    const followed = openFollowedOrders(chain, tested.store);
    await followed.reconcile();
    world.must(...world.fill(order, 10n));
    expect(await listLimit(followed, world, true)).toMatchObject([
      { address: order.address, openSignature: null, trades: [{ inputAmount: 10n }] },
    ]);
    const { making = 0n, originalTaking, createdAt } = world.read(order) ?? {};
    world.must(...world.fill(order, making));
    expect(await listLimit(followed, world, false)).toMatchObject([
      {
        address: order.address,
        state: 'filled',
        openSignature: null,
        closeSignature: 'transaction 2',
        taking: originalTaking,
        remainingMaking: 0n,
        createdAt,
        trades: [{ inputAmount: making }, { inputAmount: 10n }],
      },
    ]);
  });

  it('are listed as cancelled, as limit orders', async () => {
    const { world, order, chain } = openGenesis();
    const followed = openFollowedOrders(chain, tested.store);
    await followed.reconcile();
    world.must(world.cancel(order));
    expect(await listLimit(followed, world, false)).toMatchObject([
      { address: order.address, state: 'cancelled', openSignature: null, trades: [] },
    ]);
  });

  it('are listed with their fills and their end, as DCA orders', async () => {
    const world = new DcaWorld();
    const order = world.open({ minOutAmount: 1n });
    world.must(...world.fill(order, 50n));
    const chain = new HistoryChain(world.network);
    const followed = openFollowedOrders(chain, tested.store);
    await followed.reconcile();
    world.now = world.again(order).nextCycleAt;
    world.must(...world.fill(world.again(order), 70n));
    const [open] = (await followed.lists.listDcaOrders(...askOrders(world.user, true))).orders;
    expect(open).toMatchObject({ inUsed: 200n, trades: [{ inputAmount: 100n }] });
    const { outReceived } = world.again(order);
    world.must(createCloseDca(world.again(order)));
    expect((await followed.lists.listDcaOrders(...askOrders(world.user, false))).orders).toMatchObject([
      {
        address: order.address,
        openSignature: null,
        inDeposited: 600n,
        inUsed: 200n,
        inWithdrawn: 400n,
        outReceived,
        minOutAmount: 1n,
        userClosed: true,
        trades: [{ inputAmount: 100n }],
      },
    ]);
  });

  it('are recorded once, with all that happens meanwhile', async () => {
    const { world, order, chain } = openGenesis();
    // A fill lands between the reading of the accounts and that of the events.
    let isFilled = false;
    const busy = withAccounts(async (found) => {
      if (found.length > 0 && !isFilled) world.must(...world.fill(order, 10n));
      isFilled ||= found.length > 0;
    });
    const followed = openFollowedOrders(chain, tested.store, { seen: busy });
    await followed.reconcile();
    expect((await dump(tested.store)).orders).toEqual([]);
    const others = [followed, openFollowedOrders(chain, tested.store)];
    await Promise.all([...others, ...others].map((each) => each.reconcile()));
    expect((await dump(tested.store)).orders).toMatchObject([{ remainingMaking: '999990', trades: 0 }]);
    world.must(...world.fill(order, 20n));
    await followed.reconcile();
    expect(await dump(tested.store)).toMatchObject({
      orders: [{ number: 1, remainingMaking: '999970', trades: 1 }],
      trades: [{ inputAmount: '20' }],
    });
  });

  it('are recorded whole or not at all when the instance ends meanwhile', async () => {
    const { world, order, chain } = openGenesis();
    const followed = openFollowedOrders(chain, tested.store);
    await followed.limit.upToNow();
    const crashing = replaced<Store>(tested.store, {
      transaction: (work) =>
        tested.store.transaction(async (db) => {
          await work(db);
          throw new Error('crashed');
        }),
    });
    const ended = openFollowedOrders(chain, tested.store, { store: crashing });
    await expect(ended.reconcile()).rejects.toThrow('crashed');
    expect((await dump(tested.store)).orders).toEqual([]);
    await followed.reconcile();
    world.must(world.cancel(order));
    expect(await listLimit(followed, world, false)).toMatchObject([{ address: order.address }]);
  });

  it('are those of the genesis again after a reset of the network', async () => {
    const { world, order, chain } = openGenesis();
    const followed = openFollowedOrders(chain, tested.store);
    const genesis = accountsOf(world, [order]);
    await followed.reconcile();
    world.must(world.cancel(order));
    const later = world.place();
    world.must(...world.fill(later, 5n));
    await followed.reconcile();
    // The network writes accounts, and its slots, transactions and events stay.
    chain.pass(1n);
    for (const [address, account] of genesis) world.network.setAccount(address, account);
    world.network.setAccount(later.address, NOTHING);
    await followed.reconcile();
    expect(await dump(tested.store)).toMatchObject({
      orders: [
        { address: order.address, state: 'cancelled' },
        { address: order.address, state: 'open' },
      ],
      trades: [],
    });
    world.must(...world.fill(order, 1_000_000n));
    expect(await listLimit(followed, world, false)).toMatchObject([
      { address: order.address, state: 'filled', trades: [{ inputAmount: 1_000_000n }] },
      { address: order.address, state: 'cancelled' },
    ]);
  });

  it('have no fills any more that a restored snapshot has undone', async () => {
    const world = new LimitWorld();
    const chain = new HistoryChain(world.network);
    const followed = openFollowedOrders(chain, tested.store);
    const order = world.place();
    const saved = accountsOf(world, [order]);
    world.must(...world.fill(order, 5n));
    await followed.reconcile();
    expect((await dump(tested.store)).trades).toHaveLength(1);
    chain.pass(1n);
    for (const [address, account] of saved) world.network.setAccount(address, account);
    await followed.reconcile();
    expect(await listLimit(followed, world, true)).toMatchObject([
      { openSignature: 'transaction 1', remainingMaking: 1_000_000n, trades: [] },
    ]);
    expect(await dump(tested.store)).toMatchObject({ orders: [{ remainingMaking: '1000000' }], trades: [] });
  });

  it('are recorded when the record begins, over an outside RPC', async () => {
    const { world, order, chain } = openGenesis();
    world.must(...world.fill(order, 10n));
    const followed = openFollowedOrders(chain, tested.store, { isOwnNetwork: false });
    await followed.limit.upToNow();
    world.must(...world.fill(order, 20n));
    world.must(world.cancel(order));
    expect(await listLimit(followed, world, false)).toMatchObject([
      {
        address: order.address,
        state: 'cancelled',
        remainingMaking: 999_970n,
        openSignature: null,
        trades: [{ inputAmount: 20n }],
      },
    ]);
    expect(followed.told).toEqual([]);
  });

  it('are left out where an outside RPC does not list them, and the operator is told', async () => {
    const { world, order, chain } = openGenesis();
    const refusing = withAccounts(() => Promise.reject(new ChainUnavailable('no searches here', 'refused')));
    const followed = openFollowedOrders(chain, tested.store, { isOwnNetwork: false, seen: refusing });
    await followed.limit.upToNow();
    world.must(world.cancel(order));
    const other = world.place();
    world.must(world.cancel(other));
    expect(await listLimit(followed, world, false)).toMatchObject([{ address: other.address }]);
    expect(followed.told).toEqual([expect.stringContaining('no searches here')]);
  });
});

const NOTHING = {
  lamports: 0n,
  owner: SYSTEM_PROGRAM,
  data: new Uint8Array(),
  executable: false,
  rentEpoch: 0n,
};

/** A network that begins with an order. */
function openGenesis() {
  const world = new LimitWorld();
  const order = world.place();
  return { world, order, chain: new HistoryChain(world.network) };
}

/** A chain that does something after the accounts of a program were read. */
function withAccounts(then: (found: readonly unknown[]) => Promise<void>) {
  return (seen: HistoryChain) =>
    replaced<Chain>(seen as unknown as Chain, {
      openView: () => {
        const view = seen.openView();
        return replaced(view, {
          getProgramAccounts: async (program, filter) => {
            const found = await view.getProgramAccounts(program, filter);
            await then(found);
            return found;
          },
        });
      },
    });
}

async function listLimit({ lists }: FollowedOrders, { maker }: LimitWorld, isOpen: boolean) {
  return (await lists.listLimitOrders(...askOrders(maker, isOpen))).orders;
}

/** The accounts of orders and of what they hold. */
function accountsOf({ network }: LimitWorld, orders: readonly ReturnType<LimitWorld['place']>[]) {
  const addresses = orders.flatMap(({ address, inputReserve }) => [address, inputReserve]);
  return addresses.flatMap((address) => {
    const account = network.account(address);
    return account === null ? [] : [[address, account] as const];
  });
}

async function dump({ db }: Store) {
  return {
    orders: [...(await db.select().from(programOrders).orderBy(programOrders.number))],
    trades: [...(await db.select().from(programOrderTrades).orderBy(programOrderTrades.number))],
  };
}
