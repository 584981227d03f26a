import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { disablePretenuring } from '../src/cli/commands/start/v8-flags.ts';
import { SYSTEM_TIMERS, wait } from '../src/common/ports/timers.ts';
import { toOrderResponse } from '../src/products/swap/endpoints/order.ts';
import { parseOrderRequest } from '../src/products/swap/endpoints/order-parameters.ts';
import { orderSwap } from '../src/products/swap/order/order.ts';
import type { ComposedSwap } from '../src/products/swap/order/swap-services.ts';
import { addSignatures, parseTransaction } from '../src/solana/messages/transaction.ts';
import { composeTestSwap } from '../src/testing/genesis-market/compose.ts';
import { USDC } from '../src/testing/genesis-market/makers.ts';
import { executeUnrefused } from '../src/testing/genesis-market/swap.ts';
import { quantileOf } from './latency.ts';
import { JUP, OrderMarket } from './orders/order-market.ts';
import { WAITED_PRICE } from './orders/open-orders.ts';
import type { Row } from './row.ts';

export const title = 'Orders that wait';

const OPEN = 1_000_000;
const SLOT_MS = 100;
const [WARM_UP, SINGLES] = [50, 200];
const [ROUNDS, TRIGGERED, SWAPS, AT_ONCE] = [5, 400, 400, 64];
const TICKS = 200_000;
const MEDIAN_MS = 20;
const MIN_TICKS = 10_000;
const MIN_SHARE = 0.5;
const MAX_BYTES = 300;

/**
 * All orders are in a store on disk, and the keeper reads them when it starts. An order that is triggered is planned, signed by
 * custody, recorded and sent to the embedded network, as in `sluice start`.
 */
export async function run(): Promise<readonly Row[]> {
  disablePretenuring();
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const steps = [...Array<number>(WARM_UP + SINGLES).fill(1), ...Array<number>(ROUNDS + 1).fill(TRIGGERED)];
  const triggered = steps.reduce((sum, count) => sum + count, 0);
  const waiting = OPEN - triggered;
  const orders = await OrderMarket.open({ waiting, steps, slotMs: SLOT_MS }, collectGarbage);
  try {
    const readMs = await orders.start(OPEN);
    collectGarbage();
    return [
      memoryRow(orders),
      {
        what: `${OPEN.toLocaleString('en')} open orders are read after a start`,
        measured: `${(readMs / 1_000).toFixed(1)} s`,
      },
      await tickRow(orders),
      await submitRow(orders),
      await shareRow(orders),
    ];
  } finally {
    await orders.close();
  }
}

function memoryRow({ bytesBefore, index }: OrderMarket): Row {
  const { heapUsed, external } = process.memoryUsage();
  const bytes = (heapUsed + external - bytesBefore) / index.size;
  return {
    what: `memory per open order, ${index.mintCount.toLocaleString('en')} tokens: the heap and what is outside of it`,
    measured: `${Math.round(bytes)} bytes`,
    atLeast: `at most ${MAX_BYTES} bytes`,
    ok: bytes <= MAX_BYTES,
  };
}

/** Prices of all tokens change in each slot. Each is taken in, and in the next slot the keeper looks for what it triggers. */
async function tickRow(orders: OrderMarket): Promise<Row> {
  const { waitedMints } = orders;
  const begin = performance.now();
  for (let taken = 0; taken < TICKS; ) {
    for (const mint of waitedMints) orders.setPrice(mint, WAITED_PRICE * (1 + (++taken % 997) * 1e-6));
    orders.flush();
    orders.pass();
    // The keeper goes on with what it does in the background.
    await wait(0, SYSTEM_TIMERS);
  }
  const perSecond = (TICKS / (performance.now() - begin)) * 1_000;
  return {
    what: 'price ticks taken in per second, none of which triggers an order',
    measured: Math.round(perSecond).toLocaleString('en'),
    atLeast: MIN_TICKS.toLocaleString('en'),
    ok: perSecond >= MIN_TICKS,
  };
}

async function submitRow(orders: OrderMarket): Promise<Row> {
  const times: number[] = [];
  for (let done = 0; done < WARM_UP + SINGLES; done++) {
    orders.approach();
    const begin = performance.now();
    const [submittedAt] = await submissions(orders, 1);
    if (done >= WARM_UP) times.push((submittedAt ?? Number.NaN) - begin);
    await wait(SLOT_MS / 2, SYSTEM_TIMERS);
  }
  times.sort((one, other) => one - other);
  const [p50, p99] = [quantileOf(times, 0.5), quantileOf(times, 0.99)];
  return {
    what: 'a price has held until the fill of the one order that it triggers is on its way: p50 / p99',
    measured: `${p50.toFixed(2)} ms / ${p99.toFixed(2)} ms`,
    atLeast: `p50 at most ${MEDIAN_MS} ms`,
    ok: p50 <= MEDIAN_MS,
  };
}

/** Fills and swaps take turns, so that other load on the machine affects both. */
async function shareRow(orders: OrderMarket): Promise<Row> {
  const { market } = orders;
  const composed = composeTestSwap(market.market, {
    venueLabels: {},
    timers: SYSTEM_TIMERS,
    newRequestId: randomUUID,
    onDefect: (where, error) => {
      throw new Error(`${where}: ${String(error)}`);
    },
  });
  const [fills, swaps]: [number[], number[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round++) {
    const swapped = await swapsPerSecond(orders, composed, round * SWAPS);
    orders.approach();
    const begin = performance.now();
    const submittedAt = await submissions(orders, TRIGGERED);
    // The first round warms up.
    if (round === 0) continue;
    swaps.push(swapped);
    fills.push((TRIGGERED / ((submittedAt.at(-1) ?? Number.NaN) - begin)) * 1_000);
    await wait(10 * SLOT_MS, SYSTEM_TIMERS);
  }
  const [fill, swap] = [fills, swaps].map((all) =>
    quantileOf(
      [...all].sort((a, b) => a - b),
      0.5,
    ),
  );
  const share = (fill ?? 0) / (swap ?? 1);
  return {
    what: `orders that one tick triggers, submitted per second, ${TRIGGERED} at a time`,
    measured: `${share.toFixed(2)}, which is ${Math.round(fill ?? 0)} of ${Math.round(swap ?? 0)}`,
    against: `orders that are made, signed and executed in this process, ${AT_ONCE} at a time`,
    atLeast: String(MIN_SHARE),
    ok: share >= MIN_SHARE,
  };
}

/** Lets the price trigger orders, and resolves to when each of so many fills was submitted. */
function submissions(orders: OrderMarket, count: number): Promise<readonly number[]> {
  return new Promise((resolve) => {
    const times: number[] = [];
    orders.onSubmit = () => {
      if (times.push(performance.now()) === count) resolve(times);
    };
    orders.pass();
  });
}

async function swapsPerSecond(
  { taker }: OrderMarket,
  composed: ComposedSwap,
  first: number,
): Promise<number> {
  let next = 0;
  const swapAll = async () => {
    while (next < SWAPS) {
      const amount = String(25_000_000 + first + next++);
      const query = { taker: taker.address, inputMint: JUP, outputMint: USDC.mint, amount };
      const { transaction, requestId, error } = toOrderResponse(
        composed.prices,
        await orderSwap(composed, parseOrderRequest(query, []), {
          requestId: randomUUID(),
          caller: { kind: 'organisation', id: 'bench' },
        }),
      );
      if (!transaction) throw new Error(`the order has no transaction: ${error}`);
      const signed = addSignatures(parseTransaction(Buffer.from(transaction, 'base64')), [taker]);
      await executeUnrefused(composed, {
        signedTransaction: Buffer.from(signed).toString('base64'),
        requestId,
      });
    }
  };
  const begin = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, swapAll));
  return (SWAPS / (performance.now() - begin)) * 1_000;
}
