import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { AccountUpdate } from '../src/chain/accounts.ts';
import type { Chain } from '../src/chain/chain.ts';
import { Pools } from '../src/market/pools/pools.ts';
import { findRoutes, type RouteRequest } from '../src/market/router/index.ts';
import { VENUES } from '../src/protocols/venues.ts';
import type { Address } from '../src/solana/address.ts';
import { latencyRow, quantileOf } from './latency.ts';
import { netOutput } from './market/net-output.ts';
import { optimum } from './market/optimum.ts';
import { randomNumbers, type SyntheticMarket, syntheticMarket } from './market/synthetic.ts';
import type { Row } from './row.ts';

export const title = 'Router';

const SEED = 20_261_121;
const QUERIES = 1_500;
const MARKETS = 200;
const UPDATES = 400_000;
const UPDATE_BATCH = 500;

export async function run(): Promise<readonly Row[]> {
  const large = await open(syntheticMarket(SEED, 2_000, 10_000));
  const split = latencies(large, { maxHops: 3, maxPaths: 5 });
  const fast = latencies(large, { maxHops: 3, maxPaths: 0 });
  const updates = updateRate(large);
  const small = latencies(await open(syntheticMarket(SEED, 200, 1_000)), { maxHops: 3, maxPaths: 5 });
  const { opened: huge, megabytes } = await measured(syntheticMarket(SEED, 20_000, 100_000));
  const hugeTimes = latencies(huge, { maxHops: 3, maxPaths: 5 });
  const growth = quantileOf(hugeTimes, 0.5) / quantileOf(small, 0.5);
  return [
    latencyRow('quote on 10,000 pools and 2,000 tokens, three hops and splits', split, 2, 8),
    latencyRow('the same without splits (`mode=fast`)', fast, 0.4, 2),
    {
      what: 'growth of the median from 1,000 to 100,000 pools',
      measured: growth.toFixed(2),
      atLeast: 'at most 4',
      ok: growth <= 4,
    },
    ...(await againstOptimum()),
    await netAgainstOptimum(),
    {
      what: 'pool updates applied per second',
      measured: Math.round(updates).toLocaleString('en'),
      atLeast: '200,000',
      ok: updates >= 200_000,
    },
    {
      what: 'memory for 100,000 pools',
      measured: `${Math.round(megabytes)} MB`,
      atLeast: 'at most 600 MB',
      ok: megabytes <= 600,
    },
  ];
}

interface Opened {
  readonly market: SyntheticMarket;
  readonly pools: Pools;
}

async function open(market: SyntheticMarket): Promise<Opened> {
  return { market, pools: await Pools.open(market.chain as unknown as Chain, VENUES) };
}

/** Measures the memory that the pools hold, including account data, without the objects that created the market. */
async function measured(market: SyntheticMarket): Promise<{ opened: Opened; megabytes: number }> {
  const before = liveBytes();
  const opened = await open(market);
  return { opened, megabytes: (liveBytes() - before + market.chain.dataBytes()) / 2 ** 20 };
}

function liveBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

type Width = Pick<RouteRequest, 'maxHops' | 'maxPaths'>;

function request(market: SyntheticMarket, mints: readonly [Address, Address], amount: bigint, width: Width) {
  const [inputMint, outputMint] = mints;
  return {
    inputMint,
    outputMint,
    amount,
    clock: market.chain.clock(),
    allows: () => true,
    onlyHubs: false,
    ...width,
  };
}

/** Milliseconds per search, ascending. */
function latencies({ market, pools }: Opened, width: Width): readonly number[] {
  const random = randomNumbers(SEED);
  const pick = () => market.mints[Math.floor(random() * market.mints.length)] as Address;
  const times: number[] = [];
  let found = 0;
  for (let query = 0; query < QUERIES + 200; query++) {
    const mints: [Address, Address] = [pick(), pick()];
    if (mints[0] === mints[1]) continue;
    const wanted = request(market, mints, BigInt(Math.floor(10 ** (4 + random() * 6))), width);
    const start = performance.now();
    // A product also takes only the best route.
    const [best] = findRoutes(pools, wanted);
    if (best !== undefined) found++;
    if (query >= 200) times.push(performance.now() - start);
  }
  if (found < QUERIES / 2) throw new Error(`only ${found} of ${QUERIES} searches found a route`);
  return times.sort((one, other) => one - other);
}

/**
 * With four tokens, no path is longer than the three hops that are allowed. Sizes range from a tiny amount to most of
 * the depth.
 */
async function againstOptimum(): Promise<readonly Row[]> {
  const ratios: number[] = [];
  const random = randomNumbers(SEED + 1);
  for (let index = 0; ratios.length < MARKETS; index++) {
    const market = syntheticMarket(SEED + index, 4, 8 + Math.floor(random() * 16));
    const { pools } = await open(market);
    const mints: [Address, Address] = [market.mints[2] as Address, market.mints[3] as Address];
    const amount = BigInt(Math.floor(10 ** (5 + random() * 4)));
    const [best] = findRoutes(pools, request(market, mints, amount, { maxHops: 3, maxPaths: 5 }));
    const bound = optimum(market.pools, mints, amount);
    // Smaller outputs would measure the rounding to whole atoms instead of routes, so another market is used.
    if (best !== undefined && bound > 100_000) ratios.push(Number(best.outAmount) / bound);
  }
  ratios.sort((one, other) => one - other);
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
  const worst = ratios[0] ?? 0;
  return [
    {
      what: `output against the optimum on ${ratios.length} random markets: mean / worst`,
      measured: `${mean.toFixed(5)} / ${worst.toFixed(4)}`,
      against: 'dual bound of a convex solver',
      atLeast: '0.9995 / 0.995',
      ok: mean >= 0.9995 && worst >= 0.995,
    },
  ];
}

/** A second step takes between a thousandth of a basis point and a percent of the output. */
async function netAgainstOptimum(): Promise<Row> {
  const [taken, dearest]: [number[], number[]] = [[], []];
  const random = randomNumbers(SEED + 2);
  for (let index = 0; taken.length < MARKETS; index++) {
    const market = syntheticMarket(SEED + index, 4, 8 + Math.floor(random() * 16));
    const { pools } = await open(market);
    const mints: [Address, Address] = [market.mints[2] as Address, market.mints[3] as Address];
    const amount = BigInt(Math.floor(10 ** (5 + random() * 4)));
    const bound = optimum(market.pools, mints, amount);
    const atomsPerUnit = (bound * 10 ** (-7 + random() * 5)) / 60_000;
    const net = netOutput(
      pools,
      request(market, mints, amount, { maxHops: 3, maxPaths: 5 }),
      bound,
      atomsPerUnit,
    );
    if (net === null || bound <= 100_000) continue;
    taken.push(net.taken / net.bound);
    dearest.push(net.dearest / net.bound);
  }
  const mean = (ratios: readonly number[]) => ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
  const worst = (ratios: readonly number[]) => Math.min(...ratios);
  const [average, least] = [mean(taken), worst(taken)];
  return {
    what: `output net of costs against the optimum on ${taken.length} random markets: mean / worst`,
    measured: `${average.toFixed(5)} / ${least.toFixed(4)}`,
    against: `an upper bound; the route that pays most before costs: ${mean(dearest).toFixed(5)} / ${worst(dearest).toFixed(4)}`,
    atLeast: '0.998 / 0.95',
    ok: average >= 0.998 && least >= 0.95,
  };
}

/**
 * Each batch is created just before it is announced, as if it came from the network. Only the announcement is timed.
 */
function updateRate({ market, pools }: Opened): number {
  let milliseconds = 0;
  for (let from = 0; from < UPDATES; from += UPDATE_BATCH) {
    const batch = Array.from({ length: UPDATE_BATCH }, (_, place) => vaultUpdate(market, from + place));
    const start = performance.now();
    market.chain.announce(batch);
    milliseconds += performance.now() - start;
  }
  if (pools.unhealthy() !== null) throw new Error(`the pools are not well: ${pools.unhealthy()}`);
  checkUpdated({ market, pools });
  return (UPDATES / milliseconds) * 1_000;
}

/** Cycles through pools and sides, so that no two updates of a batch concern the same pool. */
function vaultUpdate({ pools, chain }: SyntheticMarket, index: number): AccountUpdate {
  const pool = pools[index % pools.length];
  if (pool === undefined) throw new Error('the market has no pools');
  const round = Math.floor(index / pools.length);
  const side = (round & 1) as 0 | 1;
  return chain.vaultUpdate(pool, side, pool.reserves[side] + BigInt(index), 2_000n + BigInt(round));
}

/** Checks that quotes use the state that was announced last. */
function checkUpdated({ market, pools }: Opened): void {
  const { pools: all, chain } = market;
  const last = UPDATES / all.length - 1;
  for (const [place, { address, mints, reserves, feeRate }] of all.entries()) {
    const amount = (side: 0 | 1) =>
      reserves[side] + BigInt(place + all.length * (side === (last & 1) ? last : last - 1));
    const traded = (1_000_000n * (1_000_000n - feeRate)) / 1_000_000n;
    const expected = (traded * amount(1)) / (amount(0) + traded);
    const updated = pools.find(address);
    const quote = updated?.venue.quoteExactIn(updated.pool, mints[0], 1_000_000n, chain.clock());
    if ((quote?.outAmount ?? 0n) !== expected) throw new Error(`pool ${address} was not updated`);
  }
}
