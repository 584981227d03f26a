import { describe, expect, it } from 'vitest';
import { openForEach } from '../../testing/opened.ts';
import { createTestLimitOrder, recordTestOrders } from '../../testing/program-orders/test-program-orders.ts';
import { openTestStore, STORES } from '../../testing/store/test-store.ts';
import { removeOldProgramOrders } from './order-removal.ts';
import { programOrders, programOrderTrades } from './program-order-tables.ts';

describe.each(STORES)('removeOldProgramOrders on %s', (kind) => {
  const tested = openForEach(() => openTestStore(kind), 'cleanUp');

  it('removes orders that ended so many days ago, with their trades, and no others', async () => {
    await recordTestOrders(tested.store, 'n', [
      createTestLimitOrder(1, { state: 'filled', updatedAt: 0n }),
      createTestLimitOrder(2, { state: 'cancelled', updatedAt: 1n }),
      createTestLimitOrder(3, { state: 'open', updatedAt: 0n }),
    ]);
    await recordTestOrders(tested.store, 'other', [
      createTestLimitOrder(1, { state: 'filled', updatedAt: 0n }),
    ]);
    const at = { network: 'n', now: 30n * 86_400n + 1n, isStopped: () => false };
    await removeOldProgramOrders(tested.store, { ...at, historyDays: 0 });
    expect(await listKept()).toEqual(['n 1', 'n 2', 'n 3', 'other 1']);
    await removeOldProgramOrders(tested.store, { ...at, historyDays: 30 });
    expect(await listKept()).toEqual(['n 2', 'n 3', 'other 1']);
    const trades = await tested.store.db.select().from(programOrderTrades);
    expect(trades.map(({ network, orderNumber }) => `${network} ${orderNumber}`).sort()).toEqual([
      'n 2',
      'n 3',
      'other 1',
    ]);
  });

  it('goes on until nothing is left, in steps between which it can be stopped', async () => {
    const many = Array.from({ length: 500 }, (_, at) =>
      createTestLimitOrder(at + 1, { state: 'filled', updatedAt: 0n }),
    );
    await recordTestOrders(tested.store, 'n', many);
    let steps = 0;
    const at = { network: 'n', now: 86_401n, historyDays: 1 };
    await removeOldProgramOrders(tested.store, { ...at, isStopped: () => steps++ >= 1 });
    expect(await listKept()).toHaveLength(300);
    await removeOldProgramOrders(tested.store, { ...at, isStopped: () => false });
    expect(await listKept()).toEqual([]);
    expect(await tested.store.db.select().from(programOrderTrades)).toEqual([]);
  });

  async function listKept(): Promise<readonly string[]> {
    const rows = await tested.store.db.select().from(programOrders);
    return rows.map(({ network, number }) => `${network} ${number}`).sort();
  }
});
