import fc from 'fast-check';
import type { DbcConfigParameters } from '../../../src/protocols/meteora-dbc/program/config-parameters.ts';
import {
  type DbcBaseFee,
  type DbcCurvePoint,
  type DbcDynamicFee,
  type DbcLiquidityVesting,
  NO_LIQUIDITY_VESTING,
  NO_LOCKED_VESTING,
  NO_MARKET_CAP_FEE_SCHEDULER,
} from '../../../src/protocols/meteora-dbc/program/config-terms.ts';
import {
  DbcBaseFeeMode,
  DbcCollectFeeMode,
  DbcMigrationFeeOption,
  DbcMigrationOption,
} from '../../../src/protocols/meteora-dbc/program/program.ts';
import { partOf } from './fixture.ts';

/** One basis point as a Q64.64, which is the only bin step. */
const BIN_STEP_U128 = 1_844_674_407_370_955n;
const LEAST_FEE = 2_500_000n;

const cliff = fc.oneof(fc.bigInt(LEAST_FEE, 30_000_000n), fc.bigInt(LEAST_FEE, 989_000_000n));

/** A fee that is constant, falls with time, or rises with the amount. */
const baseFee: fc.Arbitrary<DbcBaseFee> = fc.oneof(
  cliff.map((cliffFeeNumerator) => ({
    cliffFeeNumerator,
    firstFactor: 0,
    secondFactor: 0n,
    thirdFactor: 0n,
    baseFeeMode: 0,
  })),
  fc
    .record({
      cliffFeeNumerator: cliff,
      firstFactor: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 65_535 })),
      secondFactor: fc.oneof(fc.bigInt(1n, 600n), fc.bigInt(1n, 1n << 40n)),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      baseFeeMode: fc.constantFrom(DbcBaseFeeMode.LINEAR, DbcBaseFeeMode.EXPONENTIAL),
    })
    .map(({ share, ...fee }) => ({ ...fee, thirdFactor: reductionOf(fee, share) })),
  fc.record({
    cliffFeeNumerator: cliff,
    firstFactor: fc.integer({ min: 1, max: 9_999 }),
    secondFactor: fc.bigInt(1n, 43_200n),
    thirdFactor: fc.oneof(fc.bigInt(1n, 1n << 40n), fc.bigInt(1n, 1n << 63n)),
    baseFeeMode: fc.constant(DbcBaseFeeMode.RATE_LIMITER),
  }),
);

/** Returns a reduction that leaves at least the lowest fee at the end, up to the rounding of the program. */
function reductionOf(
  { cliffFeeNumerator, firstFactor, baseFeeMode }: Omit<DbcBaseFee, 'secondFactor' | 'thirdFactor'>,
  share: number,
): bigint {
  const [first, periods] = [Number(cliffFeeNumerator), firstFactor];
  const most =
    baseFeeMode === DbcBaseFeeMode.LINEAR
      ? (first - Number(LEAST_FEE)) / periods
      : 10_000 * (1 - (Number(LEAST_FEE) / first) ** (1 / periods)) - 1;
  const reduction = BigInt(Math.floor(Math.max(most, 0) * share));
  return reduction < 1n ? 1n : reduction;
}

const dynamicFee: fc.Arbitrary<DbcDynamicFee> = fc
  .record({
    filterPeriod: fc.integer({ min: 0, max: 60 }),
    decay: fc.integer({ min: 1, max: 1_200 }),
    reductionFactor: fc.integer({ min: 0, max: 10_000 }),
    maxVolatilityAccumulator: fc.integer({ min: 0, max: 0xff_ffff }),
    variableFeeControl: fc.integer({ min: 0, max: 0xff_ffff }),
  })
  .map(({ decay, ...fee }) => ({
    ...fee,
    decayPeriod: fee.filterPeriod + decay,
    binStep: 1,
    binStepU128: BIN_STEP_U128,
  }));

/** A vesting without its share, which is one of six. */
const vesting: fc.Arbitrary<Omit<DbcLiquidityVesting, 'vestingPercentage'>> = fc.oneof(
  fc.record({
    bpsPerPeriod: fc.constant(0),
    numberOfPeriods: fc.constant(0),
    frequency: fc.constant(0),
    cliffDurationFromMigrationTime: fc.integer({ min: 1, max: 63_072_000 }),
  }),
  fc.record({
    numberOfPeriods: fc.integer({ min: 1, max: 100 }),
    bpsPerPeriod: fc.integer({ min: 1, max: 100 }),
    frequency: fc.integer({ min: 1, max: 500_000 }),
    cliffDurationFromMigrationTime: fc.integer({ min: 0, max: 10_000_000 }),
  }),
);

/** The six shares of the migrated liquidity. They sum to 100. */
const shares = fc
  .tuple(fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 5, maxLength: 5 }), fc.boolean())
  .map(([cuts, alone]) => {
    if (alone) return [0, 50, 0, 50, 0, 0] as const;
    const ends = [...cuts.sort((a, b) => a - b), 100];
    return ends.map((end, i) => end - (ends[i - 1] ?? 0));
  });

interface CurveTerms {
  readonly sqrtStartPrice: bigint;
  readonly curve: readonly DbcCurvePoint[];
  readonly migrationQuoteThreshold: bigint;
}

/** A curve of 1 to 16 parts, of which some part or all is sold until the migration. */
const curve: fc.Arbitrary<CurveTerms> = fc
  .record({
    start: fc.bigInt(1n << 52n, 1n << 68n),
    parts: fc.array(
      fc.record({
        rise: fc.oneof(fc.bigInt(1n, 2_000n), fc.bigInt(1n, 200_000n)),
        raised: fc.bigInt(1n << 16n, 1n << 36n),
      }),
      { minLength: 1, maxLength: 16 },
    ),
    sold: fc.bigInt(1n, 1_000n),
  })
  .map(({ start, parts, sold }) => {
    let lower = start;
    const points = parts.map(({ rise, raised }) => {
      const upper = lower + (lower * rise) / 10_000n + 1n;
      const part = partOf(lower, upper, raised);
      lower = upper;
      return part;
    });
    const total = parts.reduce((sum, { raised }) => sum + raised, 0n);
    return {
      sqrtStartPrice: start,
      curve: points,
      migrationQuoteThreshold: (total * sold) / 1_000n + 1n,
    };
  });

type MigratedFees = Pick<
  DbcConfigParameters,
  | 'migrationFeeOption'
  | 'migratedPoolFee'
  | 'migratedPoolBaseFeeMode'
  | 'migratedPoolMarketCapFeeSchedulerParams'
  | 'compoundingFeeBps'
>;

const fixedFees: fc.Arbitrary<MigratedFees> = fc
  .integer({ min: 0, max: DbcMigrationFeeOption.FIXED_BPS_600 })
  .map((migrationFeeOption) => ({
    migrationFeeOption,
    migratedPoolFee: { collectFeeMode: 0, dynamicFee: 0, poolFeeBps: 0 },
    migratedPoolBaseFeeMode: 0,
    migratedPoolMarketCapFeeSchedulerParams: NO_MARKET_CAP_FEE_SCHEDULER,
    compoundingFeeBps: 0,
  }));

const chosenFees: fc.Arbitrary<MigratedFees> = fc
  .record({
    collectFeeMode: fc.constantFrom(0, 1, 2),
    dynamicFee: fc.constantFrom(0, 1),
    poolFeeBps: fc.integer({ min: 10, max: 1_000 }),
    mode: fc.constantFrom(0, 1, 3, 4),
    compoundingFeeBps: fc.integer({ min: 1, max: 10_000 }),
    numberOfPeriod: fc.integer({ min: 1, max: 300 }),
    sqrtPriceStepBps: fc.integer({ min: 1, max: 65_535 }),
    schedulerExpirationDuration: fc.integer({ min: 1, max: 0xffff_ffff }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ collectFeeMode, dynamicFee, poolFeeBps, mode, compoundingFeeBps, share, ...schedule }) => ({
    migrationFeeOption: DbcMigrationFeeOption.CUSTOMIZABLE,
    migratedPoolFee: { collectFeeMode, dynamicFee, poolFeeBps },
    migratedPoolBaseFeeMode: mode,
    migratedPoolMarketCapFeeSchedulerParams:
      mode < 3
        ? NO_MARKET_CAP_FEE_SCHEDULER
        : {
            ...schedule,
            reductionFactor: reductionByPrice(mode, poolFeeBps, schedule.numberOfPeriod, share),
          },
    compoundingFeeBps: collectFeeMode === 2 ? compoundingFeeBps : 0,
  }));

/** The lowest fee of DAMM v2 is 0.01 %. */
function reductionByPrice(mode: number, feeBps: number, periods: number, share: number): bigint {
  const most =
    mode === 3 ? ((feeBps - 1) * 100_000) / periods : 10_000 * (1 - (1 / feeBps) ** (1 / periods)) - 1;
  return BigInt(Math.max(1, Math.floor(most * share)));
}

/** Parameters of every kind that the program mostly accepts: at times an amount is too large or too small for it. */
export const configCase: fc.Arbitrary<DbcConfigParameters> = fc
  .record({
    baseFee,
    dynamic: fc.option(dynamicFee, { nil: null, freq: 2 }),
    collectFeeMode: fc.constantFrom(DbcCollectFeeMode.QUOTE_TOKEN, DbcCollectFeeMode.OUTPUT_TOKEN),
    activationType: fc.constantFrom(0, 1),
    tokenType: fc.constantFrom(0, 1),
    tokenDecimal: fc.integer({ min: 6, max: 9 }),
    shares,
    vestings: fc.tuple(vesting, vesting),
    curve,
    locked: fc.option(
      fc.record({
        amountPerPeriod: fc.bigInt(0n, 1n << 40n),
        cliffDurationFromMigrationTime: fc.bigInt(0n, 1n << 30n),
        frequency: fc.bigInt(1n, 1n << 30n),
        numberOfPeriod: fc.bigInt(0n, 1_000n),
        cliffUnlockAmount: fc.bigInt(1n, 1n << 50n),
      }),
      { nil: null, freq: 2 },
    ),
    fees: fc.oneof(fixedFees, chosenFees),
    supply: fc.option(fc.tuple(fc.bigInt(1n << 50n, (1n << 64n) - 1n), fc.bigInt(0n, 1n << 50n)), {
      nil: null,
      freq: 2,
    }),
    creatorTradingFeePercentage: fc.integer({ min: 0, max: 100 }),
    tokenUpdateAuthority: fc.integer({ min: 0, max: 4 }),
    migrationFee: fc.oneof(
      fc.constant({ feePercentage: 0, creatorFeePercentage: 0 }),
      fc.record({
        feePercentage: fc.integer({ min: 1, max: 99 }),
        creatorFeePercentage: fc.integer({ min: 0, max: 100 }),
      }),
    ),
    poolCreationFee: fc.oneof(fc.constant(0n), fc.bigInt(1_000_000n, 100_000_000_000n)),
    enableFirstSwapWithMinFee: fc.boolean(),
  })
  .map(({ baseFee, dynamic, collectFeeMode, shares, vestings, curve, locked, fees, supply, ...rest }) => {
    const isLimiter = baseFee.baseFeeMode === DbcBaseFeeMode.RATE_LIMITER;
    const [partner = 0, partnerLocked = 0, creator = 0, creatorLocked = 0, forPartner = 0, forCreator = 0] =
      shares;
    const vestingOf = (vestingPercentage: number, side: 0 | 1): DbcLiquidityVesting =>
      vestingPercentage === 0 ? NO_LIQUIDITY_VESTING : { ...vestings[side], vestingPercentage };
    return {
      ...rest,
      ...curve,
      ...fees,
      poolFees: { baseFee, dynamicFee: dynamic },
      // A rate limiter works with fees in the quote token only.
      collectFeeMode: isLimiter ? DbcCollectFeeMode.QUOTE_TOKEN : collectFeeMode,
      migrationOption: DbcMigrationOption.DAMM_V2,
      partnerLiquidityPercentage: partner,
      partnerPermanentLockedLiquidityPercentage: partnerLocked,
      creatorLiquidityPercentage: creator,
      creatorPermanentLockedLiquidityPercentage: creatorLocked,
      partnerLiquidityVestingInfo: vestingOf(forPartner, 0),
      creatorLiquidityVestingInfo: vestingOf(forCreator, 1),
      lockedVesting: locked ?? NO_LOCKED_VESTING,
      tokenSupply:
        supply === null
          ? null
          : { preMigrationTokenSupply: supply[0], postMigrationTokenSupply: supply[0] - supply[1] },
    };
  });
