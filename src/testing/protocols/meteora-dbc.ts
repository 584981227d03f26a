import type { DbcConfigParameters } from '../../protocols/meteora-dbc/program/config-parameters.ts';
import {
  NO_LIQUIDITY_VESTING,
  NO_LOCKED_VESTING,
  NO_MARKET_CAP_FEE_SCHEDULER,
} from '../../protocols/meteora-dbc/program/config-terms.ts';
import { MAX_DBC_SQRT_PRICE } from '../../protocols/meteora-dbc/program/program.ts';

/**
 * Returns the parameters of a config that the program accepts, with the given changes: a fee of 1 % in quote tokens, one
 * range of liquidity from a price of 2^-20, a threshold of 5 SOL, tokens of 6 decimals that are minted as they are
 * needed, and all of the migrated liquidity locked for the partner.
 */
export function createDbcTestParameters(changes: Partial<DbcConfigParameters> = {}): DbcConfigParameters {
  return {
    poolFees: {
      baseFee: {
        cliffFeeNumerator: 10_000_000n,
        firstFactor: 0,
        secondFactor: 0n,
        thirdFactor: 0n,
        baseFeeMode: 0,
      },
      dynamicFee: null,
    },
    collectFeeMode: 0,
    migrationOption: 1,
    activationType: 0,
    tokenType: 0,
    tokenDecimal: 6,
    partnerLiquidityPercentage: 0,
    partnerPermanentLockedLiquidityPercentage: 100,
    creatorLiquidityPercentage: 0,
    creatorPermanentLockedLiquidityPercentage: 0,
    migrationQuoteThreshold: 5_000_000_000n,
    sqrtStartPrice: 1n << 54n,
    lockedVesting: NO_LOCKED_VESTING,
    migrationFeeOption: 2,
    tokenSupply: null,
    creatorTradingFeePercentage: 0,
    tokenUpdateAuthority: 1,
    migrationFee: { feePercentage: 0, creatorFeePercentage: 0 },
    migratedPoolFee: { collectFeeMode: 0, dynamicFee: 0, poolFeeBps: 0 },
    poolCreationFee: 0n,
    partnerLiquidityVestingInfo: NO_LIQUIDITY_VESTING,
    creatorLiquidityVestingInfo: NO_LIQUIDITY_VESTING,
    migratedPoolBaseFeeMode: 0,
    migratedPoolMarketCapFeeSchedulerParams: NO_MARKET_CAP_FEE_SCHEDULER,
    enableFirstSwapWithMinFee: false,
    compoundingFeeBps: 0,
    curve: [{ sqrtPrice: MAX_DBC_SQRT_PRICE, liquidity: 1n << 105n }],
    ...changes,
  };
}
