import { SYSTEM_TIMERS, wait } from '../src/common/ports/timers.ts';
import { openTestStore } from '../src/testing/store/test-store.ts';
import { numbered } from '../src/testing/test-tokens.ts';
import { createTestOrder, createTestTransaction } from '../src/testing/waiting-orders/test-orders.ts';
import type { OrderFamily, OrderLeg } from '../src/waiting-orders/order-plan.ts';
import { OrderHistory } from '../src/waiting-orders/store/order-history.ts';
import { NEVER, type WaitingOrder } from '../src/waiting-orders/waiting-order.ts';
import { quantileOf } from './latency.ts';
import { HOUR_MS, OrderMarket } from './orders/order-market.ts';
import { storeOrders, storeTransactions } from './orders/open-orders.ts';
import type { Row } from './row.ts';

export const title = 'Orders in rounds, and the history of orders';

const DUE = 10_000;
/** Orders over a price whose price is reached while the rounds are worked off, one after another. */
const REACHED = 20;
const SLOT_MS = 100;
const SHARES = 10;
const [LEAST_SHARE, MOST_SHARE] = [0.5, 2];
const [STORED, PAGE, READ] = [10_000, 20, 200];
const MAX_READ_MS = 5;
const NETWORK = 'bench';

/** Rounds are filled as in `sluice start`: planned, signed by custody, recorded and sent to the embedded network. */
export async function run(): Promise<readonly Row[]> {
  return [...(await historyRows()), ...(await roundRows())];
}

/** The pages that a wallet with many orders is shown first. */
async function historyRows(): Promise<readonly Row[]> {
  const { store, cleanUp } = await openTestStore('sqlite');
  try {
    const orders = Array.from({ length: STORED }, (_, index) => createStoredOrder(index));
    await storeOrders(store, NETWORK, orders);
    await storeTransactions(store, orders.map(createDeposit));
    const history = new OrderHistory(store, NETWORK);
    return [await historyRow(history, 'price'), await historyRow(history, 'recurring')];
  } finally {
    await cleanUp();
  }
}

async function historyRow(history: OrderHistory, family: OrderFamily): Promise<Row> {
  const { wallet } = createStoredOrder(0);
  const times: number[] = [];
  for (let read = 0; read < READ; read++) {
    const begin = performance.now();
    await history.list({
      wallet,
      family,
      state: null,
      mint: null,
      sort: 'updated_at',
      direction: 'desc',
      limit: PAGE,
      offset: 0,
    });
    times.push(performance.now() - begin);
  }
  times.sort((one, other) => one - other);
  const [p50, p99] = [quantileOf(times, 0.5), quantileOf(times, 0.99)];
  const name = family === 'price' ? 'over prices' : 'in rounds';
  return {
    what: `a page of ${PAGE} orders ${name} of a wallet with ${STORED.toLocaleString('en')} orders: p50 / p99`,
    measured: `${p50.toFixed(2)} ms / ${p99.toFixed(2)} ms`,
    atLeast: `p50 at most ${MAX_READ_MS} ms`,
    ok: p50 <= MAX_READ_MS,
  };
}

/** A user puts the clock forward by an hour. Then all rounds are due, and prices are reached meanwhile. */
async function roundRows(): Promise<readonly Row[]> {
  const steps = Array<number>(REACHED).fill(1);
  const orders = await OrderMarket.open({ waiting: 0, steps, rounds: DUE, slotMs: SLOT_MS }, () => undefined);
  try {
    await orders.start(DUE + REACHED);
    const signed = signings(orders);
    const begin = performance.now();
    orders.advanceClock(HOUR_MS + 60_000);
    const waits: number[] = [];
    while (signed.round.length < DUE) {
      const done = signed.round.length;
      if (waits.length < REACHED && done >= (waits.length * DUE) / REACHED) {
        waits.push(await priceWait(orders, signed.single));
      }
      await wait(SLOT_MS, SYSTEM_TIMERS);
    }
    return [evennessRow(signed.round, begin), waitRow(waits)];
  } finally {
    await orders.close();
  }
}

type Signings = Readonly<Record<'round' | 'single', number[]>>;

function signings(orders: OrderMarket): Signings {
  const signed: Signings = { round: [], single: [] };
  orders.onSign = (leg: OrderLeg) => signed[leg === 'round' ? 'round' : 'single'].push(performance.now());
  return signed;
}

/** Returns the milliseconds from when a price has held until the fill of its order is signed. */
async function priceWait(orders: OrderMarket, signed: readonly number[]): Promise<number> {
  const before = signed.length;
  orders.approach();
  const begin = performance.now();
  orders.pass();
  while (signed.length === before) await wait(1, SYSTEM_TIMERS);
  return (signed[before] ?? Number.NaN) - begin;
}

function evennessRow(times: readonly number[], begin: number): Row {
  const length = (Math.max(...times) - begin) / SHARES;
  const shares = Array.from({ length: SHARES }, (_, share) => {
    const from = begin + share * length;
    const to = share === SHARES - 1 ? Number.POSITIVE_INFINITY : from + length;
    return times.filter((time) => time >= from && time < to).length;
  });
  const due = times.length / SHARES;
  const [least, most] = [Math.min(...shares) / due, Math.max(...shares) / due];
  return {
    what: `${DUE.toLocaleString('en')} rounds that are due at once: the fewest and the most fills in a tenth of the time`,
    measured: `${least.toFixed(2)} and ${most.toFixed(2)} of a tenth of all, ${((length * SHARES) / 1_000).toFixed(1)} s in all`,
    atLeast: `between ${LEAST_SHARE} and ${MOST_SHARE}`,
    ok: least >= LEAST_SHARE && most <= MOST_SHARE,
  };
}

function waitRow(waits: readonly number[]): Row {
  const sorted = [...waits].sort((one, other) => one - other);
  return {
    what: `a price has held until the fill that it triggers is signed, beside those rounds, ${REACHED} times: p50 / the longest`,
    measured: `${quantileOf(sorted, 0.5).toFixed(0)} ms / ${(sorted.at(-1) ?? Number.NaN).toFixed(0)} ms`,
  };
}

/** An order of one wallet, every second one in rounds. */
function createStoredOrder(index: number): WaitingOrder {
  const isOpen = index % 10 === 0;
  const order = createTestOrder(index, { state: isOpen ? 'open' : 'fill_success', wallet: numbered(5) });
  if (index % 2 === 0) return order;
  const beginAt = order.createdAt;
  return {
    ...order,
    plan: { kind: 'time_based', rounds: 4, intervalMs: HOUR_MS, beginAt, band: null, earnMint: null },
    expiresAt: NEVER,
    rounds: { filled: 1, nextAt: beginAt + HOUR_MS, lastAt: beginAt },
  };
}

function createDeposit(order: WaitingOrder) {
  return createTestTransaction({ ...order, transactions: 1 }, { outcome: 'success' });
}
