import { performance } from 'node:perf_hooks';
import { asc, eq } from 'drizzle-orm';
import { SYSTEM_TIMERS } from '../src/common/ports/timers.ts';
import { ExchangeState } from '../src/exchange/books/exchange-state.ts';
import type { ExchangeCommand, ExchangeOrder } from '../src/exchange/exchange-order.ts';
import { exchangeJournal } from '../src/exchange/journal/journal-tables.ts';
import { openExchangeBooks } from '../src/exchange/running/exchange-books.ts';
import type { Store } from '../src/store/sql/sql.ts';
import { createTestAddress } from '../src/testing/exchange/test-exchange.ts';
import { openTestStore, STORES } from '../src/testing/store/test-store.ts';
import type { Row } from './row.ts';

export const title = 'Exchange of prediction markets';

const MARKETS = 20;
const ORDERS = 100_000;
const ROUNDS = 5;
const PERSISTED_ORDERS = 20_000;
const PERSISTED_ROUNDS = 5;
/** So many rows of the journal are one batch. */
const ROWS_IN_BATCH = 4;
const LEAST_PER_SECOND = 100_000;

/** Orders of many owners on markets with a house: limit orders of which most meet others, and some that do not rest. */
export async function run(): Promise<readonly Row[]> {
  const orders = createOrders(ORDERS);
  let best = 0;
  let trades = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const measured = measureMatching(orders);
    best = Math.max(best, measured.perSecond);
    trades = measured.trades;
  }
  const rows: Row[] = [
    {
      what: `orders of ${MARKETS} markets in memory, a second of one core: ${ORDERS.toLocaleString('en')} orders with ${trades.toLocaleString('en')} trades, each confirmed, and each order forgotten after its end`,
      measured: `${Math.round(best).toLocaleString('en')}/s`,
      atLeast: `${LEAST_PER_SECOND.toLocaleString('en')}/s`,
      ok: best >= LEAST_PER_SECOND,
    },
  ];
  for (const kind of STORES) rows.push(await measureJournal(kind, orders.slice(0, PERSISTED_ORDERS)));
  return rows;
}

function measureMatching(orders: readonly ExchangeOrder[]): { perSecond: number; trades: number } {
  const state = new ExchangeState();
  for (const command of createMarkets()) state.apply(command);
  let trades = 0;
  // Processor time, that of the garbage collector's threads included: other work on the machine does not count.
  const before = process.cpuUsage();
  for (const order of orders) {
    let commands: ExchangeCommand[] = [{ kind: 'accept', order }];
    while (commands.length > 0) {
      const next: ExchangeCommand[] = [];
      for (const command of commands) {
        const outcome = state.apply(command);
        trades += outcome.trades.length;
        for (const { number } of outcome.trades) next.push({ kind: 'confirm', trade: number });
        for (const { address } of outcome.ended) next.push({ kind: 'forget', order: address });
      }
      commands = next;
    }
  }
  const { user, system } = process.cpuUsage(before);
  return { perSecond: (orders.length * 1_000_000) / (user + system), trades };
}

/** Accepts orders with the journal, and then writes the rows that this has made without an exchange, by turns. */
async function measureJournal(kind: (typeof STORES)[number], orders: readonly ExchangeOrder[]): Promise<Row> {
  const { store, cleanUp } = await openTestStore(kind);
  let [exchange, bare] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < PERSISTED_ROUNDS; round++) {
    const network = `network ${round}`;
    const books = await openExchangeBooks({
      store,
      network,
      timers: SYSTEM_TIMERS,
      onError: (error) => console.error(error),
    });
    await Promise.all(createMarkets().map((command) => books.send(command)));
    const beginsAt = performance.now();
    const sent: Promise<unknown>[] = [];
    for (const order of orders) sent.push(books.send({ kind: 'accept', order }));
    await Promise.all(sent);
    exchange = Math.min(exchange, performance.now() - beginsAt);
    await books.close();
    bare = Math.min(bare, await measureBareAppend(store, network));
  }
  await cleanUp();
  const ratio = exchange / bare;
  const perSecond = (milliseconds: number) =>
    `${Math.round((orders.length * 1_000) / milliseconds).toLocaleString('en')}/s`;
  return {
    what: `the same with the journal on ${kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'}, until ${orders.length.toLocaleString('en')} orders are durable and matched`,
    measured: `${perSecond(exchange)}, ${ratio.toFixed(2)} times as long`,
    against: `a bare append of the same rows: ${perSecond(bare)}`,
  };
}

/** Returns the milliseconds in which the rows of a network are written once more, in transactions of as many. */
async function measureBareAppend(store: Store, network: string): Promise<number> {
  const rows = await store.db
    .select()
    .from(exchangeJournal)
    .where(eq(exchangeJournal.network, network))
    .orderBy(asc(exchangeJournal.sequence));
  const copies = rows.slice(1).map((row) => ({ ...row, network: `copy of ${network}` }));
  const beginsAt = performance.now();
  for (let at = 0; at < copies.length; at += ROWS_IN_BATCH) {
    await store.transaction(async (db) => {
      await db.insert(exchangeJournal).values(copies.slice(at, at + ROWS_IN_BATCH));
    });
  }
  return performance.now() - beginsAt;
}

function createMarkets(): ExchangeCommand[] {
  return Array.from({ length: MARKETS }, (_, index) => {
    const house = { startCents: 30 + index, levelContracts: 50_000_000n };
    return { kind: 'open', terms: { marketId: `market ${index}`, feeBps: 700, house, netYes: 0n } };
  });
}

/** The orders are the same in each run: prices lie around that of their market. */
function createOrders(count: number): ExchangeOrder[] {
  const owners = Array.from({ length: 5_000 }, (_, index) => createTestAddress(`owner ${index}`));
  let seed = 42;
  const draw = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return seed % below;
  };
  return Array.from({ length: count }, (_, index) => {
    const market = draw(MARKETS);
    const [isYes, isBuy] = [draw(2) === 0, draw(3) > 0];
    const yesPrice = (30 + market) * 10 + draw(160) - 80;
    const price = Math.min(Math.max(isYes ? yesPrice : 1_000 - yesPrice, 1), 999);
    const contracts = BigInt(1 + draw(4_000)) * 10_000n;
    return {
      address: createTestAddress(`order ${index}`),
      owner: owners[draw(owners.length)] ?? createTestAddress('owner'),
      marketId: `market ${market}`,
      isYes,
      isBuy,
      isLimit: draw(4) > 0,
      limitPrice: BigInt(price) * 1_000n,
      contracts,
      budget: isBuy ? contracts : 0n,
      heldContracts: isBuy ? 0n : 1_000_000_000n,
    };
  });
}
