import { buildCurve, buildCurveWithMarketCap } from '@meteora-ag/dynamic-bonding-curve-sdk';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countCases, sampleCases } from '../../../testing/random.ts';
import type { DbcConfigParameters } from '../program/config-parameters.ts';
import { buildDbcCurve, buildDbcCurveFromMarketCaps, type DbcBuilt } from './build-curve.ts';
import { checkDbcParameters } from './config-check.ts';
import { toDbcBaseFee } from './fees.ts';
import type { DbcLaunchTerms } from './launch-terms.ts';
import { toDecimal } from './rounded-decimal.ts';
import { type BuiltBySdk, readSdkParameters, toSdkTerms } from '../../../testing/protocols/dbc-sdk.ts';
import { launchTerms, PLAIN_TERMS } from '../../../testing/protocols/dbc-launch-terms.ts';

describe('buildDbcCurveFromMarketCaps', () => {
  it("builds what Meteora's library builds, or what its program accepts where the library's is refused", () => {
    const suite = { cases: 2_000, seed: 40, against: "Meteora's library" };
    const ends = sampleCases(capped, suite).map(({ terms, caps }) => {
      const theirs = bySdk(terms, (plain) =>
        buildCurveWithMarketCap({
          ...plain,
          initialMarketCap: toNumber(caps.initial, terms.token.quoteDecimals),
          migrationMarketCap: toNumber(caps.migration, terms.token.quoteDecimals),
        }),
      );
      return compare(buildDbcCurveFromMarketCaps(terms, caps), theirs);
    });
    expect(countOf(ends, 'same')).toBeGreaterThan(countCases(suite) / 3);
    expect(countOf(ends, 'corrected')).toBeGreaterThan(countCases(suite) / 10);
  });

  it.each([
    { name: 'without locked tokens', locked: 0n, leftover: 0n, caps: [16_000n, 69_000n], raised: 22_427n },
    {
      name: 'a fifth of the supply left over',
      locked: 0n,
      leftover: 20n,
      caps: [16_000n, 69_000n],
      raised: 17_941n,
    },
    { name: 'a tenth locked', locked: 10n, leftover: 0n, caps: [32_000n, 240_000n], raised: 57_776n },
  ])('raises what the market caps say: $name', ({ locked, leftover, caps, raised }) => {
    const { totalSupply } = PLAIN_TERMS.token;
    const total = (totalSupply * locked) / 100n;
    const vested = {
      total,
      cliffUnlock: 0n,
      numberOfPeriods: 365n,
      totalDuration: 31_536_000n,
      cliffDuration: 0n,
    };
    const terms = {
      ...PLAIN_TERMS,
      token: { ...PLAIN_TERMS.token, leftover: (totalSupply * leftover) / 100n },
      lockedTokens: locked === 0n ? null : vested,
    };
    const [initial = 0n, migration = 0n] = caps;
    const built = buildDbcCurveFromMarketCaps(terms, {
      initial: initial * USDC,
      migration: migration * USDC,
    });
    if (!built.ok) throw new Error(built.error.message);
    const { parameters } = built;
    expect(Number(parameters.migrationQuoteThreshold / USDC)).toBeCloseTo(Number(raised), -1);
    // The first tokens cost what the initial market cap says, and the last ones what the other one says.
    const supply = parameters.tokenSupply?.preMigrationTokenSupply ?? 0n;
    const capAt = (sqrtPrice: bigint) => Number((sqrtPrice * sqrtPrice * supply) >> 128n) / Number(USDC);
    expect(capAt(parameters.sqrtStartPrice)).toBeCloseTo(Number(initial), -1);
    expect(capAt(parameters.curve[0]?.sqrtPrice ?? 0n)).toBeCloseTo(Number(migration), -1);
  });

  it.each([
    [{ initial: 0n, migration: usdc(1n) }, 'InvalidCurve'],
    [{ initial: usdc(2n), migration: usdc(2n) }, 'InvalidCurve'],
    [{ initial: usdc(3n), migration: usdc(2n) }, 'InvalidCurve'],
    [{ initial: -1n, migration: usdc(2n) }, 'InvalidCurve'],
  ])('refuses market caps between which a curve cannot rise', (caps, code) => {
    expect(buildDbcCurveFromMarketCaps(PLAIN_TERMS, caps)).toMatchObject({ ok: false, error: { code } });
  });

  it.each<[string, (terms: DbcLaunchTerms) => DbcLaunchTerms, string]>([
    [
      'no supply',
      (terms) => ({ ...terms, token: { ...terms.token, totalSupply: 0n } }),
      'InvalidTokenSupply',
    ],
    [
      'everything left over',
      (terms) => ({ ...terms, token: { ...terms.token, leftover: terms.token.totalSupply } }),
      'InvalidQuoteThreshold',
    ],
    [
      'a fee below the least',
      (terms) => ({ ...terms, fee: { ...terms.fee, base: constantFee(10) } }),
      'ExceedMaxFeeBps',
    ],
    [
      'a fee that is all',
      (terms) => ({ ...terms, fee: { ...terms.fee, base: constantFee(10_000) } }),
      'InvalidFee',
    ],
    [
      'liquidity of 99 %',
      (terms) => ({ ...terms, liquidity: { ...terms.liquidity, partnerPermanentLockedPercentage: 49 } }),
      'InvalidFeePercentage',
    ],
    [
      'no locked liquidity',
      (terms) => ({ ...terms, liquidity: { ...NOTHING_LOCKED } }),
      'InvalidMigrationLockedLiquidity',
    ],
    [
      'five decimals',
      (terms) => ({ ...terms, token: { ...terms.token, baseDecimals: 5 } }),
      'InvalidTokenDecimals',
    ],
  ])('refuses what the program would refuse: %s', (_, change, code) => {
    const caps = { initial: usdc(16_000n), migration: usdc(69_000n) };
    expect(buildDbcCurveFromMarketCaps(change(PLAIN_TERMS), caps)).toMatchObject({
      ok: false,
      error: { code },
    });
  });
});

describe('buildDbcCurve', () => {
  it("builds what Meteora's library builds, or what its program accepts where the library's is refused", () => {
    const suite = { cases: 1_000, seed: 41, against: "Meteora's library" };
    const ends = sampleCases(raised, suite).map(({ terms, percent, threshold }) => {
      const { quoteDecimals } = terms.token;
      const theirs = bySdk(terms, (plain) =>
        buildCurve({
          ...plain,
          percentageSupplyOnMigration: toNumber(percent, 2),
          migrationQuoteThreshold: toNumber(threshold, quoteDecimals),
        }),
      );
      const raise = {
        migrationSupplyPercent: toDecimal(percent, -2),
        quoteThreshold: toDecimal(threshold, -quoteDecimals),
      };
      return compare(buildDbcCurve(terms, raise), theirs);
    });
    expect(countOf(ends, 'same')).toBeGreaterThan(countCases(suite) / 3);
  });

  it('translates a rate limiter, which the library no longer builds', () => {
    const base = {
      kind: 'rateLimiter',
      baseFeeBps: 100,
      feeIncrementBps: 250,
      referenceAmount: 5_000_000n,
      maxDuration: 600n,
    } as const;
    const terms = { ...PLAIN_TERMS, fee: { ...PLAIN_TERMS.fee, base } };
    const raise = { migrationSupplyPercent: toDecimal(20n), quoteThreshold: toDecimal(10_000n) };
    const built = buildDbcCurve(terms, raise);
    expect(built.ok && built.parameters.poolFees.baseFee).toEqual({
      cliffFeeNumerator: 10_000_000n,
      firstFactor: 250,
      secondFactor: 600n,
      thirdFactor: 5_000_000n,
      baseFeeMode: 2,
    });
    const long = { ...base, maxDuration: 43_201n };
    expect(buildDbcCurve({ ...terms, fee: { ...terms.fee, base: long } }, raise)).toMatchObject({
      ok: false,
      error: { code: 'InvalidFeeRateLimiter' },
    });
  });
});

const USDC = 1_000_000n;

function usdc(whole: bigint): bigint {
  return whole * USDC;
}

const NOTHING_LOCKED = {
  partnerPermanentLockedPercentage: 0,
  partnerPercentage: 50,
  partnerVesting: null,
  creatorPermanentLockedPercentage: 0,
  creatorPercentage: 50,
  creatorVesting: null,
};

function constantFee(bps: number) {
  return {
    kind: 'linear',
    startingFeeBps: bps,
    endingFeeBps: bps,
    numberOfPeriods: 0,
    totalDuration: 0n,
  } as const;
}

const capped = launchTerms.chain((terms) =>
  fc
    .record({
      initial: fc.bigInt({ min: 1n, max: 1_000_000n }),
      cents: fc.bigInt({ min: 0n, max: 99n }),
      rise: fc.bigInt({ min: 110n, max: 20_000n }),
    })
    .map(({ initial, cents, rise }) => {
      const unit = 10n ** BigInt(terms.token.quoteDecimals);
      const first = initial * unit + (cents * unit) / 100n;
      return { terms, caps: { initial: first, migration: (first * rise) / 100n } };
    }),
);

const raised = launchTerms.chain((terms) =>
  fc
    .record({
      percent: fc.bigInt({ min: 500n, max: 5_000n }),
      whole: fc.bigInt({ min: 1n, max: 1_000_000n }),
      cents: fc.bigInt({ min: 0n, max: 99n }),
    })
    .map(({ percent, whole, cents }) => {
      const unit = 10n ** BigInt(terms.token.quoteDecimals);
      return { terms, percent, threshold: whole * unit + (cents * unit) / 100n };
    }),
);

function toNumber(amount: bigint, decimals: number): number {
  return Number(`${amount}e-${decimals}`);
}

/** What the library builds; null if it refuses. It no longer builds rate limiters, which a constant fee replaces here. */
function bySdk(
  terms: DbcLaunchTerms,
  build: (plain: ReturnType<typeof toSdkTerms>) => BuiltBySdk,
): DbcConfigParameters | null {
  const { base } = terms.fee;
  const isLimited = base.kind === 'rateLimiter';
  const plain = isLimited ? { ...terms, fee: { ...terms.fee, base: constantFee(base.baseFeeBps) } } : terms;
  try {
    const built = readSdkParameters(build(toSdkTerms(plain)));
    if (!isLimited) return built;
    return { ...built, poolFees: { ...built.poolFees, baseFee: toDbcBaseFee(base) } };
  } catch {
    return null;
  }
}

type End = 'same' | 'corrected' | 'refused';

function countOf(ends: readonly End[], end: End): number {
  return ends.filter((each) => each === end).length;
}

/**
 * Says how both ended. The library rounds the quote tokens that are migrated down, and the program rounds them up: with a
 * migration fee and nothing left over, the supply is then some atoms too small. The threshold is lowered here until it divides.
 */
function compare(built: DbcBuilt, theirs: DbcConfigParameters | null): End {
  if (built.ok) expect(checkDbcParameters(built.parameters)).toMatchObject({ ok: true });
  const checked = theirs === null ? null : checkDbcParameters(theirs);
  if (theirs !== null && checked?.ok === true) {
    if (!built.ok) throw new Error(`${built.error.code}: ${built.error.message}`);
    expect(built.parameters).toEqual(theirs);
    return 'same';
  }
  if (!built.ok) return 'refused';
  expect(checked).toMatchObject({ ok: false, error: { code: 'InvalidTokenSupply' } });
  const { migrationQuoteThreshold: threshold = 0n } = theirs ?? {};
  expect(built.parameters.migrationQuoteThreshold).toBe(threshold - (threshold % 100n));
  return 'corrected';
}
