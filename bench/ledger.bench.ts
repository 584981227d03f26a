import { performance } from 'node:perf_hooks';
import { openOneMakerSwap, SELL } from '../src/testing/genesis-market/one-maker.ts';
import { createGivenOrder, createWaitingOrder, openTestLedger } from '../src/testing/swaps/test-ledger.ts';
import type { OrderLedger } from '../src/swaps/ledger/order-ledger.ts';
import { createBookBid } from '../src/swaps/engines/maker-bid.ts';
import { createSwapFailure } from '../src/swaps/orders/execution-result.ts';
import { SYSTEM_TIMERS } from '../src/common/ports/timers.ts';
import { quantileOf } from './latency.ts';
import type { Row } from './row.ts';

export const title = 'Ledger of orders';

const ROUNDS = 20;
const ORDERS_IN_ROUND = 60;
const NOTED = 4_000;
/** How much of an order's time the ledger may take. */
const MOST = 1.05;
const MOST_MICROSECONDS = 100;

/** Orders are given out by turns with the ledger and without it, in one process over one market. */
export async function run(): Promise<readonly Row[]> {
  const { swap } = await openOneMakerSwap();
  const test = await openTestLedger();
  // The bench gives out more orders in a second than an instance notes; each is noted here.
  let clock = Date.now();
  const timers = { now: () => (clock += 1_000), after: SYSTEM_TIMERS.after };
  const ledger = test.open({ timers });
  const times = { with: [] as number[], without: [] as number[] };
  for (let round = 0; round < ROUNDS + 2; round++) {
    for (let index = 0; index < ORDERS_IN_ROUND * 2; index++) {
      const kind = (index + round) % 2 === 0 ? 'with' : 'without';
      Object.assign(swap.composed, { ledger: kind === 'with' ? ledger : null });
      const startedAt = performance.now();
      await swap.order(SELL);
      // The first rounds are a warm-up.
      if (round >= 2) times[kind].push(performance.now() - startedAt);
    }
    await ledger.flush();
  }
  const noted = await measureNotes(ledger);
  await ledger.close();
  await test.cleanUp();
  const [withLedger, without] = [getFastTime(times.with), getFastTime(times.without)];
  const ratio = withLedger / without;
  return [
    {
      what: `\`GET /swap/v2/order\` with a maker, with the ledger, by turns: the time that a tenth of ${ROUNDS * ORDERS_IN_ROUND} orders does not exceed`,
      measured: `${withLedger.toFixed(2)} ms, ratio ${ratio.toFixed(3)}`,
      against: `without it: ${without.toFixed(2)} ms`,
      atLeast: `at most ${MOST}`,
      ok: ratio <= MOST,
    },
    {
      what: 'main thread for noting an order with 3 makers, its execution and its fill, without the write',
      measured: `${noted.note.toFixed(1)} µs an order`,
      atLeast: `at most ${MOST_MICROSECONDS} µs`,
      ok: noted.note <= MOST_MICROSECONDS,
    },
    {
      what: 'main thread for handing the rows of an order to the thread of SQLite',
      measured: `${noted.hand.toFixed(1)} µs an order`,
    },
    {
      what: 'until they are written, in batches of 250 rows',
      measured: `${noted.write.toFixed(0)} µs an order`,
    },
  ];
}

/** Microseconds an order, in the fastest of some rounds. The rows that wait are fewer than those that would be dropped. */
async function measureNotes(ledger: OrderLedger) {
  const samples = { note: [] as number[], hand: [] as number[], write: [] as number[] };
  for (let round = 0; round < 12; round++) {
    const startedAt = performance.now();
    for (let index = 0; index < NOTED; index++) note(ledger, `${round} ${index}`);
    const noted = performance.now();
    const before = performance.eventLoopUtilization();
    await ledger.flush();
    const { active } = performance.eventLoopUtilization(before);
    const of = (milliseconds: number) => (milliseconds * 1_000) / NOTED;
    if (round === 0) continue;
    samples.note.push(of(noted - startedAt));
    samples.hand.push(of(active));
    samples.write.push(of(performance.now() - noted));
  }
  const least = (times: readonly number[]) => Math.min(...times);
  return { note: least(samples.note), hand: least(samples.hand), write: least(samples.write) };
}

const BIDS = ['one', 'two', 'three'].map((makerId) => createBookBid(makerId, null));

function note(ledger: OrderLedger, requestId: string): void {
  const order = createWaitingOrder(requestId);
  ledger.ordered(createGivenOrder(requestId, { makerId: 'one', bids: BIDS }));
  ledger.executing(order);
  ledger.offered(order, 'one', 1);
  ledger.answered(requestId, 'one', 'signed');
  const answer = createSwapFailure(-2_000, 'the swap did not land', requestId);
  ledger.filled(order, 'one', { state: 'expired', answer });
}

/** Other work on the machine delays most orders, but not the fastest. */
function getFastTime(samples: readonly number[]): number {
  return quantileOf(
    [...samples].sort((one, other) => one - other),
    0.1,
  );
}
