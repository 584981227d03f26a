import type { DbcConfigParameters } from '../../../src/protocols/meteora-dbc/program/config-parameters.ts';
import type { DbcCurvePoint, DbcPoolConfig } from '../../../src/protocols/meteora-dbc/program/config-terms.ts';
import type { DbcConfigParties } from '../../../src/protocols/meteora-dbc/program/instructions-launch.ts';
import { MAX_DBC_SQRT_PRICE, MIN_DBC_SQRT_PRICE } from '../../../src/protocols/meteora-dbc/program/program.ts';
import { TOKEN_2022_PROGRAM } from '../../../src/solana/program-addresses.ts';
import type { Token } from '../../raydium-cpmm/tests/fixture.ts';

/**
 * Computes what the program stores for valid parameters, in exact fractions that are rounded once. Throws if the curve
 * does not raise the threshold.
 */
export function expectConfig(
  parameters: DbcConfigParameters,
  parties: DbcConfigParties,
  quote: Token,
): DbcPoolConfig {
  const { curve, tokenSupply, migrationFee, migratedPoolFee, sqrtStartPrice } = parameters;
  const threshold = parameters.migrationQuoteThreshold;
  const migrationSqrtPrice = findMigrationPrice(curve, sqrtStartPrice, threshold);
  const migrated = ceilDiv(threshold * BigInt(100 - migrationFee.feePercentage), 100n);
  return {
    quoteMint: parties.quoteMint,
    feeClaimer: parties.feeClaimer,
    leftoverReceiver: parties.leftoverReceiver,
    poolFees: parameters.poolFees,
    partnerLiquidityVestingInfo: parameters.partnerLiquidityVestingInfo,
    creatorLiquidityVestingInfo: parameters.creatorLiquidityVestingInfo,
    collectFeeMode: parameters.collectFeeMode,
    migrationOption: parameters.migrationOption,
    activationType: parameters.activationType,
    tokenDecimal: parameters.tokenDecimal,
    version: 0,
    tokenType: parameters.tokenType,
    quoteTokenFlag: quote.tokenProgram === TOKEN_2022_PROGRAM ? 1 : 0,
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
    swapBaseAmount: sumSold(curve, sqrtStartPrice, migrationSqrtPrice),
    migrationQuoteThreshold: threshold,
    migrationBaseThreshold:
      migratedPoolFee.collectFeeMode === COMPOUNDING
        ? ceilDiv(migrated << 128n, migrationSqrtPrice ** 2n)
        : baseOverRange(migrated, migrationSqrtPrice),
    migrationSqrtPrice,
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
    sqrtStartPrice,
    curve,
  };
}

/** Computes the atoms that a new pool mints: the fixed supply, or what is sold, migrated and vested, with a buffer. */
export function expectInitialSupply(config: DbcPoolConfig): bigint {
  if (config.fixedTokenSupplyFlag === 1) return config.preMigrationTokenSupply;
  const { swapBaseAmount, lockedVestingConfig: vesting } = config;
  const all = sumSold(config.curve, config.sqrtStartPrice, MAX_DBC_SQRT_PRICE);
  const buffered = swapBaseAmount + swapBaseAmount / 4n;
  const vested = vesting.cliffUnlockAmount + vesting.amountPerPeriod * vesting.numberOfPeriod;
  return (buffered < all ? buffered : all) + config.migrationBaseThreshold + vested;
}

const COMPOUNDING = 2;

function findMigrationPrice(curve: readonly DbcCurvePoint[], start: bigint, threshold: bigint): bigint {
  let price = start;
  let rest = threshold;
  for (const { sqrtPrice, liquidity } of curve) {
    const whole = ceilDiv(liquidity * (sqrtPrice - price), 1n << 128n);
    if (whole > rest) return price + (rest << 128n) / liquidity;
    rest -= whole;
    price = sqrtPrice;
  }
  if (rest > 0n) throw new Error('the curve does not raise the threshold');
  return price;
}

function sumSold(curve: readonly DbcCurvePoint[], start: bigint, until: bigint): bigint {
  let sum = 0n;
  let lower = start;
  for (const { sqrtPrice, liquidity } of curve) {
    const upper = sqrtPrice < until ? sqrtPrice : until;
    sum += ceilDiv(liquidity * (upper - lower), upper * lower);
    if (sqrtPrice > until) break;
    lower = sqrtPrice;
  }
  return sum;
}

/** What a pool over the whole range needs of base tokens beside so many quote tokens. */
function baseOverRange(quote: bigint, price: bigint): bigint {
  const liquidity = (quote << 128n) / (price - MIN_DBC_SQRT_PRICE);
  return ceilDiv(liquidity * (MAX_DBC_SQRT_PRICE - price), MAX_DBC_SQRT_PRICE * price);
}

function ceilDiv(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
