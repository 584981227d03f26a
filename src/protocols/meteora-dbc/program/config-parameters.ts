import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import type {
  DbcCurvePoint,
  DbcLiquidityVesting,
  DbcLockedVesting,
  DbcMarketCapFeeScheduler,
  DbcPoolFees,
} from './config-terms.ts';

/** The atoms of a fixed supply before the migration, and the most that are left after it. */
export interface DbcTokenSupply {
  readonly preMigrationTokenSupply: bigint;
  readonly postMigrationTokenSupply: bigint;
}

/** The part of the raised quote tokens that is not migrated, in percent, and the creator's part of it. */
export interface DbcMigrationFee {
  readonly feePercentage: number;
  readonly creatorFeePercentage: number;
}

/** The fee of the migrated pool, where the migration fee option is customizable. Otherwise all zero. */
export interface DbcMigratedPoolFee {
  readonly collectFeeMode: number;
  readonly dynamicFee: number;
  readonly poolFeeBps: number;
}

/** What `create_config` is called with. The percentages of liquidity are 100 in all, with those that vest. */
export interface DbcConfigParameters {
  readonly poolFees: DbcPoolFees;
  readonly collectFeeMode: number;
  readonly migrationOption: number;
  readonly activationType: number;
  readonly tokenType: number;
  readonly tokenDecimal: number;
  readonly partnerLiquidityPercentage: number;
  readonly partnerPermanentLockedLiquidityPercentage: number;
  readonly creatorLiquidityPercentage: number;
  readonly creatorPermanentLockedLiquidityPercentage: number;
  readonly migrationQuoteThreshold: bigint;
  readonly sqrtStartPrice: bigint;
  readonly lockedVesting: DbcLockedVesting;
  readonly migrationFeeOption: number;
  /** Null if tokens are minted as the curve needs them. */
  readonly tokenSupply: DbcTokenSupply | null;
  readonly creatorTradingFeePercentage: number;
  readonly tokenUpdateAuthority: number;
  readonly migrationFee: DbcMigrationFee;
  readonly migratedPoolFee: DbcMigratedPoolFee;
  readonly poolCreationFee: bigint;
  readonly partnerLiquidityVestingInfo: DbcLiquidityVesting;
  readonly creatorLiquidityVestingInfo: DbcLiquidityVesting;
  readonly migratedPoolBaseFeeMode: number;
  readonly migratedPoolMarketCapFeeSchedulerParams: DbcMarketCapFeeScheduler;
  readonly enableFirstSwapWithMinFee: boolean;
  readonly compoundingFeeBps: number;
  readonly curve: readonly DbcCurvePoint[];
}

/** Encodes the argument of `create_config`. */
export function encodeDbcConfigParameters(parameters: DbcConfigParameters): Uint8Array {
  const to = new ByteWriter(512);
  writePoolFees(to, parameters.poolFees);
  to.u8(parameters.collectFeeMode).u8(parameters.migrationOption).u8(parameters.activationType);
  to.u8(parameters.tokenType).u8(parameters.tokenDecimal).u8(parameters.partnerLiquidityPercentage);
  to.u8(parameters.partnerPermanentLockedLiquidityPercentage).u8(parameters.creatorLiquidityPercentage);
  to.u8(parameters.creatorPermanentLockedLiquidityPercentage).u64(parameters.migrationQuoteThreshold);
  to.u128(parameters.sqrtStartPrice);
  const locked = parameters.lockedVesting;
  to.u64(locked.amountPerPeriod).u64(locked.cliffDurationFromMigrationTime).u64(locked.frequency);
  to.u64(locked.numberOfPeriod).u64(locked.cliffUnlockAmount).u8(parameters.migrationFeeOption);
  const supply = parameters.tokenSupply;
  to.bool(supply !== null);
  if (supply !== null) to.u64(supply.preMigrationTokenSupply).u64(supply.postMigrationTokenSupply);
  to.u8(parameters.creatorTradingFeePercentage).u8(parameters.tokenUpdateAuthority);
  to.u8(parameters.migrationFee.feePercentage).u8(parameters.migrationFee.creatorFeePercentage);
  const migrated = parameters.migratedPoolFee;
  to.u8(migrated.collectFeeMode).u8(migrated.dynamicFee).u16(migrated.poolFeeBps);
  to.u64(parameters.poolCreationFee);
  writeLiquidityVesting(to, parameters.partnerLiquidityVestingInfo);
  writeLiquidityVesting(to, parameters.creatorLiquidityVestingInfo);
  const scheduler = parameters.migratedPoolMarketCapFeeSchedulerParams;
  to.u8(parameters.migratedPoolBaseFeeMode).u16(scheduler.numberOfPeriod).u16(scheduler.sqrtPriceStepBps);
  to.u32(scheduler.schedulerExpirationDuration).u64(scheduler.reductionFactor);
  to.bool(parameters.enableFirstSwapWithMinFee).u16(parameters.compoundingFeeBps).zeros(2);
  to.u32(parameters.curve.length);
  for (const { sqrtPrice, liquidity } of parameters.curve) to.u128(sqrtPrice).u128(liquidity);
  return to.finish();
}

function writePoolFees(to: ByteWriter, { baseFee, dynamicFee }: DbcPoolFees): void {
  to.u64(baseFee.cliffFeeNumerator).u16(baseFee.firstFactor).u64(baseFee.secondFactor);
  to.u64(baseFee.thirdFactor)
    .u8(baseFee.baseFeeMode)
    .bool(dynamicFee !== null);
  if (dynamicFee === null) return;
  to.u16(dynamicFee.binStep).u128(dynamicFee.binStepU128).u16(dynamicFee.filterPeriod);
  to.u16(dynamicFee.decayPeriod).u16(dynamicFee.reductionFactor);
  to.u32(dynamicFee.maxVolatilityAccumulator).u32(dynamicFee.variableFeeControl);
}

function writeLiquidityVesting(to: ByteWriter, vesting: DbcLiquidityVesting): void {
  to.u8(vesting.vestingPercentage).u16(vesting.bpsPerPeriod).u16(vesting.numberOfPeriods);
  to.u32(vesting.cliffDurationFromMigrationTime).u32(vesting.frequency);
}
