import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pass } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { NO_METRICS } from '../src/common/ports/metrics.ts';
import { createMakerMeters } from '../src/rfq/makers/maker-meters.ts';
import { SYSTEM_TIMERS } from '../src/common/ports/timers.ts';
import { venueLabels } from '../src/protocol/venue/venue.ts';
import { VENUES } from '../src/protocols/venues.ts';
import { parseOrderRequest } from '../src/products/swap/endpoints/order-parameters.ts';
import { composeTestSwap } from '../src/testing/genesis-market/compose.ts';
import { Unavailable } from '../src/common/unavailable.ts';
import { SwapRefused } from '../src/swaps/refusals.ts';
import { orderSwap } from '../src/products/swap/order/order.ts';
import { Webhooks } from '../src/rfq/index.ts';
import { WEBHOOK_CONDUCT } from '../src/rfq/webhooks/conduct.ts';
import type { WebhookRequest } from '../src/rfq/webhooks/webhook.ts';
import { createMakerAccount, createMaker, SOL, USDC } from '../src/testing/genesis-market/makers.ts';
import { MemoryWebhookRecords, MemoryWebhookStore } from '../src/testing/rfq/webhook-maker.ts';
import { quantileOf } from './latency.ts';
import { type EmbeddedMarket, openEmbeddedMarket } from './market/embedded-market.ts';
import type { Row } from './row.ts';
import type { Conduct, Listening, LoadedMaker, Slowest } from './webhook-load.ts';

export const title = 'Makers by webhook';

const MAKERS = 20;
const FAULTY: readonly Conduct[] = ['hangs', 'floods', 'resets', 'garbage'];
const DELAY_MS = 5;
const QUOTE_MS = 250;
const WARM_UP = 1_000;
const QUESTIONS = 1_000;
/** Orders in flight. */
const CONCURRENT = 16;
const WARM_UP_MS = 2_000;
const MEASURED_MS = 4_000;
const ROUNDS = 3;
const FUNDS = 1_000_000_000_000_000n;
const AMOUNT = 100_000_000n;
const ADDED_MS = 3;
const ORDERS_PER_SECOND = 300;
/** The demanded share of the rate with honest makers alone. */
const BESIDE_FAULTY = 0.8;

interface World {
  readonly webhooks: Webhooks;
  /** Returns the time of the slowest maker for each order since the last call. */
  readonly slowest: () => Promise<ReadonlyMap<string, number>>;
  /** Whether a maker has won the order. */
  readonly order: (excluded: string) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

/** Makers in another process, over loopback. The network executes in a thread of its own. */
export async function run(): Promise<readonly Row[]> {
  const market = await openEmbeddedMarket(400);
  try {
    const honest = await openWorld(market, makersOf('answers', MAKERS));
    const added = await addedByAsking(honest);
    const rates = { makers: [] as number[], all: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      rates.makers.push((await ordersPerSecond(honest, 'metis')).busy);
      rates.all.push((await ordersPerSecond(honest, '')).busy);
    }
    await honest.close();
    return [
      addedRow(added),
      rateRow(Math.max(...rates.makers)),
      {
        what: 'the same with the router, which looks for a better route beside them',
        measured: `${Math.round(Math.max(...rates.all))} per second of the gateway's thread`,
      },
      await besideFaulty(market),
    ];
  } finally {
    await market.close();
  }
}

/** Sends one order at a time, and measures how much longer it takes than the maker that answers last. */
async function addedByAsking({ webhooks, slowest }: World): Promise<readonly number[]> {
  const took = new Map<string, number>();
  for (let asked = 0; asked < WARM_UP + QUESTIONS; asked++) {
    const request = requestOf();
    const startedAt = performance.now();
    const quotes = await webhooks.ask(
      request,
      { caller: { kind: 'organisation', id: 'bench' } },
      new AbortController().signal,
    );
    if (asked >= WARM_UP) took.set(request.requestId, performance.now() - startedAt);
    if (quotes.length !== MAKERS) throw new Error(`${quotes.length} of ${MAKERS} makers have answered`);
  }
  const makers = await slowest();
  return [...took].map(([id, ms]) => ms - (makers.get(id) ?? Number.NaN)).sort((one, other) => one - other);
}

function addedRow(added: readonly number[]): Row {
  const tail = quantileOf(added, 0.99);
  return {
    what: `${MAKERS} makers asked for one order: what that takes beyond the maker that answers last: p50 / p99`,
    measured: `${quantileOf(added, 0.5).toFixed(2)} ms / ${tail.toFixed(2)} ms`,
    atLeast: `p99 at most ${ADDED_MS} ms`,
    ok: tail <= ADDED_MS,
  };
}

function rateRow(perSecond: number): Row {
  return {
    what: `orders per second of one core with ${MAKERS} makers that answer in ${DELAY_MS} ms: accounts read, the best offer simulated`,
    measured: `${Math.round(perSecond)} per second of the gateway's thread`,
    atLeast: `${ORDERS_PER_SECOND}`,
    ok: perSecond >= ORDERS_PER_SECOND,
  };
}

/** Four of the five makers misbehave. */
async function besideFaulty(market: EmbeddedMarket): Promise<Row> {
  const rates = { alone: [] as number[], beside: [] as number[] };
  const alone = await openWorld(market, makersOf('answers', 1));
  const faulty = FAULTY.flatMap((conduct) => makersOf(conduct, 1));
  const beside = await openWorld(market, [...makersOf('answers', 1), ...faulty]);
  for (let round = 0; round < ROUNDS; round++) {
    rates.alone.push((await ordersPerSecond(alone, 'metis')).passed);
    rates.beside.push((await ordersPerSecond(beside, 'metis')).passed);
  }
  await alone.close();
  await beside.close();
  const [one, other] = [Math.max(...rates.alone), Math.max(...rates.beside)];
  return {
    what: 'orders per second of a maker beside four that hang, flood, reset and answer garbage',
    measured: `${(other / one).toFixed(2)}, which is ${Math.round(other)} of ${Math.round(one)}`,
    against: 'the maker alone',
    atLeast: `${BESIDE_FAULTY}`,
    ok: other / one >= BESIDE_FAULTY,
  };
}

interface Rate {
  /** Seconds by the clock. */
  readonly passed: number;
  /** Seconds in which this thread used a core. The makers and the network's programs run in others. */
  readonly busy: number;
}

async function ordersPerSecond({ order }: World, excluded: string): Promise<Rate> {
  let made = 0;
  let isOver = false;
  const working = Array.from({ length: CONCURRENT }, async () => {
    while (!isOver) {
      if (await order(excluded)) made++;
    }
  });
  await pass(WARM_UP_MS);
  const [before, startedAt, usedBefore] = [made, performance.now(), threadSeconds()];
  await pass(MEASURED_MS);
  const counted = made - before;
  const rate = {
    passed: (counted * 1_000) / (performance.now() - startedAt),
    busy: counted / (threadSeconds() - usedBefore),
  };
  isOver = true;
  await Promise.all(working);
  return rate;
}

const TICKS_PER_SECOND = 100;

/** Returns the seconds for which the main thread has used a core, as Linux reports them. */
function threadSeconds(): number {
  const stat = readFileSync(`/proc/self/task/${process.pid}/stat`, 'utf8');
  // The name of the thread, in parentheses, may contain spaces. The 14th and 15th field are user and system time.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

function requestOf(): WebhookRequest {
  return {
    requestId: randomUUID(),
    quoteId: randomUUID(),
    tokenIn: SOL.mint,
    tokenOut: USDC.mint,
    amount: AMOUNT,
    quoteType: 'exactIn',
    feeBps: 0,
    taker: null,
    receiver: null,
    suggestedPrice: null,
  };
}

function makersOf(conduct: Conduct, count: number): LoadedMaker[] {
  return Array.from({ length: count }, (_, index) => ({
    address: createMaker(`${conduct} ${index}`).address,
    tokens: [SOL.mint, USDC.mint],
    delayMs: DELAY_MS,
    conduct,
  }));
}

async function openWorld(
  { chain, market, genesis }: EmbeddedMarket,
  makers: readonly LoadedMaker[],
): Promise<World> {
  const child = fork(fileURLToPath(new URL('webhook-load.ts', import.meta.url)), [
    JSON.stringify({ makers }),
  ]);
  const { urls } = (await messageOf(child)) as Listening;
  const store = new MemoryWebhookStore();
  for (const [index, { address, conduct }] of makers.entries()) {
    const maker = createMaker(`${conduct} ${index}`);
    if (conduct === 'answers') await fund(chain, maker);
    const [makerId, url = ''] = [`maker-${index}`, urls[index]];
    store.add({ makerId, address: address as never, url, apiKey: null, pairs: null, enabled: true });
  }
  const onDefect = (where: string, error: unknown) => {
    throw new Error(where, { cause: error });
  };
  const webhooks = new Webhooks({
    store,
    timers: SYSTEM_TIMERS,
    policy: WEBHOOK_CONDUCT,
    quoteMs: QUOTE_MS,
    allowsPrivate: true,
    metrics: NO_METRICS,
    meters: createMakerMeters(NO_METRICS),
    onDefect,
  });
  await webhooks.refresh();
  while (webhooks.all().some(({ mints }) => mints === null)) await pass(10);
  const swap = composeTestSwap(market, {
    venueLabels: venueLabels(VENUES),
    timers: SYSTEM_TIMERS,
    webhooks: { makers: webhooks, records: new MemoryWebhookRecords() },
    newRequestId: randomUUID,
    onDefect,
  });
  const [taker] = genesis.keys.demoWallets;
  if (taker === undefined) throw new Error('the genesis has no demo wallet');
  const asked = { taker: taker.address, inputMint: SOL.mint, outputMint: USDC.mint, amount: String(AMOUNT) };
  const order = async (excludeRouters: string) => {
    const query = excludeRouters === '' ? asked : { ...asked, excludeRouters };
    try {
      const { engine, built } = await orderSwap(swap, parseOrderRequest(query, []), {
        requestId: randomUUID(),
        caller: { kind: 'organisation', id: 'bench' },
      });
      return engine.router === 'jupiterz' && built !== null;
    } catch (error) {
      const isUnquoted = error instanceof SwapRefused && error.reason.kind === 'unquoted';
      if (isUnquoted || error instanceof Unavailable) return false;
      throw error;
    }
  };
  const slowest = async () => {
    child.send('slowest');
    return new Map(((await messageOf(child)) as Slowest).slowest);
  };
  const close = async () => {
    await webhooks.close();
    child.kill();
    await once(child, 'exit');
  };
  return { webhooks, slowest, order, close };
}

async function messageOf(child: ChildProcess): Promise<unknown> {
  const [message] = (await once(child, 'message')) as [unknown];
  return message;
}

async function fund(chain: EmbeddedMarket['chain'], maker: ReturnType<typeof createMaker>): Promise<void> {
  await chain.requestAirdrop(maker.address, 100_000_000_000n);
  await chain.setAccounts([createMakerAccount(maker, SOL, FUNDS), createMakerAccount(maker, USDC, FUNDS)]);
}
