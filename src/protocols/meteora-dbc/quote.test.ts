import {
  swapQuoteExactIn,
  swapQuoteExactOut,
  type PoolConfig,
  type VirtualPool,
} from '@meteora-ag/dynamic-bonding-curve-sdk';
import BN from 'bn.js';
import { describe, expect, it } from 'vitest';
import { DBC_CASE, type DbcCase, createDbcReader, dbcCase } from '../../testing/protocols/dbc-cases.ts';
import { reportDifferences, sampleCases } from '../../testing/random.ts';
import { yieldToOtherWork } from '../../testing/waits.ts';
import { U64_MAX } from '../../solana/units.ts';
import { quoteFirstPurchase } from './quote.ts';
import type { MeteoraDbcPool } from './pool.ts';
import { meteoraDbc } from './venue.ts';

describe('quotes and Meteora’s own library', () => {
  it.each([
    ['exact inputs', quoteInput],
    ['exact outputs', quoteOutput],
    ['first purchases', quoteFirst],
  ] as const)(`agree to the atom in ${SUITE.cases} random swaps with %s`, async (_, quoteBoth) => {
    const cases = sampleCases(dbcCase, SUITE);
    const differences: string[] = [];
    let [quoted, refused] = [0, 0];
    for (const [index, each] of cases.entries()) {
      if (index % 200 === 0) await yieldToOtherWork();
      const { mine, theirs } = quoteBoth(each);
      if (mine === null) refused++;
      else quoted++;
      if (show(mine) !== show(theirs)) differences.push(`${show(mine)} but ${show(theirs)} in ${show(each)}`);
    }
    reportDifferences(differences.length, cases.length, SUITE.against);
    expect(differences.slice(0, 3)).toEqual([]);
    expect(quoted).toBeGreaterThan(cases.length / 5);
    expect(refused).toBeGreaterThan(cases.length / 50);
  });
});

const SUITE = { cases: 20_000, short: 500, seed: 20_261_128, against: 'the library of Meteora' };

interface QuotedAmounts {
  readonly inAmount: bigint;
  readonly outAmount: bigint;
  readonly feeAmount: bigint;
}

interface BothQuotes {
  readonly mine: QuotedAmounts | null;
  readonly theirs: QuotedAmounts | null;
}

function quoteInput(each: DbcCase): BothQuotes {
  const pool = decode(each);
  return {
    mine: pool === null ? null : pick(meteoraDbc.quoteExactIn(pool, mintOf(each), each.amount, each.clock)),
    theirs: quoteByLibrary(each, swapQuoteExactIn, false),
  };
}

function quoteOutput(each: DbcCase): BothQuotes {
  const pool = decode(each);
  return {
    mine: pool === null ? null : pick(meteoraDbc.quoteExactOut(pool, mintOf(each), each.amount, each.clock)),
    theirs: quoteByLibrary(each, swapQuoteExactOut, false),
  };
}

function quoteFirst(each: DbcCase): BothQuotes {
  const discounted: DbcCase = {
    ...each,
    input: 1,
    config: { ...each.config, enableFirstSwapWithMinFee: true },
  };
  const pool = decode(discounted);
  return {
    mine: pool === null ? null : pick(quoteFirstPurchase(pool, each.amount, each.clock)),
    theirs: quoteByLibrary(discounted, swapQuoteExactIn, true),
  };
}

function decode(each: DbcCase): MeteoraDbcPool | null {
  const pool = meteoraDbc.decode(DBC_CASE.pool, createDbcReader(each));
  return 'unusable' in pool ? null : pool;
}

const mintOf = ({ input }: DbcCase) => (input === 0 ? DBC_CASE.baseMint : DBC_CASE.quoteMint);

function pick(quote: QuotedAmounts | null): QuotedAmounts | null {
  if (quote === null) return null;
  const { inAmount, outAmount, feeAmount } = quote;
  return { inAmount, outAmount, feeAmount };
}

/** What the library quotes, and null where it throws or the program could not store or pay the amounts. */
function quoteByLibrary(
  each: DbcCase,
  quote: typeof swapQuoteExactIn,
  isFirst: boolean,
): QuotedAmounts | null {
  const { config, pool, clock, input, amount } = each;
  const point = config.activationType === 0 ? clock.slot : clock.unixTimestamp;
  const result = run(() =>
    quote(toLibraryPool(each), toLibraryConfig(each), input === 0, bn(amount), 0, false, bn(point), isFirst),
  );
  if (result === null) return null;
  const [sent, traded, received, ...fees] = [
    result.includedFeeInputAmount,
    result.excludedFeeInputAmount,
    result.outputAmount,
    result.tradingFee,
    result.protocolFee,
  ].map((each) => BigInt(each.toString())) as [bigint, bigint, bigint, bigint, bigint];
  const feeAmount = fees[0] + fees[1];
  const gross = sent === traded ? received + feeAmount : received;
  const [reserveIn, reserveOut] =
    input === 0 ? [pool.baseReserve, pool.quoteReserve] : [pool.quoteReserve, pool.baseReserve];
  if (received === 0n || sent > U64_MAX || gross > reserveOut || reserveIn + traded > U64_MAX) return null;
  return { inAmount: sent, outAmount: received, feeAmount };
}

function run<T>(compute: () => T): T | null {
  try {
    return compute();
  } catch {
    return null;
  }
}

const bn = (value: bigint) => new BN(value.toString());

/** The fields that quotes read. */
function toLibraryPool({ pool }: DbcCase): VirtualPool {
  const { lastUpdateTimestamp, sqrtPriceReference, volatilityAccumulator, volatilityReference } =
    pool.volatilityTracker;
  const poolState = {
    sqrtPrice: bn(pool.sqrtPrice),
    quoteReserve: bn(pool.quoteReserve),
    activationPoint: bn(pool.activationPoint),
    volatilityTracker: {
      lastUpdateTimestamp: bn(lastUpdateTimestamp),
      sqrtPriceReference: bn(sqrtPriceReference),
      volatilityAccumulator: bn(volatilityAccumulator),
      volatilityReference: bn(volatilityReference),
    },
  };
  return { poolState } as unknown as VirtualPool;
}

const POINTS = 20;

function toLibraryConfig({ config }: DbcCase): PoolConfig {
  const { baseFee, dynamicFee } = config.poolFees;
  const points = [...config.curve];
  while (points.length < POINTS) points.push({ sqrtPrice: 0n, liquidity: 0n });
  return {
    collectFeeMode: config.collectFeeMode,
    migrationQuoteThreshold: bn(config.migrationQuoteThreshold),
    migrationSqrtPrice: bn(config.migrationSqrtPrice),
    sqrtStartPrice: bn(config.sqrtStartPrice),
    curve: points.map(({ sqrtPrice, liquidity }) => ({ sqrtPrice: bn(sqrtPrice), liquidity: bn(liquidity) })),
    poolFees: {
      baseFee: {
        ...baseFee,
        cliffFeeNumerator: bn(baseFee.cliffFeeNumerator),
        secondFactor: bn(baseFee.secondFactor),
        thirdFactor: bn(baseFee.thirdFactor),
      },
      dynamicFee: { ...dynamicFee, initialized: dynamicFee === null ? 0 : 1 },
    },
  } as unknown as PoolConfig;
}

function show(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? each.toString() : each));
}
