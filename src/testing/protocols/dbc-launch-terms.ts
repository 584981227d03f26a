import fc from 'fast-check';
import type {
  DbcFeePlan,
  DbcLaunchTerms,
  DbcLiquidityPlan,
  DbcMigrationPlan,
} from '../../protocols/meteora-dbc/build-config/launch-terms.ts';

/** A thousand million tokens for USDC, a fee of 1 %, and liquidity that stays locked. */
export const PLAIN_TERMS: DbcLaunchTerms = {
  token: {
    tokenType: 0,
    baseDecimals: 6,
    quoteDecimals: 6,
    updateAuthority: 1,
    totalSupply: 1_000_000_000_000_000n,
    leftover: 0n,
  },
  fee: {
    base: { kind: 'linear', startingFeeBps: 100, endingFeeBps: 100, numberOfPeriods: 0, totalDuration: 0n },
    isDynamic: false,
    collectFeeMode: 0,
    creatorTradingFeePercentage: 50,
    poolCreationFee: 0n,
    isFirstSwapDiscounted: false,
  },
  migration: { feeOption: 2, fee: { feePercentage: 0, creatorFeePercentage: 0 }, pool: null },
  liquidity: {
    partnerPermanentLockedPercentage: 50,
    partnerPercentage: 0,
    partnerVesting: null,
    creatorPermanentLockedPercentage: 50,
    creatorPercentage: 0,
    creatorVesting: null,
  },
  lockedTokens: null,
  activationType: 1,
};

const scheduled = fc
  .record({
    kind: fc.constantFrom('linear' as const, 'exponential' as const),
    endingFeeBps: fc.integer({ min: 25, max: 2_000 }),
    more: fc.integer({ min: 0, max: 7_900 }),
    numberOfPeriods: fc.integer({ min: 1, max: 300 }),
    perPeriod: fc.bigInt({ min: 1n, max: 100n }),
  })
  .map(({ kind, endingFeeBps, more, numberOfPeriods, perPeriod }) => {
    const isConstant = more < 800;
    return {
      kind,
      startingFeeBps: isConstant ? endingFeeBps : endingFeeBps + more,
      endingFeeBps,
      numberOfPeriods: isConstant ? 0 : numberOfPeriods,
      totalDuration: isConstant ? 0n : perPeriod * BigInt(numberOfPeriods) + (perPeriod % 3n),
    };
  });

const limited = fc.record({
  kind: fc.constant('rateLimiter' as const),
  baseFeeBps: fc.integer({ min: 25, max: 2_000 }),
  feeIncrementBps: fc.integer({ min: 1, max: 2_000 }),
  // Whole tokens of any decimals.
  referenceAmount: fc.bigInt({ min: 1n, max: 100n }).map((whole) => whole * 1_000_000_000n),
  maxDuration: fc.bigInt({ min: 1n, max: 43_200n }),
});

const fee: fc.Arbitrary<DbcFeePlan> = fc.record({
  base: fc.oneof({ arbitrary: scheduled, weight: 3 }, limited),
  isDynamic: fc.boolean(),
  collectFeeMode: fc.constantFrom(0, 0, 1),
  creatorTradingFeePercentage: fc.integer({ min: 0, max: 100 }),
  poolCreationFee: fc.constantFrom(0n, 0n, 1_000_000n, 50_000_000n),
  isFirstSwapDiscounted: fc.boolean(),
});

const marketCapFee = fc.record({
  kind: fc.constantFrom('linear' as const, 'exponential' as const),
  endingFeeBps: fc.integer({ min: 10, max: 200 }),
  numberOfPeriods: fc.integer({ min: 1, max: 100 }),
  startingMarketCap: fc.bigInt({ min: 1n, max: 1_000n }).map((whole) => whole * 1_000_000_000n),
  endingMarketCap: fc.bigInt({ min: 1_100n, max: 100_000n }).map((whole) => whole * 1_000_000_000n),
  expirationDuration: fc.integer({ min: 1, max: 1_000_000 }),
});

const migration: fc.Arbitrary<DbcMigrationPlan> = fc
  .record({
    feeOption: fc.integer({ min: 0, max: 6 }),
    feePercentage: fc.constantFrom(0, 0, 0, 1, 7, 33, 50, 99),
    creatorFeePercentage: fc.integer({ min: 0, max: 100 }),
    collectFeeMode: fc.integer({ min: 0, max: 2 }),
    dynamicFee: fc.integer({ min: 0, max: 1 }),
    poolFeeBps: fc.integer({ min: 210, max: 1_000 }),
    compoundingFeeBps: fc.integer({ min: 1, max: 10_000 }),
    marketCapFee: fc.option(marketCapFee),
  })
  .map((plan) => ({
    feeOption: plan.feeOption,
    fee: {
      feePercentage: plan.feePercentage,
      creatorFeePercentage: plan.feePercentage === 0 ? 0 : plan.creatorFeePercentage,
    },
    pool:
      plan.feeOption !== 6
        ? null
        : {
            collectFeeMode: plan.collectFeeMode,
            dynamicFee: plan.dynamicFee,
            poolFeeBps: plan.poolFeeBps,
            compoundingFeeBps: plan.collectFeeMode === 2 ? plan.compoundingFeeBps : 0,
            marketCapFee: plan.marketCapFee,
          },
  }));

const vesting = fc.record({
  bpsPerPeriod: fc.integer({ min: 1, max: 100 }),
  numberOfPeriods: fc.integer({ min: 1, max: 100 }),
  cliffDuration: fc.integer({ min: 0, max: 10_000_000 }),
  totalDuration: fc.integer({ min: 86_400, max: 30_000_000 }),
});

const liquidity: fc.Arbitrary<DbcLiquidityPlan> = fc
  .record({
    locked: fc.integer({ min: 10, max: 100 }),
    cuts: fc.tuple(fc.nat({ max: 100 }), fc.nat({ max: 100 }), fc.nat({ max: 100 }), fc.nat({ max: 100 })),
    partner: vesting,
    creator: vesting,
  })
  .map(({ locked, cuts, partner, creator }) => {
    const [a = 0, b = 0, c = 0, d = 0] = cuts
      .map((cut) => Math.floor((cut * (100 - locked)) / 100))
      .sort((x, y) => x - y);
    const [ofPartner, ofCreator] = [b - a, d - c];
    return {
      partnerPermanentLockedPercentage: locked,
      partnerPercentage: a,
      partnerVesting: ofPartner === 0 ? null : { ...partner, vestingPercentage: ofPartner },
      creatorPermanentLockedPercentage: c - b,
      creatorPercentage: 100 - locked - d,
      creatorVesting: ofCreator === 0 ? null : { ...creator, vestingPercentage: ofCreator },
    };
  });

/** What launchers say, of every kind. Amounts are whole tokens, as the public builders take them. */
export const launchTerms: fc.Arbitrary<DbcLaunchTerms> = fc
  .record({
    tokenType: fc.integer({ min: 0, max: 1 }),
    baseDecimals: fc.integer({ min: 6, max: 9 }),
    quoteDecimals: fc.constantFrom(6, 9),
    updateAuthority: fc.integer({ min: 0, max: 4 }),
    supply: fc.constantFrom(1_000_000n, 21_000_000n, 1_000_000_000n, 9_999_999_999n),
    leftoverPercent: fc.constantFrom(0n, 0n, 1n, 20n),
    lockedPercent: fc.constantFrom(0n, 0n, 3n, 10n, 33n),
    cliffPercent: fc.constantFrom(0n, 10n, 100n),
    periods: fc.bigInt({ min: 1n, max: 365n }),
    cliffDuration: fc.bigInt({ min: 0n, max: 1_000_000n }),
    fee,
    migration,
    liquidity,
    activationType: fc.integer({ min: 0, max: 1 }),
  })
  .map((each) => {
    const token = 10n ** BigInt(each.baseDecimals);
    const locked = (each.supply * each.lockedPercent) / 100n;
    return {
      token: {
        tokenType: each.tokenType,
        baseDecimals: each.baseDecimals,
        quoteDecimals: each.quoteDecimals,
        updateAuthority: each.updateAuthority,
        totalSupply: each.supply * token,
        leftover: ((each.supply * each.leftoverPercent) / 100n) * token,
      },
      fee: each.fee,
      migration: each.migration,
      liquidity: each.liquidity,
      lockedTokens:
        locked === 0n
          ? null
          : {
              total: locked * token,
              cliffUnlock: ((locked * each.cliffPercent) / 100n) * token,
              numberOfPeriods: each.periods,
              totalDuration: each.periods * 86_400n + 7n,
              cliffDuration: each.cliffDuration,
            },
      activationType: each.activationType,
    };
  });
