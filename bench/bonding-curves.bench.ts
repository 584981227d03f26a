import type { Chain, ChainClock } from '../src/chain/chain.ts';
import { Pools } from '../src/market/pools/pools.ts';
import type { PoolHandle } from '../src/market/pools/liquidity.ts';
import type { DbcPoolConfig } from '../src/protocols/meteora-dbc/program/config-terms.ts';
import { meteoraDbc } from '../src/protocols/meteora-dbc/venue.ts';
import { raydiumCpmm } from '../src/protocols/raydium-cpmm/venue.ts';
import {
  createDbcReader,
  DBC_CASE,
  DBC_CLOCK,
  PLAIN_DBC_CONFIG,
  PLAIN_DBC_POOL,
} from '../src/testing/protocols/dbc-cases.ts';
import { randomNumbers, syntheticMarket } from './market/synthetic.ts';
import type { Row } from './row.ts';

export const title = 'Bonding curves';

const SEED = 20_261_128;
/** Rounds are short, so that some of them are not interrupted on a busy machine. */
const QUOTES = 2_000;
const ROUNDS = 400;
const AMOUNTS = 1_000;

/** A curve of 16 ranges, as the library of Meteora builds them, of which each holds as many quote tokens as the one before. */
const RANGES = Array.from({ length: 16 }, (_, index) => ({
  sqrtPrice: (1n << 54n) + (BigInt(index + 1) << 52n),
  liquidity: 1n << 108n,
}));
const CURVE: DbcPoolConfig = {
  ...PLAIN_DBC_CONFIG,
  curve: RANGES,
  migrationSqrtPrice: RANGES.at(-1)?.sqrtPrice ?? 0n,
  migrationQuoteThreshold: 1n << 36n,
};

/** Fees of each kind, for the whole of which a launch may be traded. */
const KINDS: readonly (readonly [string, Partial<DbcPoolConfig['poolFees']['baseFee']>])[] = [
  ['a constant fee', {}],
  ['a linear schedule', { firstFactor: 100, secondFactor: 60n, thirdFactor: 70_000n }],
  ['an exponential schedule', { firstFactor: 100, secondFactor: 60n, thirdFactor: 100n, baseFeeMode: 1 }],
  ['a rate limiter', { firstFactor: 100, secondFactor: 600n, thirdFactor: 10_000_000n, baseFeeMode: 2 }],
];

/** Times quotes over a launch and over a constant product, of the same amounts. */
export async function run(): Promise<readonly Row[]> {
  const product = await openConstantProduct();
  const amounts = createAmounts();
  return KINDS.map(([kind, changes]) => {
    const launch = openLaunch(changes);
    const [own, other] = fastest([
      () => quoteAll(launch, amounts, DBC_CLOCK),
      () => quoteAll(product, amounts, DBC_CLOCK),
    ]);
    const ratio = (own ?? 0) / (other ?? 1);
    return {
      what: `quote over a launch with ${kind}`,
      measured: `${((own ?? 0) * 1_000).toFixed(2)} µs (${ratio.toFixed(2)}×)`,
      against: `${raydiumCpmm.label} ${((other ?? 0) * 1_000).toFixed(2)} µs`,
      atLeast: 'at most twice the time',
      ok: ratio <= 2,
    };
  });
}

async function openConstantProduct(): Promise<PoolHandle> {
  const { chain } = syntheticMarket(SEED, 4, 4);
  const pools = await Pools.open(chain as unknown as Chain, [raydiumCpmm]);
  const [handle] = pools.all();
  if (handle === undefined) throw new Error('the synthetic market has no pool');
  return handle;
}

/** A launch that has raised about a third of what it asks for, a minute after its creation. */
function openLaunch(changes: Partial<DbcPoolConfig['poolFees']['baseFee']>): PoolHandle {
  const { poolFees } = CURVE;
  const config = { ...CURVE, poolFees: { ...poolFees, baseFee: { ...poolFees.baseFee, ...changes } } };
  const pool = {
    ...PLAIN_DBC_POOL,
    sqrtPrice: (1n << 54n) + (11n << 51n),
    quoteReserve: 30_000_000_000n,
    activationPoint: DBC_CLOCK.unixTimestamp - 60n,
  };
  const decoded = meteoraDbc.decode(DBC_CASE.pool, createDbcReader({ config, pool }));
  if ('unusable' in decoded) throw new Error(decoded.unusable);
  return { venue: meteoraDbc as unknown as PoolHandle['venue'], pool: decoded };
}

function createAmounts(): readonly bigint[] {
  const random = randomNumbers(SEED);
  return Array.from({ length: AMOUNTS }, () => BigInt(Math.floor(10 ** (7 + 3 * random()))));
}

/** Quotes the amounts in both directions by turns. */
function quoteAll({ venue, pool }: PoolHandle, amounts: readonly bigint[], clock: ChainClock): void {
  let refused = 0;
  for (let index = 0; index < QUOTES; index++) {
    const mint = pool.mints[index % 2 === 0 ? 0 : 1];
    if (venue.quoteExactIn(pool, mint, amounts[index % AMOUNTS] as bigint, clock) === null) refused++;
  }
  if (refused > QUOTES / 20)
    throw new Error(`${refused} of ${QUOTES} quotes over ${venue.label} are refused`);
}

/** Returns the milliseconds of one quote in the fastest round of each. Rounds take turns, so that both have the same load. */
function fastest(runs: readonly (() => void)[]): readonly number[] {
  const best = runs.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, runOnce] of runs.entries()) {
      const begin = performance.now();
      runOnce();
      best[index] = Math.min(best[index] ?? 0, (performance.now() - begin) / QUOTES);
    }
  }
  return best;
}
