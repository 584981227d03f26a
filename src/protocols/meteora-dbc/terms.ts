import type { Account } from '../../chain/accounts.ts';
import { cachePerAccount } from '../../protocol/venue/once-per-account.ts';
import { PoolUnusable } from '../../protocol/venue/unusable-pool.ts';
import type { Address } from '../../solana/address.ts';
import { BaseFeeMode, type DynamicFeeTerms } from '../meteora-damm-v2/program/layout.ts';
import { type DbcCurve, type DbcRange, listRanges } from './curve.ts';
import type { DbcFeeTerms } from './fees.ts';
import { createRateLimiter } from './program/rate-limiter.ts';
import type { DbcCurvePoint, DbcPoolConfig } from './program/config-terms.ts';
import { decodeDbcConfig } from './program/layout-config.ts';
import {
  DbcActivationType,
  DbcBaseFeeMode,
  DbcCollectFeeMode,
  MAX_DBC_SQRT_PRICE,
  MIN_DBC_SQRT_PRICE,
} from './program/program.ts';

/** The terms of all pools under one configuration, which never change. */
export interface DbcTerms extends DbcCurve, DbcFeeTerms {
  readonly ranges: readonly DbcRange[];
  readonly quoteMint: Address;
  readonly collectFeeMode: number;
  readonly activationType: number;
  readonly dynamicFee: DynamicFeeTerms | null;
  /** The quote tokens with which a pool is complete. */
  readonly quoteThreshold: bigint;
  /** The base tokens that a pool must hold then, for the liquidity and for those who get some later. */
  readonly baseNeeded: bigint;
  /** Whether the first swap is charged the lowest fee if the transaction also creates the pool. */
  readonly isFirstSwapDiscounted: boolean;
}

/**
 * @throws LayoutInvalid if the account is no configuration
 * @throws PoolUnusable if its program would refuse every swap
 */
export const readDbcTerms: (account: Account) => DbcTerms = cachePerAccount(({ data }) => {
  const config = decodeDbcConfig(data);
  checkConfig(config);
  const { lockedVestingConfig: vesting, sqrtStartPrice, migrationSqrtPrice } = config;
  const points = listPoints(config);
  return {
    quoteMint: config.quoteMint,
    collectFeeMode: config.collectFeeMode,
    activationType: config.activationType,
    sqrtStartPrice,
    migrationSqrtPrice,
    points,
    ranges: listRanges({ sqrtStartPrice, migrationSqrtPrice, points }),
    ...toFeeTerms(config),
    dynamicFee: toDynamicFee(config),
    quoteThreshold: config.migrationQuoteThreshold,
    baseNeeded:
      config.migrationBaseThreshold +
      vesting.cliffUnlockAmount +
      vesting.amountPerPeriod * vesting.numberOfPeriod,
    isFirstSwapDiscounted: config.enableFirstSwapWithMinFee,
  };
});

function checkConfig(config: DbcPoolConfig): void {
  const { baseFeeMode } = config.poolFees.baseFee;
  checkByte('base fee mode', baseFeeMode, DbcBaseFeeMode.RATE_LIMITER);
  checkByte('mode of collecting fees', config.collectFeeMode, DbcCollectFeeMode.OUTPUT_TOKEN);
  checkByte('activation type', config.activationType, DbcActivationType.TIMESTAMP);
  checkCurve(config);
  if (toDynamicFee(config)?.binStepQ64 === 0n) {
    throw new PoolUnusable('its dynamic fee has a bin step of zero');
  }
}

/** The program creates no other curves, and no swap leads beyond the price of the migration. */
function checkCurve(config: DbcPoolConfig): void {
  const { sqrtStartPrice, migrationSqrtPrice } = config;
  const points = listPoints(config);
  if (points.length === 0 || migrationSqrtPrice <= sqrtStartPrice)
    throw new PoolUnusable('its curve has no liquidity');
  if (sqrtStartPrice < MIN_DBC_SQRT_PRICE)
    throw new PoolUnusable(`its curve starts at the price ${sqrtStartPrice}`);
  let lower = sqrtStartPrice;
  for (const { sqrtPrice } of points) {
    if (sqrtPrice <= lower) throw new PoolUnusable('the prices of its curve do not rise');
    lower = sqrtPrice;
  }
  if (migrationSqrtPrice > lower) throw new PoolUnusable('its curve ends before the price of the migration');
  if (lower > MAX_DBC_SQRT_PRICE) throw new PoolUnusable(`its curve ends at the price ${lower}`);
}

function checkByte(what: string, value: number, most: number): void {
  if (value > most) throw new PoolUnusable(`its ${what} is ${value}, and at most ${most} is known`);
}

/** The points before the first one that is not set. */
function listPoints({ curve }: DbcPoolConfig): readonly DbcCurvePoint[] {
  const end = curve.findIndex(({ sqrtPrice, liquidity }) => sqrtPrice === 0n || liquidity === 0n);
  return end === -1 ? curve : curve.slice(0, end);
}

/** One hundredth of a percent in billionths. */
const BPS = 100_000n;

function toFeeTerms({ poolFees: { baseFee } }: DbcPoolConfig): DbcFeeTerms {
  const { cliffFeeNumerator: cliff, baseFeeMode: mode, firstFactor, secondFactor, thirdFactor } = baseFee;
  const schedule = { cliff, mode, periods: firstFactor, middle: secondFactor, last: thirdFactor };
  if (mode !== DbcBaseFeeMode.RATE_LIMITER) return { schedule, limiter: null };
  const constant = { cliff, mode: BaseFeeMode.TIME_LINEAR, periods: 0, middle: 0n, last: 0n };
  const isSet = firstFactor !== 0 || secondFactor !== 0n || thirdFactor !== 0n;
  if (!isSet) return { schedule: constant, limiter: null };
  const limiter = createRateLimiter({
    cliff,
    increment: BigInt(firstFactor) * BPS,
    duration: secondFactor,
    referenceAmount: thirdFactor,
  });
  return { schedule: constant, limiter };
}

function toDynamicFee({ poolFees: { dynamicFee } }: DbcPoolConfig): DynamicFeeTerms | null {
  if (dynamicFee === null) return null;
  return {
    maxAccumulator: dynamicFee.maxVolatilityAccumulator,
    control: dynamicFee.variableFeeControl,
    binStep: dynamicFee.binStep,
    filterPeriod: dynamicFee.filterPeriod,
    decayPeriod: dynamicFee.decayPeriod,
    reductionBps: dynamicFee.reductionFactor,
    binStepQ64: dynamicFee.binStepU128,
  };
}
