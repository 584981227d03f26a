import { describe, expect, it } from 'vitest';
import {
  createDbcReader,
  DBC_CASE,
  DBC_CLOCK,
  dbcCase,
  PLAIN_DBC_CONFIG,
  PLAIN_DBC_POOL,
} from '../../testing/protocols/dbc-cases.ts';
import { countCases, sampleCases } from '../../testing/random.ts';
import type { Address } from '../../solana/address.ts';
import type { DbcBaseFee, DbcDynamicFee, DbcPoolConfig } from './program/config-terms.ts';
import type { DbcVirtualPool } from './program/layout-pool.ts';
import type { MeteoraDbcPool } from './pool.ts';
import { meteoraDbc } from './venue.ts';

describe('an estimate', () => {
  it('comes close to the quote wherever that is not rounded much', () => {
    let compared = 0;
    for (const { config, pool, clock, input, amount } of sampleCases(dbcCase, ESTIMATES)) {
      const decoded = decode(config, pool);
      if ('unusable' in decoded) continue;
      const mint = input === 0 ? BASE : QUOTE;
      const quote = meteoraDbc.quoteExactIn(decoded, mint, amount, clock);
      if (quote === null || quote.outAmount < 10_000_000n || amount < 10_000_000n) continue;
      expect(meteoraDbc.estimate(decoded, mint, Number(amount), clock) / Number(quote.outAmount)).toBeCloseTo(
        1,
        3,
      );
      compared++;
    }
    expect(compared).toBeGreaterThan(countCases(ESTIMATES) / 20);
  });

  it('follows the fee through time, in either direction', () => {
    const year = { cliffFeeNumerator: 990_000_000n, firstFactor: 98, secondFactor: 300_000n };
    const pools = [
      feesOf({ ...year, thirdFactor: 10_000_000n }),
      feesOf({ ...year, thirdFactor: 300n, baseFeeMode: 1 }),
      LIMITED,
    ].map((config) => usable(config));
    for (const pool of pools) {
      for (const seconds of [0n, 50n, 101n, 10_000_000n, 50n, 40_000_000n, 101n, 0n]) {
        const clock = { ...DBC_CLOCK, unixTimestamp: DBC_CLOCK.unixTimestamp + seconds };
        const quote = meteoraDbc.quoteExactIn(pool, QUOTE, 5_500_000n, clock);
        const estimated = meteoraDbc.estimate(pool, QUOTE, 5_500_000, clock);
        expect(estimated / Number(quote?.outAmount)).toBeCloseTo(1, 4);
      }
    }
  });

  it('is nothing while the program refuses', () => {
    const lastUpdateTimestamp = DBC_CLOCK.unixTimestamp;
    const pool = usable(
      { poolFees: { ...PLAIN_DBC_CONFIG.poolFees, dynamicFee: DYNAMIC_FEE } },
      { volatilityTracker: { ...PLAIN_DBC_POOL.volatilityTracker, lastUpdateTimestamp } },
    );
    const later = { ...DBC_CLOCK, unixTimestamp: DBC_CLOCK.unixTimestamp + 10n };
    expect(meteoraDbc.quoteExactIn(pool, QUOTE, 5_500_000n, DBC_CLOCK)).toBeNull();
    expect(meteoraDbc.estimate(pool, QUOTE, 5_500_000, DBC_CLOCK)).toBe(0);
    expect(meteoraDbc.estimate(pool, QUOTE, 5_500_000, later)).toBeGreaterThan(0);
  });

  it('is what the curve holds beyond its ends', () => {
    const beyond = (mint: Address) => meteoraDbc.estimate(traded(), mint, 1e30, DBC_CLOCK);
    const more = (mint: Address) => meteoraDbc.estimate(traded(), mint, 1e31, DBC_CLOCK);
    expect(beyond(BASE)).toBe(more(BASE));
    expect(beyond(QUOTE)).toBe(more(QUOTE));
    expect(beyond(BASE)).toBeLessThanOrEqual(Number(traded().reserves[1]));
    expect(meteoraDbc.estimate(usable(), BASE, 1e30, DBC_CLOCK)).toBe(0);
  });
});

const { baseMint: BASE, quoteMint: QUOTE } = DBC_CASE;
const ESTIMATES = { cases: 2_000, seed: 1_128 };

/** Purchases of more than 1,000,000 are charged ten percent more for each further 1,000,000, during 100 seconds. */
const LIMITED = feesOf({ firstFactor: 1_000, secondFactor: 100n, thirdFactor: 1_000_000n, baseFeeMode: 2 });
const DYNAMIC_FEE: DbcDynamicFee = {
  binStep: 1,
  binStepU128: 1_844_674_407_370_955n,
  filterPeriod: 10,
  decayPeriod: 120,
  reductionFactor: 5_000,
  maxVolatilityAccumulator: 14_460_000,
  variableFeeControl: 1_000,
};

function feesOf(changes: Partial<DbcBaseFee>): Partial<DbcPoolConfig> {
  const { poolFees } = PLAIN_DBC_CONFIG;
  return { poolFees: { ...poolFees, baseFee: { ...poolFees.baseFee, ...changes } } };
}

function decode(config: Partial<DbcPoolConfig>, pool: Partial<DbcVirtualPool> = {}) {
  const accounts = {
    config: { ...PLAIN_DBC_CONFIG, ...config },
    pool: { ...PLAIN_DBC_POOL, ...pool },
  };
  return meteoraDbc.decode(DBC_CASE.pool, createDbcReader(accounts));
}

function usable(config: Partial<DbcPoolConfig> = {}, changes: Partial<DbcVirtualPool> = {}): MeteoraDbcPool {
  const pool = decode(config, changes);
  if ('unusable' in pool) throw new Error(pool.unusable);
  return pool;
}

/** A pool whose price has risen by half of a percent. */
function traded(): MeteoraDbcPool {
  const sqrtPrice = (1n << 54n) + (1n << 54n) / 400n;
  const quoteReserve = ((1n << 106n) * (sqrtPrice - (1n << 54n))) >> 128n;
  return usable({}, { sqrtPrice, quoteReserve: quoteReserve + 1n });
}
