import { buildCurve, buildCurveWithMarketCap } from '@meteora-ag/dynamic-bonding-curve-sdk';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleCases } from '../../../testing/random.ts';
import type { DbcConfigParameters } from '../program/config-parameters.ts';
import { buildDbcCurve, buildDbcCurveFromMarketCaps, type DbcBuilt } from './build-curve.ts';
import { checkDbcParameters } from './config-check.ts';
import type { DbcLaunchTerms } from './launch-terms.ts';
import { toDecimal } from './rounded-decimal.ts';
import { type BuiltBySdk, readSdkParameters, toSdkTerms } from '../../../testing/protocols/dbc-sdk.ts';
import { launchTerms, PLAIN_TERMS } from '../../../testing/protocols/dbc-launch-terms.ts';

describe('buildDbcCurveFromMarketCaps', () => {
  it("builds what Meteora's library builds, or what its program accepts where the library's is refused", () => {
    const counts = { same: 0, refusedByBoth: 0, corrected: 0 };
    for (const { terms, caps } of sampleCases(capped, { cases: 2_000, seed: 40, against: "Meteora's library" })) {
      const built = buildDbcCurveFromMarketCaps(terms, caps);
      const theirs = bySdk(() =>
        buildCurveWithMarketCap({
          ...toSdkTerms(terms),
          initialMarketCap: toNumber(caps.initial, terms.token.quoteDecimals),
          migrationMarketCap: toNumber(caps.migration, terms.token.quoteDecimals),
        }),
      );
      counts[compare(built, theirs)]++;
    }
    expect(counts.same).toBeGreaterThan(counts.refusedByBoth);
    expect(counts.corrected).toBeLessThan(counts.same);
  });

  it.each([
    { name: 'without locked tokens', locked: 0n, leftover: 0n, caps: [16_000n, 69_000n], raised: 22_427n },
    { name: 'a fifth of the supply left over', locked: 0n, leftover: 20n, caps: [16_000n, 69_000n], raised: 17_941n },
    { name: 'a tenth locked', locked: 10n, leftover: 0n, caps: [32_000n, 240_000n], raised: 57_776n },
  ])('raises what the market caps say: $name', ({ locked, leftover, caps, raised }) => {
    const { totalSupply } = PLAIN_TERMS.token;
    const total = (totalSupply * locked) / 100n;
    const vested = { total, cliffUnlock: 0n, numberOfPeriods: 365n, totalDuration: 31_536_000n, cliffDuration: 0n };
    const terms = {
      ...PLAIN_TERMS,
      token: { ...PLAIN_TERMS.token, leftover: (totalSupply * leftover) / 100n },
      lockedTokens: locked === 0n ? null : vested,
    };
    const [initial = 0n, migration = 0n] = caps;
    const built = buildDbcCurveFromMarketCaps(terms, { initial: initial * USDC, migration: migration * USDC });
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
    ['no supply', (terms) => ({ ...terms, token: { ...terms.token, totalSupply: 0n } }), 'InvalidTokenSupply'],
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
    ['five decimals', (terms) => ({ ...terms, token: { ...terms.token, baseDecimals: 5 } }), 'InvalidTokenDecimals'],
  ])('refuses what the program would refuse: %s', (_, change, code) => {
    const caps = { initial: usdc(16_000n), migration: usdc(69_000n) };
    expect(buildDbcCurveFromMarketCaps(change(PLAIN_TERMS), caps)).toMatchObject({ ok: false, error: { code } });
  });
});

describe('buildDbcCurve', () => {
  it("builds what Meteora's library builds, or what its program accepts where the library's is refused", () => {
    const counts = { same: 0, refusedByBoth: 0, corrected: 0 };
    for (const { terms, percent, threshold } of sampleCases(raised, { cases: 1_000, seed: 41, against: "Meteora's library" })) {
      const { quoteDecimals } = terms.token;
      const built = buildDbcCurve(terms, {
        migrationSupplyPercent: toDecimal(percent, -2),
        quoteThreshold: toDecimal(threshold, -quoteDecimals),
      });
      const theirs = bySdk(() =>
        buildCurve({
          ...toSdkTerms(terms),
          percentageSupplyOnMigration: toNumber(percent, 2),
          migrationQuoteThreshold: toNumber(threshold, quoteDecimals),
        }),
      );
      counts[compare(built, theirs)]++;
    }
    expect(counts.same).toBeGreaterThan(counts.refusedByBoth);
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
  return { kind: 'linear', startingFeeBps: bps, endingFeeBps: bps, numberOfPeriods: 0, totalDuration: 0n } as const;
}

const capped = launchTerms.chain((terms) =>
  fc
    .record({ initial: fc.bigInt({ min: 1n, max: 1_000_000n }), cents: fc.bigInt({ min: 0n, max: 99n }), rise: fc.bigInt({ min: 110n, max: 20_000n }) })
    .map(({ initial, cents, rise }) => {
      const unit = 10n ** BigInt(terms.token.quoteDecimals);
      const first = initial * unit + (cents * unit) / 100n;
      return { terms, caps: { initial: first, migration: (first * rise) / 100n } };
    }),
);

const raised = launchTerms.chain((terms) =>
  fc
    .record({ percent: fc.bigInt({ min: 500n, max: 5_000n }), whole: fc.bigInt({ min: 1n, max: 1_000_000n }), cents: fc.bigInt({ min: 0n, max: 99n }) })
    .map(({ percent, whole, cents }) => {
      const unit = 10n ** BigInt(terms.token.quoteDecimals);
      return { terms, percent, threshold: whole * unit + (cents * unit) / 100n };
    }),
);

function toNumber(amount: bigint, decimals: number): number {
  return Number(`${amount}e-${decimals}`);
}

/** What the library builds; null if it refuses. */
function bySdk(build: () => BuiltBySdk): DbcConfigParameters | null {
  try {
    return readSdkParameters(build());
  } catch {
    return null;
  }
}

/**
 * Says how both ended. The factors of fees that fall exponentially, and the steps of market caps, may be one apart: the
 * library computes them with logarithms and doubles, and here they are the largest ones with which the fee does not end
 * too low.
 */
function compare(built: DbcBuilt, theirs: DbcConfigParameters | null): 'same' | 'refusedByBoth' | 'corrected' {
  if (built.ok) expect(checkDbcParameters(built.parameters)).toMatchObject({ ok: true });
  const isAccepted = theirs !== null && checkDbcParameters(theirs).ok;
  if (isAccepted) {
    if (!built.ok) throw new Error(`${built.error.code}: ${built.error.message}`);
    expect(alignFactors(built.parameters, theirs)).toEqual(theirs);
    return 'same';
  }
  return built.ok ? 'corrected' : 'refusedByBoth';
}

function alignFactors(ours: DbcConfigParameters, theirs: DbcConfigParameters): DbcConfigParameters {
  const { baseFee } = ours.poolFees;
  const scheduler = ours.migratedPoolMarketCapFeeSchedulerParams;
  const other = theirs.migratedPoolMarketCapFeeSchedulerParams;
  const [thirdFactor, reductionFactor] = [theirs.poolFees.baseFee.thirdFactor, other.reductionFactor];
  const { sqrtPriceStepBps } = other;
  const isNear = (one: bigint, another: bigint) => one - another === 0n || one - another === 1n;
  return {
    ...ours,
    poolFees: {
      ...ours.poolFees,
      baseFee:
        baseFee.baseFeeMode === 1 && isNear(baseFee.thirdFactor, thirdFactor) ? { ...baseFee, thirdFactor } : baseFee,
    },
    migratedPoolMarketCapFeeSchedulerParams: {
      ...scheduler,
      ...(isNear(scheduler.reductionFactor, reductionFactor) ? { reductionFactor } : {}),
      ...(isNear(BigInt(scheduler.sqrtPriceStepBps), BigInt(sqrtPriceStepBps)) ? { sqrtPriceStepBps } : {}),
    },
  };
}
