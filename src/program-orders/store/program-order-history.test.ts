import { getTableColumns, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { Address } from '../../solana/address.ts';
import type { Store } from '../../store/index.ts';
import { createDatabase } from '../../store/sql/sql.ts';
import { openForEach } from '../../testing/opened.ts';
import { askOrders } from '../../testing/program-orders/followed-orders.ts';
import {
  createTestLimitOrder,
  createTestTrade,
  recordTestOrders,
} from '../../testing/program-orders/test-program-orders.ts';
import { replaced } from '../../testing/replaced.ts';
import { openTestStore, STORES } from '../../testing/store/test-store.ts';
import { MAX_SHOWN_TRADES, type ProgramOrderQuery } from '../program-order.ts';
import { OrderRecorder } from './order-recorder.ts';
import { ProgramOrderHistory } from './program-order-history.ts';
import { toOrderColumns } from './order-rows.ts';
import { programOrders } from './program-order-tables.ts';

describe.each(STORES)('ProgramOrderHistory on %s', (kind) => {
  const tested = openForEach(() => openTestStore(kind), 'cleanUp');

  it('lists the orders of a maker that have ended, page by page, those that ended last first', async () => {
    const ended = Array.from({ length: 5 }, (_, at) =>
      createTestLimitOrder(at + 1, { state: 'filled', updatedAt: BigInt(100 - Math.floor(at / 2)) }),
    );
    await recordTestOrders(tested.store, 'n', [
      ...ended,
      createTestLimitOrder(6),
      createTestLimitOrder(7, { state: 'cancelled', maker: 'another' as Address }),
    ]);
    const history = new ProgramOrderHistory(tested.store, 'n', 'limit-order');
    const pages = [];
    for (const page of [1, 2, 3, 4, 1_000_000_000_000]) {
      pages.push(await history.listEnded(ask({ page, perPage: 2 })));
    }
    expect(pages.map(({ orders }) => orders.map(({ number }) => number))).toEqual([
      [2, 1],
      [4, 3],
      [5],
      [],
      [],
    ]);
    expect(pages.map(({ total }) => total)).toEqual([5, 5, 5, 5, 5]);
    expect(pages[2]?.orders[0]).toEqual({
      number: 5,
      order: ended[4],
      trades: 1,
      shownTrades: [createTestTrade(5)],
    });
    for (const [network, program] of [
      ['other', 'limit-order'],
      ['n', 'dca'],
    ] as const) {
      expect((await new ProgramOrderHistory(tested.store, network, program).listEnded(ask({}))).total).toBe(
        0,
      );
    }
  });

  it('selects by the input, the output, and either of both', async () => {
    const [a, b, c] = ['a', 'b', 'c'] as Address[] as [Address, Address, Address];
    const pairs = [
      [a, b],
      [b, a],
      [b, c],
    ] as const;
    const orders = pairs.map(([inputMint, outputMint], at) =>
      createTestLimitOrder(at + 1, { state: 'filled', inputMint, outputMint }),
    );
    await recordTestOrders(tested.store, 'n', orders);
    const history = new ProgramOrderHistory(tested.store, 'n', 'limit-order');
    const numbersOf = async (query: Partial<ProgramOrderQuery>) =>
      (await history.listEnded(ask(query))).orders.map(({ number }) => number);
    expect(await numbersOf({ inputMint: b })).toEqual([3, 2]);
    expect(await numbersOf({ outputMint: b })).toEqual([1]);
    expect(await numbersOf({ anyMint: a })).toEqual([2, 1]);
    expect(await numbersOf({ anyMint: a, inputMint: b })).toEqual([2]);
  });

  it('shows the newest trades of an order, of which there can be any number', async () => {
    const order = createTestLimitOrder(1);
    await recordTestOrders(tested.store, 'n', [order]);
    const recorder = new OrderRecorder(tested.store, 'n', 'limit-order');
    const cursor = await recorder.findCursor();
    if (cursor === null) throw new Error('something is recorded');
    const steps = Array.from({ length: MAX_SHOWN_TRADES + 5 }, (_, at) => ({
      kind: 'change' as const,
      address: order.address,
      change: () => ({ order, trade: createTestTrade(at + 2) }),
    }));
    expect(await recorder.record(cursor, { signature: 'last', slot: 9n }, steps)).toBe(true);
    const history = new ProgramOrderHistory(tested.store, 'n', 'limit-order');
    const found = (await history.findOpen([order.address])).get(order.address);
    expect(found?.trades).toBe(MAX_SHOWN_TRADES + 6);
    expect(found?.shownTrades).toHaveLength(MAX_SHOWN_TRADES);
    expect(found?.shownTrades[0]).toEqual(createTestTrade(MAX_SHOWN_TRADES + 6));
  });

  it.runIf(kind === 'sqlite')('finds a page and its count in an index alone', async () => {
    const { db } = tested.store;
    const plans: string[] = [];
    for (const statement of await listStatements(tested.store)) {
      const rows = (await db.execute(sql.raw(`explain query plan ${statement}`))) as unknown as unknown[][];
      plans.push(rows.map((row) => row.at(-1)).join(', '));
    }
    const found = 'SEARCH program_orders USING COVERING INDEX program_orders_history';
    const trades = 'SEARCH program_order_trades USING INDEX sqlite_autoindex_program_order_trades_1';
    const ofMaker = `${found} (maker=? AND network=? AND program=?)`;
    expect(plans.slice(0, 2)).toEqual([ofMaker, ofMaker]);
    // The rows of the page, and their trades.
    expect(plans.slice(2).map((plan) => plan.replace(/,.*/, ''))).toEqual([
      'SEARCH program_orders USING INDEX sqlite_autoindex_program_orders_1 (network=? AND program=? AND number=?)',
      `${trades} (network=? AND program=? AND order_number=?)`,
      `${trades} (network=? AND program=? AND order_number=? AND number>?)`,
    ]);
  });

  /** Returns the statements of a list of two orders, one with few trades and one with many, with their parameters. */
  async function listStatements(store: Store): Promise<readonly string[]> {
    const statements: string[] = [];
    const row = toOrderColumns(createTestLimitOrder(1));
    const rows = [5, MAX_SHOWN_TRADES + 1].map((trades, at) => ({
      network: 'n',
      ...row,
      number: at,
      trades,
    }));
    const columns = Object.keys(getTableColumns(programOrders)) as (keyof (typeof rows)[0])[];
    const answers: unknown[][][] = [
      [[2]],
      [[0], [1]],
      rows.map((each) => columns.map((column) => each[column])),
    ];
    const db = createDatabase(async (text, parameters) => {
      statements.push(
        text.replace(/\$(\d+)/g, (_, at) => {
          const value = parameters[Number(at) - 1];
          return typeof value === 'number' ? String(value) : `'${value}'`;
        }),
      );
      return answers[statements.length - 1] ?? [];
    });
    const history = new ProgramOrderHistory(replaced<Store>(store, { db }), 'n', 'limit-order');
    await history.listEnded(ask({ anyMint: 'a' as Address }));
    return statements;
  }
});

function ask(query: Partial<ProgramOrderQuery>): ProgramOrderQuery {
  return askOrders('maker' as Address, false, query)[0];
}
