import { monitorEventLoopDelay } from 'node:perf_hooks';
import { buildGenesis } from '../src/sandbox/genesis/build-genesis.ts';
import { startTestChain } from '../src/testing/chain/embedded-chain.ts';
import type { EmbeddedChain } from '../src/chain/embedded/network.ts';
import type { Chain } from '../src/chain/chain.ts';
import type { AddressedAccount } from '../src/chain/records/records.ts';
import { openRpcChain } from '../src/chain/rpc/rpc-chain.ts';
import { SYSTEM_TIMERS } from '../src/common/ports/timers.ts';
import { DEFAULT_SEED } from '../src/protocol/genesis/keys.ts';
import { findTokenByMint } from '../src/solana/known-tokens.ts';
import { Pools } from '../src/market/pools/pools.ts';
import { PoolPrices } from '../src/market/prices/pool-prices.ts';
import { VENUES } from '../src/protocols/venues.ts';
import { POSITION_FETCHERS } from '../src/protocols/fetchers.ts';
import { evaluate } from '../src/products/portfolio/evaluation/evaluate.ts';
import { COLLECTIONS } from '../src/sandbox/demo/collections.ts';
import { createPricing } from '../src/products/portfolio/pricing.ts';
import { type Address, toAddress } from '../src/solana/address.ts';
import { SYSTEM_PROGRAM } from '../src/solana/program-addresses.ts';
import { quantileOf } from './latency.ts';
import { Portfolios } from '../src/products/portfolio/evaluation/portfolios.ts';
import type { Row } from './row.ts';
import { RpcProxy } from '../test/rpc-proxy.ts';
import { BorrowAccounts } from '../src/lend/borrow/borrow-accounts.ts';

export const title = 'Positions of a wallet, embedded';

const RUNS = 1_000;
/** The number of runs before the measured ones, after which the code is compiled. */
const WARM_UP = 300;
const OUTSIDE_RUNS = 20;
const MAX_P50 = 4;
const MAX_P99 = 15;
const MAX_COLLECTOR_P50 = 40;
const MAX_GROWTH = 1.3;
/** The number of wallets that are requested at once, and of rounds. */
const CROWD = 50;
const CROWDS = 20;
const MAX_LAG_P99 = 20;
/** Milliseconds by which each call to the outside RPC is delayed. */
const ROUND_TRIP = 20;
const MAX_OUTSIDE_P50 = 120;
const MAX_OUTSIDE_CALLS = 12;
const SMALL = 10_000;
const LARGE = 1_000_000;

const FETCHERS = POSITION_FETCHERS;

/** The demo wallet has some 30 token accounts and 20 positions of all kinds; the collector 2,000 token accounts. */
export async function run(): Promise<readonly Row[]> {
  const small = await measure(SMALL);
  const outside = await measureOutside();
  const large = await measure(LARGE);
  const growth = large.demo.p50 / small.demo.p50;
  return [
    {
      what: `the demo wallet, positions of every kind, among ${SMALL.toLocaleString('en')} accounts: p50 / p99`,
      measured: `${small.demo.p50.toFixed(1)} ms / ${small.demo.p99.toFixed(1)} ms`,
      atLeast: `${MAX_P50} ms / ${MAX_P99} ms`,
      ok: small.demo.p50 <= MAX_P50 && small.demo.p99 <= MAX_P99,
    },
    {
      what: `${CROWD} wallets at once: lag of the event loop, p99`,
      measured: `${small.lag.toFixed(1)} ms`,
      atLeast: `${MAX_LAG_P99} ms`,
      ok: small.lag <= MAX_LAG_P99,
    },
    {
      what: `the demo wallet over an outside RPC with round trips of ${ROUND_TRIP} ms: p50, and calls`,
      measured: `${outside.p50.toFixed(0)} ms, ${outside.calls} calls`,
      atLeast: `${MAX_OUTSIDE_P50} ms, ${MAX_OUTSIDE_CALLS} calls`,
      ok: outside.p50 <= MAX_OUTSIDE_P50 && outside.calls <= MAX_OUTSIDE_CALLS,
    },
    {
      what: 'a wallet with 2,000 token accounts: p50',
      measured: `${small.collector.p50.toFixed(1)} ms`,
      atLeast: `${MAX_COLLECTOR_P50} ms`,
      ok: small.collector.p50 <= MAX_COLLECTOR_P50,
    },
    {
      what: `the demo wallet among ${LARGE.toLocaleString('en')} accounts: p50`,
      measured: `${large.demo.p50.toFixed(1)} ms, ${growth.toFixed(2)} times`,
      against: `among ${SMALL.toLocaleString('en')} accounts`,
      atLeast: `${MAX_GROWTH} times`,
      ok: growth <= MAX_GROWTH,
    },
  ];
}

interface Measured {
  readonly p50: number;
  readonly p99: number;
}

async function measure(
  accounts: number,
): Promise<{ readonly demo: Measured; readonly collector: Measured; readonly lag: number }> {
  const genesis = buildGenesis(DEFAULT_SEED, BigInt(Math.floor(Date.now() / 1_000)));
  const chain = await start(genesis, fillers(accounts - genesis.accounts.length));
  try {
    const pools = await Pools.open(chain, VENUES);
    const [demo] = genesis.keys.demoWallets;
    if (demo === undefined) throw new Error('the genesis has no demo wallet');
    const measured = {
      demo: await time(chain, pools, demo.address, RUNS),
      collector: await time(chain, pools, genesis.keys.collector.address, RUNS / 20),
      lag: await lagOfCrowd(chain, pools, genesis.keys.demoWallets),
    };
    pools.close();
    return measured;
  } finally {
    await chain.close();
  }
}

function start(
  genesis: ReturnType<typeof buildGenesis>,
  more: readonly AddressedAccount[],
): Promise<EmbeddedChain> {
  return startTestChain({
    seed: DEFAULT_SEED,
    // Programs are omitted, because none is executed here.
    genesis: () => [...genesis.accounts, ...more],
    faucet: genesis.keys.faucet,
    slotMs: 400,
  });
}

/** Wallets that are unrelated to the measured ones. */
function fillers(count: number): AddressedAccount[] {
  return Array.from({ length: Math.max(0, count) }, (_, index) => {
    const bytes = new Uint8Array(32).fill(9);
    new DataView(bytes.buffer).setUint32(0, index);
    const account = {
      lamports: 1_000_000n,
      owner: SYSTEM_PROGRAM,
      data: new Uint8Array(0),
      executable: false,
      rentEpoch: (1n << 64n) - 1n,
    };
    return { address: toAddress(bytes), account };
  });
}

async function time(
  chain: Chain,
  pools: Pools,
  owner: Address,
  runs: number,
  warmUp = WARM_UP,
): Promise<Measured> {
  const ask = asker(pools, owner);
  const times: number[] = [];
  for (let run = -warmUp; run < runs; run++) {
    const begun = performance.now();
    await ask(chain);
    if (run >= 0) times.push(performance.now() - begun);
  }
  const sorted = times.toSorted((one, other) => one - other);
  return { p50: quantileOf(sorted, 0.5), p99: quantileOf(sorted, 0.99) };
}

/** Returns a function that evaluates a wallet. */
function asker(pools: Pools, owner: Address): (chain: Chain) => Promise<unknown> {
  const dependencies = dependenciesOf(pools);
  const request = { owner, fetchers: FETCHERS, platforms: null, hideSpam: false };
  return (chain) => evaluate(chain.openView(), request, dependencies);
}

/** The 99th percentile of the event loop's delay in milliseconds while a crowd of requests is answered. */
async function lagOfCrowd(
  chain: Chain,
  pools: Pools,
  [demo]: readonly { readonly address: Address }[],
): Promise<number> {
  if (demo === undefined) throw new Error('the genesis has no demo wallet');
  const portfolios = new Portfolios({ ...dependenciesOf(pools), chain, fetchers: FETCHERS });
  // Requests for other platforms share no answer, so each of the crowd is evaluated.
  const requests = Array.from({ length: CROWD }, (_, index) => ({
    owner: demo.address,
    platforms: new Set([...FETCHERS.map(({ platformId }) => platformId), `crowd ${index}`]),
    hideSpam: false,
  }));
  const answerSlot = () => chain.slot('confirmed');
  const lag = monitorEventLoopDelay({ resolution: 1 });
  for (let crowd = -2; crowd < CROWDS; crowd++) {
    if (crowd === 0) lag.enable();
    await Promise.all(requests.map((request) => portfolios.of(request)));
    // The answers of this slot are cached.
    const answered = answerSlot();
    while (answerSlot() === answered) await new Promise((resolve) => setTimeout(resolve, 10));
  }
  lag.disable();
  return lag.percentile(99) / 1_000_000;
}

/** Measures over the network of a whole genesis, read through a proxy that delays every call. */
async function measureOutside(): Promise<Measured & { readonly calls: number }> {
  const genesis = buildGenesis(DEFAULT_SEED, BigInt(Math.floor(Date.now() / 1_000)));
  const network = await start(genesis, []);
  const proxy = await RpcProxy.start(network);
  let calls = 0;
  proxy.onCall = (method, params) => {
    // The accounts that an instance follows are read at another commitment.
    if (/Accounts/.test(method) && JSON.stringify(params).includes('"confirmed"')) calls++;
    return { kind: 'delay', until: new Promise((resolve) => setTimeout(resolve, ROUND_TRIP)) };
  };
  const chain = await openRpcChain({
    url: new URL(proxy.rpcUrl),
    wsUrl: new URL(proxy.wsUrl),
    pollMs: 1_000,
    staleMs: 60_000,
    sweepMs: 600_000,
    maxSubscriptions: 10_000,
    callsPerSecond: 10_000,
    transactionsPerSecond: 0,
    programAccounts: null,
    timers: SYSTEM_TIMERS,
    random: Math.random,
    onNotice: () => {},
  });
  const pools = await Pools.open(chain, VENUES);
  const vaults = await BorrowAccounts.open(chain, (_, error) => {
    throw error;
  });
  try {
    const [demo] = genesis.keys.demoWallets;
    if (demo === undefined) throw new Error('the genesis has no demo wallet');
    const ask = asker(pools, demo.address);
    await ask(chain);
    calls = 0;
    await ask(chain);
    const callsOfOne = calls;
    return { ...(await time(chain, pools, demo.address, OUTSIDE_RUNS, OUTSIDE_RUNS)), calls: callsOfOne };
  } finally {
    vaults.close();
    pools.close();
    await chain.close();
    await proxy.close();
    await network.close();
  }
}

function dependenciesOf(pools: Pools) {
  return {
    ...createPricing(pools, new PoolPrices(pools), COLLECTIONS),
    listed: findTokenByMint,
    timers: SYSTEM_TIMERS,
    deadlineMs: 30_000,
    onDefect: (_: string, error: unknown) => {
      throw error;
    },
  };
}
