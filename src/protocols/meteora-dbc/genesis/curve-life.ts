import { divideUp, minimum } from '../../../solana/units.ts';
import type { Address } from '../../../solana/address.ts';
import type { DbcPoolKeys } from '../program/addresses.ts';
import type { DbcPoolConfig } from '../program/config-terms.ts';
import { computeBaseBetween, computeQuoteBetween } from '../program/curve-amounts.ts';
import type { DbcVirtualPool } from '../program/layout-pool.ts';
import { DBC_FEE_DENOMINATOR, DbcMigrationProgress } from '../program/program.ts';

/** The basis points of migrated liquidity that the protocol takes. */
const PROTOCOL_MIGRATION_FEE_BPS = 20;

/** Returns a curve as `initialize_virtual_pool_…` leaves it, for a config with a fixed supply. */
export function startCurve(
  keys: DbcPoolKeys,
  config: DbcPoolConfig,
  { creator, launchedAt }: { readonly creator: Address; readonly launchedAt: bigint },
): DbcVirtualPool {
  return {
    volatilityTracker: {
      lastUpdateTimestamp: 0n,
      sqrtPriceReference: 0n,
      volatilityAccumulator: 0n,
      volatilityReference: 0n,
    },
    config: keys.config,
    creator,
    baseMint: keys.baseMint,
    baseVault: keys.baseVault,
    quoteVault: keys.quoteVault,
    baseReserve: config.preMigrationTokenSupply,
    quoteReserve: 0n,
    protocolBaseFee: 0n,
    protocolQuoteFee: 0n,
    partnerBaseFee: 0n,
    partnerQuoteFee: 0n,
    sqrtPrice: config.sqrtStartPrice,
    activationPoint: launchedAt,
    poolType: config.tokenType,
    isMigrated: 0,
    isPartnerWithdrawSurplus: 0,
    isProtocolWithdrawSurplus: 0,
    migrationProgress: DbcMigrationProgress.PRE_BONDING_CURVE,
    isWithdrawLeftover: 0,
    isCreatorWithdrawSurplus: 0,
    migrationFeeWithdrawStatus: 0,
    metrics: {
      totalProtocolBaseFee: 0n,
      totalProtocolQuoteFee: 0n,
      totalTradingBaseFee: 0n,
      totalTradingQuoteFee: 0n,
    },
    finishCurveTimestamp: 0n,
    creatorBaseFee: 0n,
    creatorQuoteFee: 0n,
    legacyCreationFeeBits: 0,
    creationFeeBits: 0,
    hasSwap: 0,
    protocolLiquidityMigrationFeeBps: PROTOCOL_MIGRATION_FEE_BPS,
    protocolMigrationBaseFeeAmount: 0n,
    protocolMigrationQuoteFeeAmount: 0n,
  };
}

/** Returns the curve after a purchase, under a config with a constant fee in quote tokens. */
export function applyPurchase(pool: DbcVirtualPool, config: DbcPoolConfig, amountIn: bigint): DbcVirtualPool {
  const fee = divideUp(amountIn * config.poolFees.baseFee.cliffFeeNumerator, DBC_FEE_DENOMINATOR);
  const bought = walkUp(pool, config, amountIn - fee);
  if (bought.left !== 0n) throw new RangeError(`the curve cannot take ${amountIn}`);
  return book(pool, config, bought, fee);
}

/** Returns the curve after a purchase of all that is left on it, without vesting tokens. */
export function finishCurve(pool: DbcVirtualPool, config: DbcPoolConfig, at: bigint): DbcVirtualPool {
  const bought = walkUp(pool, config, config.migrationQuoteThreshold);
  const kept = DBC_FEE_DENOMINATOR - config.poolFees.baseFee.cliffFeeNumerator;
  const fee = divideUp(bought.taken * DBC_FEE_DENOMINATOR, kept) - bought.taken;
  return {
    ...book(pool, config, bought, fee),
    finishCurveTimestamp: at,
    migrationProgress: DbcMigrationProgress.LOCKED_VESTING,
  };
}

interface Bought {
  readonly taken: bigint;
  readonly paid: bigint;
  readonly sqrtPrice: bigint;
  readonly left: bigint;
}

/** Walks up to the price of the migration at most. */
function walkUp(pool: DbcVirtualPool, config: DbcPoolConfig, amount: bigint): Bought {
  let [sqrtPrice, left, paid] = [pool.sqrtPrice, amount, 0n];
  for (const point of config.curve) {
    const upper = minimum(point.sqrtPrice, config.migrationSqrtPrice);
    if (upper <= sqrtPrice) continue;
    const whole = computeQuoteBetween(sqrtPrice, upper, point.liquidity, true);
    const next = left < whole ? sqrtPrice + (left << 128n) / point.liquidity : upper;
    paid += computeBaseBetween(sqrtPrice, next, point.liquidity, false);
    left -= minimum(left, whole);
    sqrtPrice = next;
    if (left === 0n || next === config.migrationSqrtPrice) break;
  }
  return { taken: amount - left, paid, sqrtPrice, left };
}

function book(
  pool: DbcVirtualPool,
  config: DbcPoolConfig,
  { taken, paid, sqrtPrice }: Bought,
  fee: bigint,
): DbcVirtualPool {
  const ofProtocol = (fee * 20n) / 100n;
  const trading = fee - ofProtocol;
  const ofCreator = (trading * BigInt(config.creatorTradingFeePercentage)) / 100n;
  const { metrics } = pool;
  return {
    ...pool,
    sqrtPrice,
    baseReserve: pool.baseReserve - paid,
    quoteReserve: pool.quoteReserve + taken,
    protocolQuoteFee: pool.protocolQuoteFee + ofProtocol,
    partnerQuoteFee: pool.partnerQuoteFee + trading - ofCreator,
    creatorQuoteFee: pool.creatorQuoteFee + ofCreator,
    metrics: {
      ...metrics,
      totalProtocolQuoteFee: metrics.totalProtocolQuoteFee + ofProtocol,
      totalTradingQuoteFee: metrics.totalTradingQuoteFee + trading,
    },
    hasSwap: 1,
  };
}

/** Returns what the vaults of a curve that takes fees in quote tokens hold before its migration. */
export function computeVaultBalances(pool: DbcVirtualPool): readonly [base: bigint, quote: bigint] {
  const fees = pool.protocolQuoteFee + pool.partnerQuoteFee + pool.creatorQuoteFee;
  return [pool.baseReserve, pool.quoteReserve + fees];
}
