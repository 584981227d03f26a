import { describe, expect, it } from 'vitest';
import { LimitWorld } from '../../../programs/limit-order/tests/world.ts';
import type { Chain } from '../../chain/chain.ts';
import { openForEach } from '../../testing/opened.ts';
import { askOrders } from '../../testing/program-orders/followed-orders.ts';
import { HistoryChain } from '../../testing/svm/history-chain.ts';
import { createTestLimitOrder, recordTestOrders } from '../../testing/program-orders/test-program-orders.ts';
import { openTestStore } from '../../testing/store/test-store.ts';
import { ManualTimers } from '../../testing/timers.ts';
import { programOrders } from '../store/program-order-tables.ts';
import { openProgramOrders, type ProgramOrdersOptions } from './open-program-orders.ts';

describe('openProgramOrders', () => {
  const tested = openForEach(() => openTestStore('sqlite'), 'cleanUp');

  it('lists only what is open, as the chain has it, where the programs are not followed', async () => {
    const { world, orders } = open({ follows: false });
    const order = world.place();
    world.must(...world.fill(order, 1_000n));
    orders.start();
    const { createdAt, updatedAt } = world.read(order) ?? {};
    expect((await orders.lists.listLimitOrders(...askOrders(world.maker, true))).orders).toMatchObject([
      { remainingMaking: 999_000n, openSignature: null, trades: [], createdAt, updatedAt },
    ]);
    await expect(orders.lists.listLimitOrders(...askOrders(world.maker, false))).rejects.toThrow(
      'orders that have ended are kept only where `follow-order-programs` is on',
    );
    await expect(orders.lists.listDcaOrders(...askOrders(world.maker, false))).rejects.toThrow(
      'follow-order-programs',
    );
    expect([orders.unhealthy(), await tested.store.db.select().from(programOrders)]).toEqual([null, []]);
    await orders.close();
  });

  it('follows both programs from its start to its end', async () => {
    const { world, orders } = open({ follows: true });
    const order = world.place();
    world.must(world.cancel(order));
    orders.start();
    expect((await orders.lists.listLimitOrders(...askOrders(world.maker, false))).orders).toMatchObject([
      { address: order.address, state: 'cancelled' },
    ]);
    expect(await orders.lists.listDcaOrders(...askOrders(world.maker, false))).toEqual({
      orders: [],
      total: 0,
    });
    expect(orders.unhealthy()).toBeNull();
    await orders.close();
    await expect(orders.lists.listLimitOrders(...askOrders(world.maker, false))).rejects.toThrow('is ending');
  });

  it('removes old orders every hour, by the clock of the network', async () => {
    const { chain, orders, timers } = open({ follows: true, historyDays: 30 });
    const now = chain.clock().unixTimestamp;
    await recordTestOrders(tested.store, chain.genesisHash, [
      createTestLimitOrder(1, { state: 'filled', updatedAt: now - 31n * 86_400n }),
      createTestLimitOrder(2, { state: 'filled', updatedAt: now - 29n * 86_400n }),
    ]);
    orders.start();
    timers.advance(3_600_000);
    const kept = async () => (await tested.store.db.select().from(programOrders)).map(({ number }) => number);
    await expect.poll(kept).toEqual([2]);
    await orders.close();
    expect(timers.waiting).toBe(0);
  });

  function open(options: Partial<ProgramOrdersOptions>) {
    const world = new LimitWorld();
    const chain = new HistoryChain(world.network);
    const timers = new ManualTimers();
    const orders = openProgramOrders({
      chain: chain as unknown as Chain,
      store: tested.store,
      follows: true,
      isOwnNetwork: true,
      historyDays: 0,
      timers,
      createOutageLog: () => ({ onFailure: throwIt, onAnswer: () => undefined }),
      onDefect: (_, error) => throwIt(error),
      ...options,
    });
    return { world, chain, timers, orders };
  }
});

function throwIt(error: unknown): never {
  throw error;
}
