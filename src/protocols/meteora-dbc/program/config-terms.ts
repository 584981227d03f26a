import type { Address } from '../../../solana/address.ts';

/**
 * A base fee in billionths. The factors hold what the mode wants: for schedules the number of periods, the points per
 * period and the reduction per period; for a rate limiter the increment in basis points, the longest duration in points
 * and the reference amount.
 */
export interface DbcBaseFee {
  readonly cliffFeeNumerator: bigint;
  readonly firstFactor: number;
  readonly secondFactor: bigint;
  readonly thirdFactor: bigint;
  readonly baseFeeMode: number;
}

/** The terms of a fee that follows volatility. Periods in seconds. */
export interface DbcDynamicFee {
  readonly binStep: number;
  readonly binStepU128: bigint;
  readonly filterPeriod: number;
  readonly decayPeriod: number;
  readonly reductionFactor: number;
  readonly maxVolatilityAccumulator: number;
  readonly variableFeeControl: number;
}

export interface DbcPoolFees {
  readonly baseFee: DbcBaseFee;
  readonly dynamicFee: DbcDynamicFee | null;
}

/** How migrated liquidity unlocks, in seconds from the migration. All zero if none is locked for a time. */
export interface DbcLiquidityVesting {
  readonly vestingPercentage: number;
  readonly bpsPerPeriod: number;
  readonly numberOfPeriods: number;
  readonly cliffDurationFromMigrationTime: number;
  readonly frequency: number;
}

/** How launched tokens unlock for the creator, in seconds from the end of the curve. All zero if none are locked. */
export interface DbcLockedVesting {
  readonly amountPerPeriod: bigint;
  readonly cliffDurationFromMigrationTime: bigint;
  readonly frequency: bigint;
  readonly numberOfPeriod: bigint;
  readonly cliffUnlockAmount: bigint;
}

/** How the fee of the migrated pool falls with its price, where it does. */
export interface DbcMarketCapFeeScheduler {
  readonly numberOfPeriod: number;
  readonly sqrtPriceStepBps: number;
  readonly schedulerExpirationDuration: number;
  readonly reductionFactor: bigint;
}

/** A part of a curve: its liquidity, up to the price. */
export interface DbcCurvePoint {
  readonly sqrtPrice: bigint;
  readonly liquidity: bigint;
}

/** The terms of curves that are created under a config. Nothing changes them. */
export interface DbcPoolConfig {
  readonly quoteMint: Address;
  readonly feeClaimer: Address;
  readonly leftoverReceiver: Address;
  readonly poolFees: DbcPoolFees;
  readonly partnerLiquidityVestingInfo: DbcLiquidityVesting;
  readonly creatorLiquidityVestingInfo: DbcLiquidityVesting;
  readonly collectFeeMode: number;
  readonly migrationOption: number;
  readonly activationType: number;
  readonly tokenDecimal: number;
  readonly version: number;
  readonly tokenType: number;
  readonly quoteTokenFlag: number;
  readonly partnerPermanentLockedLiquidityPercentage: number;
  readonly partnerLiquidityPercentage: number;
  readonly creatorPermanentLockedLiquidityPercentage: number;
  readonly creatorLiquidityPercentage: number;
  readonly migrationFeeOption: number;
  readonly fixedTokenSupplyFlag: number;
  readonly creatorTradingFeePercentage: number;
  readonly tokenUpdateAuthority: number;
  readonly migrationFeePercentage: number;
  readonly creatorMigrationFeePercentage: number;
  readonly swapBaseAmount: bigint;
  readonly migrationQuoteThreshold: bigint;
  readonly migrationBaseThreshold: bigint;
  readonly migrationSqrtPrice: bigint;
  readonly lockedVestingConfig: DbcLockedVesting;
  readonly preMigrationTokenSupply: bigint;
  readonly postMigrationTokenSupply: bigint;
  readonly migratedCollectFeeMode: number;
  readonly migratedDynamicFee: number;
  readonly migratedPoolFeeBps: number;
  readonly migratedPoolBaseFeeMode: number;
  readonly enableFirstSwapWithMinFee: boolean;
  readonly migratedCompoundingFeeBps: number;
  readonly poolCreationFee: bigint;
  readonly migratedPoolBaseFee: DbcMarketCapFeeScheduler;
  readonly sqrtStartPrice: bigint;
  /** The points that are used. The account has room for 20. */
  readonly curve: readonly DbcCurvePoint[];
}

export const NO_LIQUIDITY_VESTING: DbcLiquidityVesting = {
  vestingPercentage: 0,
  bpsPerPeriod: 0,
  numberOfPeriods: 0,
  cliffDurationFromMigrationTime: 0,
  frequency: 0,
};
export const NO_LOCKED_VESTING: DbcLockedVesting = {
  amountPerPeriod: 0n,
  cliffDurationFromMigrationTime: 0n,
  frequency: 0n,
  numberOfPeriod: 0n,
  cliffUnlockAmount: 0n,
};
export const NO_MARKET_CAP_FEE_SCHEDULER: DbcMarketCapFeeScheduler = {
  numberOfPeriod: 0,
  sqrtPriceStepBps: 0,
  schedulerExpirationDuration: 0,
  reductionFactor: 0n,
};
