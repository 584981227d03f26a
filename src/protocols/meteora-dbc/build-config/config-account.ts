import type { Address } from '../../../solana/address.ts';
import type { DbcConfigParameters } from '../program/config-parameters.ts';
import type { DbcPoolConfig } from '../program/config-terms.ts';
import type { DbcDerivedTerms } from './config-check.ts';

/** Whose config it is, and what its curves are paid with. */
export interface DbcConfigOwners {
  readonly quoteMint: Address;
  readonly feeClaimer: Address;
  readonly leftoverReceiver: Address;
  /** 1 for a Token-2022 quote mint, otherwise 0. */
  readonly quoteTokenFlag: number;
}

/** Returns the account that `create_config` writes for parameters that it accepts. */
export function toDbcPoolConfig(
  parameters: DbcConfigParameters,
  terms: DbcDerivedTerms,
  owners: DbcConfigOwners,
): DbcPoolConfig {
  const { tokenSupply, migrationFee, migratedPoolFee } = parameters;
  return {
    quoteMint: owners.quoteMint,
    feeClaimer: owners.feeClaimer,
    leftoverReceiver: owners.leftoverReceiver,
    poolFees: parameters.poolFees,
    partnerLiquidityVestingInfo: parameters.partnerLiquidityVestingInfo,
    creatorLiquidityVestingInfo: parameters.creatorLiquidityVestingInfo,
    collectFeeMode: parameters.collectFeeMode,
    migrationOption: parameters.migrationOption,
    activationType: parameters.activationType,
    tokenDecimal: parameters.tokenDecimal,
    version: 0,
    tokenType: parameters.tokenType,
    quoteTokenFlag: owners.quoteTokenFlag,
    partnerPermanentLockedLiquidityPercentage: parameters.partnerPermanentLockedLiquidityPercentage,
    partnerLiquidityPercentage: parameters.partnerLiquidityPercentage,
    creatorPermanentLockedLiquidityPercentage: parameters.creatorPermanentLockedLiquidityPercentage,
    creatorLiquidityPercentage: parameters.creatorLiquidityPercentage,
    migrationFeeOption: parameters.migrationFeeOption,
    fixedTokenSupplyFlag: tokenSupply === null ? 0 : 1,
    creatorTradingFeePercentage: parameters.creatorTradingFeePercentage,
    tokenUpdateAuthority: parameters.tokenUpdateAuthority,
    migrationFeePercentage: migrationFee.feePercentage,
    creatorMigrationFeePercentage: migrationFee.creatorFeePercentage,
    swapBaseAmount: terms.swapBaseAmount,
    migrationQuoteThreshold: parameters.migrationQuoteThreshold,
    migrationBaseThreshold: terms.migrationBaseThreshold,
    migrationSqrtPrice: terms.migrationSqrtPrice,
    lockedVestingConfig: parameters.lockedVesting,
    preMigrationTokenSupply: tokenSupply?.preMigrationTokenSupply ?? 0n,
    postMigrationTokenSupply: tokenSupply?.postMigrationTokenSupply ?? 0n,
    migratedCollectFeeMode: migratedPoolFee.collectFeeMode,
    migratedDynamicFee: migratedPoolFee.dynamicFee,
    migratedPoolFeeBps: migratedPoolFee.poolFeeBps,
    migratedPoolBaseFeeMode: parameters.migratedPoolBaseFeeMode,
    enableFirstSwapWithMinFee: parameters.enableFirstSwapWithMinFee,
    migratedCompoundingFeeBps: parameters.compoundingFeeBps,
    poolCreationFee: parameters.poolCreationFee,
    migratedPoolBaseFee: parameters.migratedPoolMarketCapFeeSchedulerParams,
    sqrtStartPrice: parameters.sqrtStartPrice,
    curve: parameters.curve,
  };
}
