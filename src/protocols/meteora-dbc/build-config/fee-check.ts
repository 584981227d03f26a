import { U64_MAX } from '../../../solana/units.ts';
import { computeBaseFeeRate } from '../../meteora-damm-v2/fees.ts';
import type { DbcConfigParameters } from '../program/config-parameters.ts';
import type { DbcBaseFee, DbcDynamicFee } from '../program/config-terms.ts';
import {
  DBC_FEE_DENOMINATOR,
  DbcActivationType,
  DbcBaseFeeMode,
  DbcMigrationFeeOption,
  MAX_DBC_FEE,
  MIN_DBC_FEE,
} from '../program/program.ts';
import { computeLimitedRate, createRateLimiter } from '../program/rate-limiter.ts';
import type { DbcBuildError } from './launch-terms.ts';

const BPS = 100_000n;
const U24_MAX = 0xff_ffff;
/** Twelve hours, in seconds and in slots. */
const LONGEST_LIMIT = { seconds: 43_200n, slots: 108_000n };

/** Checks the fees of a curve and of the pool that it becomes as `create_config` does. */
export function findFeeError(parameters: DbcConfigParameters): DbcBuildError | null {
  return (
    findBaseFeeError(parameters) ??
    findDynamicFeeError(parameters.poolFees.dynamicFee) ??
    findShareError(parameters) ??
    findOptionError(parameters) ??
    findMigratedFeeError(parameters)
  );
}

function findBaseFeeError(parameters: DbcConfigParameters): DbcBuildError | null {
  const { baseFee } = parameters.poolFees;
  if (baseFee.baseFeeMode === DbcBaseFeeMode.RATE_LIMITER) return findLimiterError(parameters, baseFee);
  if (baseFee.baseFeeMode < 0 || baseFee.baseFeeMode > DbcBaseFeeMode.RATE_LIMITER) {
    return refuse('InvalidBaseFeeMode', `the mode of the base fee is ${baseFee.baseFeeMode}`);
  }
  const factors = [BigInt(baseFee.firstFactor), baseFee.secondFactor, baseFee.thirdFactor];
  if (factors.some((each) => each !== 0n) && factors.some((each) => each === 0n)) {
    return refuse('InvalidFeeScheduler', 'a fee that falls needs periods, a frequency and a reduction');
  }
  const least = computeLastFee(baseFee.baseFeeMode, baseFee);
  if (least === null) return refuse('MathOverflow', 'the fee falls below nothing');
  if (least >= DBC_FEE_DENOMINATOR || baseFee.cliffFeeNumerator >= DBC_FEE_DENOMINATOR) {
    return refuse('InvalidFee', 'a fee must be below 100 %');
  }
  return least >= MIN_DBC_FEE && baseFee.cliffFeeNumerator <= MAX_DBC_FEE
    ? null
    : refuse('ExceedMaxFeeBps', 'a fee must be from 0.25 % to 99 %');
}

/** What a fee has fallen to after all periods; null if it would be negative or vanish. */
function computeLastFee(mode: number, fee: Omit<DbcBaseFee, 'baseFeeMode' | 'secondFactor'>): bigint | null {
  const baseFee = {
    cliff: fee.cliffFeeNumerator,
    mode,
    periods: fee.firstFactor,
    middle: 1n,
    last: fee.thirdFactor,
  };
  const late = BigInt(fee.firstFactor);
  return computeBaseFeeRate({ baseFee, activationPoint: 0n, initSqrtPrice: 0n }, 0n, late, false);
}

function findLimiterError(parameters: DbcConfigParameters, baseFee: DbcBaseFee): DbcBuildError | null {
  const { cliffFeeNumerator: cliff, firstFactor, secondFactor: duration, thirdFactor } = baseFee;
  const invalid = (message: string) => refuse('InvalidFeeRateLimiter', message);
  if (parameters.collectFeeMode > 1) return findCollectModeError(parameters);
  if (parameters.collectFeeMode !== 0) return invalid('a rate limiter needs fees in the quote token');
  if (cliff < MIN_DBC_FEE || cliff > MAX_DBC_FEE) return invalid('a fee must be from 0.25 % to 99 %');
  const factors = [BigInt(firstFactor), duration, thirdFactor];
  if (factors.every((each) => each === 0n)) return null;
  if (factors.some((each) => each === 0n)) {
    return invalid('a rate limiter needs an increment, a duration and an amount');
  }
  const longest =
    parameters.activationType === DbcActivationType.SLOT ? LONGEST_LIMIT.slots : LONGEST_LIMIT.seconds;
  if (duration > longest) return invalid(`a rate limiter lasts at most ${longest} points`);
  const increment = BigInt(firstFactor) * BPS;
  if (increment >= DBC_FEE_DENOMINATOR) return invalid('an increment must be below 100 %');
  const most = computeLimitedRate(
    createRateLimiter({ cliff, increment, referenceAmount: thirdFactor, duration }),
    U64_MAX,
  );
  return most !== null && most <= MAX_DBC_FEE ? null : invalid('the fee of a large purchase is above 99 %');
}

function findCollectModeError({ collectFeeMode }: DbcConfigParameters): DbcBuildError | null {
  return collectFeeMode > 1
    ? refuse('InvalidCollectFeeMode', `the collect fee mode is ${collectFeeMode}`)
    : null;
}

function findDynamicFeeError(fee: DbcDynamicFee | null): DbcBuildError | null {
  if (fee === null) return null;
  const isValid =
    fee.binStep === 1 &&
    fee.binStepU128 === 1_844_674_407_370_955n &&
    fee.filterPeriod < fee.decayPeriod &&
    fee.reductionFactor <= 10_000 &&
    fee.variableFeeControl <= U24_MAX &&
    fee.maxVolatilityAccumulator <= U24_MAX;
  return isValid ? null : refuse('InvalidInput', 'the terms of the dynamic fee are out of range');
}

function findShareError(parameters: DbcConfigParameters): DbcBuildError | null {
  if (parameters.creatorTradingFeePercentage > 100) {
    return refuse('InvalidCreatorTradingFeePercentage', "the creator's part of the fees is above 100 %");
  }
  const { feePercentage, creatorFeePercentage } = parameters.migrationFee;
  const mostOfCreator = feePercentage === 0 ? 0 : 100;
  return feePercentage <= 99 && creatorFeePercentage <= mostOfCreator
    ? null
    : refuse('InvalidMigratorFeePercentage', 'a migration fee is at most 99 %, and no part of none');
}

function findOptionError(parameters: DbcConfigParameters): DbcBuildError | null {
  const { migrationOption, migrationFeeOption, tokenType, activationType } = parameters;
  const error = findCollectModeError(parameters);
  if (error !== null) return error;
  if (migrationOption !== 1) {
    return refuse('InvalidMigrationOption', 'a curve can be migrated to DAMM v2 only');
  }
  if (migrationFeeOption > DbcMigrationFeeOption.CUSTOMIZABLE) {
    return refuse('InvalidMigrationFeeOption', `the migration fee option is ${migrationFeeOption}`);
  }
  if (tokenType > 1) return refuse('InvalidTokenType', `the token type is ${tokenType}`);
  return activationType > 1 ? refuse('TypeCastFailed', `the activation type is ${activationType}`) : null;
}

function findMigratedFeeError(parameters: DbcConfigParameters): DbcBuildError | null {
  const { migratedPoolFee: fee, compoundingFeeBps } = parameters;
  const scheduler = parameters.migratedPoolMarketCapFeeSchedulerParams;
  const invalid = (message: string) => refuse('InvalidMigratedPoolFee', message);
  const hasScheduler = Object.values(scheduler).some((each) => BigInt(each) !== 0n);
  if (parameters.migrationFeeOption !== DbcMigrationFeeOption.CUSTOMIZABLE) {
    const isNone =
      Object.values(fee).every((each) => each === 0) &&
      compoundingFeeBps === 0 &&
      parameters.migratedPoolBaseFeeMode === 0 &&
      !hasScheduler;
    return isNone ? null : invalid('a pool with a fixed fee has no other terms');
  }
  if (fee.poolFeeBps < 10 || fee.poolFeeBps > 1_000) {
    return invalid(
      `the fee of the migrated pool must be from 10 to 1000 basis points, got ${fee.poolFeeBps}`,
    );
  }
  if (fee.collectFeeMode > 2) return refuse('InvalidCollectFeeMode', 'the migrated pool has no such mode');
  const isCompounding = fee.collectFeeMode === 2;
  if (isCompounding !== compoundingFeeBps > 0 || compoundingFeeBps > 10_000) {
    return invalid('a pool that compounds fees, and no other, compounds up to 10000 basis points of them');
  }
  if (fee.dynamicFee > 1) return invalid('the dynamic fee of the migrated pool is neither off nor on');
  return findSchedulerError(parameters, hasScheduler);
}

/** The least fee of a pool of DAMM v2. */
const MIN_DAMM_FEE = 100_000n;

function findSchedulerError(parameters: DbcConfigParameters, isGiven: boolean): DbcBuildError | null {
  const { migratedPoolBaseFeeMode: mode, migratedPoolFee } = parameters;
  const scheduler = parameters.migratedPoolMarketCapFeeSchedulerParams;
  if (mode < 0 || mode > 4) return refuse('TypeCastFailed', `the mode of the migrated fee is ${mode}`);
  if (mode === 2) return refuse('InvalidMigratedPoolFee', 'a migrated pool has no rate limiter');
  if (mode < 2) {
    return isGiven ? refuse('InvalidMigratedPoolFee', 'a fixed fee has no steps of the market cap') : null;
  }
  if (Object.values(scheduler).some((each) => BigInt(each) === 0n)) {
    return refuse('InvalidFeeMarketCapScheduler', 'a fee that follows the market cap needs all four terms');
  }
  const least = computeLastFee(mode === 3 ? DbcBaseFeeMode.LINEAR : DbcBaseFeeMode.EXPONENTIAL, {
    cliffFeeNumerator: BigInt(migratedPoolFee.poolFeeBps) * BPS,
    firstFactor: scheduler.numberOfPeriod,
    thirdFactor: scheduler.reductionFactor,
  });
  if (least === null) return refuse('MathOverflow', 'the migrated fee falls below nothing');
  return least >= MIN_DAMM_FEE
    ? null
    : refuse('ExceedMaxFeeBps', 'the migrated fee falls below a basis point');
}

function refuse(code: string, message: string): DbcBuildError {
  return { code, message };
}
