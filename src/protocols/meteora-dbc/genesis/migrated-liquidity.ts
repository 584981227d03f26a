import { divideUp, minimum } from '../../../solana/units.ts';
import type { DbcPoolConfig } from '../program/config-terms.ts';
import {
  computeBaseBetween,
  computeLiquidityOfBase,
  computeLiquidityOfQuote,
  computeQuoteBetween,
} from '../program/curve-amounts.ts';
import { MAX_DBC_SQRT_PRICE, MIN_DBC_SQRT_PRICE } from '../program/program.ts';

/** Base and quote tokens. */
export type DbcAmounts = readonly [base: bigint, quote: bigint];

/** A position of the migrated pool. */
export interface MigratedShare {
  readonly isPartner: boolean;
  readonly unlocked: bigint;
  readonly permanent: bigint;
}

/** What a migration moves to DAMM v2. */
export interface MigratedLiquidity {
  readonly protocolFees: DbcAmounts;
  /** The share that the pool is created with, and the other one. */
  readonly shares: readonly [MigratedShare, MigratedShare];
  /** What both of them have taken from the vaults. */
  readonly deposited: DbcAmounts;
}

/** Returns what `migration_damm_v2` moves, for a config without vesting liquidity and a pool of the whole range of prices. */
export function computeMigration(
  config: DbcPoolConfig,
  baseHeld: bigint,
  protocolBps: number,
): MigratedLiquidity {
  const price = config.migrationSqrtPrice;
  const quote = divideUp(config.migrationQuoteThreshold * BigInt(100 - config.migrationFeePercentage), 100n);
  const quoteFee = (quote * BigInt(protocolBps)) / 10_000n;
  const feeLiquidity = computeLiquidityOfQuote(quoteFee, MIN_DBC_SQRT_PRICE, price);
  const baseFee = computeBaseBetween(price, MAX_DBC_SQRT_PRICE, feeLiquidity, false);
  const amounts: DbcAmounts = [baseHeld - baseFee, quote - quoteFee];
  const [first, second] = splitShares(config, computeLiquidity(amounts, price));
  const taken = computeDeposit(sum(first), price);
  const rest = computeLiquidity([amounts[0] - taken[0], amounts[1] - taken[1]], price);
  const more = computeDeposit(rest, price);
  return {
    protocolFees: [baseFee, quoteFee],
    shares: [first, adjust(second, rest)],
    deposited: [taken[0] + more[0], taken[1] + more[1]],
  };
}

function computeLiquidity([base, quote]: DbcAmounts, price: bigint): bigint {
  return minimum(
    computeLiquidityOfBase(base, price, MAX_DBC_SQRT_PRICE),
    computeLiquidityOfQuote(quote, MIN_DBC_SQRT_PRICE, price),
  );
}

function computeDeposit(liquidity: bigint, price: bigint): DbcAmounts {
  return [
    computeBaseBetween(price, MAX_DBC_SQRT_PRICE, liquidity, true),
    computeQuoteBetween(MIN_DBC_SQRT_PRICE, price, liquidity, true),
  ];
}

/** The larger share first, and the creator's before an equal one. The creator has what rounding leaves. */
function splitShares(config: DbcPoolConfig, liquidity: bigint): readonly [MigratedShare, MigratedShare] {
  const percent = (percentage: number) => (liquidity * BigInt(percentage)) / 100n;
  const partner = {
    isPartner: true,
    unlocked: percent(config.partnerLiquidityPercentage),
    permanent: percent(config.partnerPermanentLockedLiquidityPercentage),
  };
  const locked = percent(config.creatorPermanentLockedLiquidityPercentage);
  const creator = {
    isPartner: false,
    unlocked: liquidity - sum(partner) - locked,
    permanent: locked,
  };
  return sum(partner) > sum(creator) ? [partner, creator] : [creator, partner];
}

/** Makes the second share as large as what is left: the rounding is taken from its locked part, if it has one. */
function adjust(share: MigratedShare, total: bigint): MigratedShare {
  if (share.permanent === 0n) return { ...share, unlocked: total };
  const unlocked = minimum(total, share.unlocked);
  return { ...share, unlocked, permanent: total - unlocked };
}

function sum({ unlocked, permanent }: MigratedShare): bigint {
  return unlocked + permanent;
}
