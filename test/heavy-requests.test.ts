import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Chain } from '../src/chain/chain.ts';
import { ConcurrencyLimit } from '../src/common/collections/concurrency-limit.ts';
import { NO_METRICS } from '../src/common/ports/metrics.ts';
import { mapInTurns, UNITS_PER_TURN, type Work } from '../src/common/work/work.ts';
import { listen } from '../src/gateway/http/listen.ts';
import { SYSTEM_TURNS } from '../src/gateway/limits/work-shares.ts';
import { closeServer } from '../src/gateway/server/server.ts';
import { EarnMarkets } from '../src/lend/earn/markets/earn-markets.ts';
import { lend } from '../src/products/lend/index.ts';
import { createSwapServices, swap } from '../src/products/swap/index.ts';
import { ultra } from '../src/products/ultra/index.ts';
import type { Address } from '../src/solana/address.ts';
import { TOKEN_PROGRAM } from '../src/solana/program-addresses.ts';
import { ordinaryTokenAccount } from '../src/testing/token-account.ts';
import { CROWDED_WALLET, crowdedChain, Meter, numberedAddress } from './crowded-wallet.ts';
import { openTestSwap } from '../src/testing/genesis-market/swap.ts';
import { openStubGateway } from './stub-products.ts';
import { ManualTimers } from '../src/testing/timers.ts';

// Whether requests that need much of the gateway's thread hold up the orders of somebody else. What they read between two turns of
// the event loop is counted, because an order waits for so much at each of its steps. No time is measured.

/** The token accounts of the flooded wallet. More take longer, and change nothing for others. */
const ACCOUNTS = 4_000;

let meter: Meter;
/** Heavy requests that have begun to read. */
let begun = 0;
let markets: EarnMarkets;
let app: FastifyInstance;
let url: string;
beforeAll(setUp);
afterAll(tearDown);

describe('orders wait for one turn of others at most at each step', () => {
  it('beside thirty requests without a key for a wallet with thousands of token accounts', async () => {
    const beside = await besideOrders(() => `/ultra/v1/holdings/${CROWDED_WALLET}`, null);
    expect(beside).toEqual({ readInTurn: UNITS_PER_TURN, answered: 0 });
  });

  it('beside thirty requests with the key of another organisation for earn positions of fifty wallets', async () => {
    const path = (index: number) => {
      const users = Array.from({ length: 50 }, (_, at) => numberedAddress(7, 100 * index + at));
      return `/lend/v1/earn/positions?users=${users.join(',')}`;
    };
    // An account and the position that is made of it are a unit each.
    expect(await besideOrders(path, 'heavy')).toEqual({ readInTurn: UNITS_PER_TURN / 2, answered: 0 });
  });
});

const HEAVY_REQUESTS = 30;
const LIMITS = { main: 100_000, execute: 100_000, submit: 100_000 };
/** The orders of another organisation beside them, one after another. */
const ORDERS = 10;
const ORDER = {
  inputMint: 'So11111111111111111111111111111111111111112',
  outputMint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  amount: '100000000',
};

const swapOfTest = await openTestSwap();

async function setUp(): Promise<void> {
  const { market, composed } = swapOfTest;
  const onDefect = (where: string, error: unknown) => {
    throw new Error(`${where}: ${String(error)}`);
  };
  markets = await EarnMarkets.open(market.chain, onDefect);
  meter = new Meter();
  const timers = new ManualTimers();
  const crowded = crowdedChain(meter, ACCOUNTS);
  const ultraServices = {
    holdings: {
      chain: { ...crowded, openView: () => noteBegun(crowded.openView()) },
      isVerified: () => false,
    },
    turns: new ConcurrencyLimit(HEAVY_REQUESTS, HEAVY_REQUESTS, () => new Error('full')),
  };
  const lendServices = {
    earn: { chain: withReceipts(market.chain), prices: market.prices, stakingAprOf: () => null, markets },
  };
  const pipeline = {
    findKey: (key: string) => ({
      id: key,
      name: key,
      teamId: key,
      organisationId: key,
      rules: null,
      limits: LIMITS,
      products: null,
      expiresAt: null,
    }),
    keyless: () => LIMITS,
    now: () => timers.now(),
    overload: {
      maxInside: 500,
      maxWaiting: 500,
      after: timers.after.bind(timers),
      // The clock stands still: nobody has used up a share, and turns are what is counted.
      turns: { ...SYSTEM_TURNS, now: () => timers.now() },
      metrics: NO_METRICS,
    },
  };
  const products = [
    swap.run(createSwapServices(composed)),
    ultra.run({ services: ultraServices as never }),
    lend.run({ services: lendServices as never }),
  ];
  app = await openStubGateway(pipeline, { products });
  url = await listen(app, { host: '127.0.0.1', port: 0, setting: 'rest-port' });
}

async function tearDown(): Promise<void> {
  if (app !== undefined) await closeServer(app);
  markets?.close();
}

function noteBegun<View>(view: View): View {
  begun++;
  return view;
}

/** The chain, on which all wallets hold all receipt tokens. */
function withReceipts(chain: Chain) {
  const data = ordinaryTokenAccount({ mint: numberedAddress(3, 0), owner: CROWDED_WALLET, amount: 5n });
  const receipt = (address: Address) => ({
    address,
    slot: 1n,
    account: meter.account(TOKEN_PROGRAM, () => data),
  });
  return {
    clock: () => chain.clock(),
    openView: () =>
      noteBegun({
        ...chain.openView(),
        getAssociatedAccounts: async (owners: readonly Address[], tokens: readonly unknown[], work: Work) =>
          mapInTurns(work, owners, (owner) => tokens.map((_, at) => (at % 2 === 0 ? receipt(owner) : null))),
      }),
  };
}

async function ask(path: string, key: string | null, signal: AbortSignal | null = null): Promise<number> {
  const headers = key === null ? {} : { 'x-api-key': key };
  const response = await fetch(`${url}${path}`, { headers, signal });
  await response.arrayBuffer();
  return response.status;
}

/**
 * Sends heavy requests at once, and once all of them are under way, orders of another organisation. Returns how many accounts the
 * heavy ones read in one turn of the event loop at most, and how many of them were answered before the last order.
 */
async function besideOrders(path: (index: number) => string, key: string | null) {
  const order = `/swap/v2/order?${new URLSearchParams({ ...ORDER, taker: swapOfTest.wallet.address })}`;
  expect(await ask(order, 'other')).toBe(200);
  const leaving = new AbortController();
  let answered = 0;
  begun = 0;
  const heavy = Array.from({ length: HEAVY_REQUESTS }, (_, index) =>
    ask(path(index), key, leaving.signal).finally(() => answered++),
  );
  const allLeft = Promise.allSettled(heavy);
  // What fits the first turn of each of them is done at once.
  await expect.poll(() => begun).toBe(HEAVY_REQUESTS);
  meter.most = 0;
  const orders = async () => {
    // Now and then ten of them are answered before any heavy request had its next turn.
    for (let at = 0; at < ORDERS || (meter.most === 0 && answered === 0); at++)
      expect(await ask(order, 'other')).toBe(200);
  };
  await meter.during(orders());
  const result = { readInTurn: meter.most, answered };
  leaving.abort();
  await allLeft;
  return result;
}
