import type {
  DbcLiquidityVesting,
  DbcPoolConfig,
} from '../../../src/protocols/meteora-dbc/program/config-terms.ts';
import type { DbcVirtualPool } from '../../../src/protocols/meteora-dbc/program/layout-pool.ts';
import {
  MAX_DBC_SQRT_PRICE,
  MIN_DBC_SQRT_PRICE,
} from '../../../src/protocols/meteora-dbc/program/program.ts';
import type { Address } from '../../../src/solana/address.ts';
import { minimum } from '../../../src/solana/units.ts';
import type { GraduatePosition } from './migration-fixture.ts';

/** What a migration does, in atoms and liquidity. Pairs are of the base and of the quote token. */
export interface ExpectedMigration {
  readonly protocolFees: readonly [bigint, bigint];
  readonly sqrtPrice: bigint;
  readonly liquidity: bigint;
  readonly reserves: readonly [bigint, bigint];
  readonly burned: bigint;
  readonly positions: readonly [GraduatePosition, GraduatePosition | null];
}

/** Computes a migration from the state before it, in exact fractions that are rounded once. */
export function expectMigration(
  config: DbcPoolConfig,
  pool: DbcVirtualPool,
  inBaseVault: bigint,
  now: bigint,
): ExpectedMigration {
  const compounds = config.migratedCollectFeeMode === COMPOUNDING;
  const claims = pool.partnerBaseFee + pool.protocolBaseFee + pool.creatorBaseFee;
  const quote = ceilDiv(config.migrationQuoteThreshold * BigInt(100 - config.migrationFeePercentage), 100n);
  const base = compounds ? config.migrationBaseThreshold : inBaseVault - claims;
  const protocolFees = feesOf(config, [base, quote], compounds);
  const amounts = [base - protocolFees[0], quote - protocolFees[1]] as const;
  const kind = compounds ? startCompounding(amounts) : startConcentrated(config, amounts);
  const dead = compounds ? DEAD_LIQUIDITY : 0n;
  const [larger, smaller] = sharesOf(config, pool.creator, kind.liquidity - dead);
  const first = totalOf(larger) + dead;
  const reserves = kind.reservesOf(first);
  const left = [amounts[0] - reserves[0], amounts[1] - reserves[1]] as const;
  const second = kind.more(left, reserves, first);
  const added = kind.added(second, reserves, first);
  const rest = inBaseVault - claims - protocolFees[0] - reserves[0] - added[0];
  const most =
    config.fixedTokenSupplyFlag === 1
      ? config.preMigrationTokenSupply - config.postMigrationTokenSupply
      : rest;
  return {
    protocolFees,
    sqrtPrice: kind.sqrtPrice(reserves),
    liquidity: first + second,
    reserves: [reserves[0] + added[0], reserves[1] + added[1]],
    burned: minimum(rest, most),
    positions: [positionOf(larger, now), second === 0n ? null : positionOf(withTotal(smaller, second), now)],
  };
}

const COMPOUNDING = 2;
const DEAD_LIQUIDITY = 100n << 64n;
/** The protocol's share of what migrates, in basis points. */
const PROTOCOL_SHARE = 20n;
type Pair = readonly [bigint, bigint];

function feesOf(config: DbcPoolConfig, [base, quote]: Pair, compounds: boolean): Pair {
  const quoteFee = (quote * PROTOCOL_SHARE) / 10_000n;
  if (compounds) return [(base * PROTOCOL_SHARE) / 10_000n, quoteFee];
  const price = config.migrationSqrtPrice;
  const liquidity = liquidityOfQuote(quoteFee, price);
  return [(liquidity * (MAX_DBC_SQRT_PRICE - price)) / (MAX_DBC_SQRT_PRICE * price), quoteFee];
}

function startConcentrated({ migrationSqrtPrice: price }: DbcPoolConfig, amounts: Pair) {
  const liquidityOf = ([base, quote]: Pair): bigint => {
    const ofBase = (base * price * MAX_DBC_SQRT_PRICE) / (MAX_DBC_SQRT_PRICE - price);
    const ofQuote = liquidityOfQuote(quote, price);
    return minimum(ofBase, ofQuote);
  };
  const reservesOf = (liquidity: bigint): Pair => [
    ceilDiv(liquidity * (MAX_DBC_SQRT_PRICE - price), MAX_DBC_SQRT_PRICE * price),
    ceilDiv(liquidity * (price - MIN_DBC_SQRT_PRICE), 1n << 128n),
  ];
  return {
    liquidity: liquidityOf(amounts),
    reservesOf,
    more: liquidityOf,
    added: reservesOf,
    sqrtPrice: () => price,
  };
}

function startCompounding([base, quote]: Pair) {
  const price = squareRoot(ceilDiv(quote << 128n, base));
  return {
    liquidity: squareRoot((quote << 128n) / base) * base,
    reservesOf: (liquidity: bigint): Pair => [
      ceilDiv(liquidity, price),
      ceilDiv(liquidity * price, 1n << 128n),
    ],
    more: ([moreBase, moreQuote]: Pair, reserves: Pair, held: bigint): bigint => {
      const ofBase = (moreBase * held) / reserves[0];
      const ofQuote = (moreQuote * held) / reserves[1];
      return minimum(ofBase, ofQuote);
    },
    added: (liquidity: bigint, reserves: Pair, held: bigint): Pair => [
      ceilDiv(reserves[0] * liquidity, held),
      ceilDiv(reserves[1] * liquidity, held),
    ],
    sqrtPrice: (reserves: Pair) => squareRoot((reserves[1] << 128n) / reserves[0]),
  };
}

function liquidityOfQuote(quote: bigint, price: bigint): bigint {
  return (quote << 128n) / (price - MIN_DBC_SQRT_PRICE);
}

interface Share {
  readonly owner: Address;
  readonly unlocked: bigint;
  readonly vested: bigint;
  readonly permanent: bigint;
  readonly permanentPercentage: number;
  readonly vesting: DbcLiquidityVesting;
}

/** The larger share first, and the creator's first of two equal ones. */
function sharesOf(config: DbcPoolConfig, creator: Address, liquidity: bigint): [Share, Share] {
  const percent = (percentage: number) => (liquidity * BigInt(percentage)) / 100n;
  const partner: Share = {
    owner: config.feeClaimer,
    unlocked: percent(config.partnerLiquidityPercentage),
    vested: percent(config.partnerLiquidityVestingInfo.vestingPercentage),
    permanent: percent(config.partnerPermanentLockedLiquidityPercentage),
    permanentPercentage: config.partnerPermanentLockedLiquidityPercentage,
    vesting: config.partnerLiquidityVestingInfo,
  };
  const locked = {
    vested: percent(config.creatorLiquidityVestingInfo.vestingPercentage),
    permanent: percent(config.creatorPermanentLockedLiquidityPercentage),
  };
  const creators: Share = {
    owner: creator,
    unlocked: liquidity - totalOf(partner) - locked.vested - locked.permanent,
    ...locked,
    permanentPercentage: config.creatorPermanentLockedLiquidityPercentage,
    vesting: config.creatorLiquidityVestingInfo,
  };
  return totalOf(partner) > totalOf(creators) ? [partner, creators] : [creators, partner];
}

function totalOf({ unlocked, vested, permanent }: Pick<Share, 'unlocked' | 'vested' | 'permanent'>): bigint {
  return unlocked + vested + permanent;
}

/** The unlocked part is kept if possible, and the others share the rest as they were meant to. */
function withTotal(share: Share, total: bigint): Share {
  const percentages = share.vesting.vestingPercentage + share.permanentPercentage;
  if (percentages === 0) return { ...share, unlocked: total, vested: 0n, permanent: 0n };
  const unlocked = minimum(total, share.unlocked);
  const vested = ((total - unlocked) * BigInt(share.vesting.vestingPercentage)) / BigInt(percentages);
  return { ...share, unlocked, vested, permanent: total - unlocked - vested };
}

function positionOf({ owner, unlocked, vested, permanent, vesting }: Share, now: bigint): GraduatePosition {
  const parts = { owner, unlocked, vested, permanent };
  if (vested === 0n) return { ...parts, ...NO_SCHEDULE };
  const { bpsPerPeriod, numberOfPeriods, cliffDurationFromMigrationTime } = vesting;
  const afterCliff = (vested * BigInt(bpsPerPeriod * numberOfPeriods)) / 10_000n;
  const liquidityPerPeriod = numberOfPeriods === 0 ? 0n : afterCliff / BigInt(numberOfPeriods);
  const isCliffOnly = liquidityPerPeriod === 0n;
  const periods = isCliffOnly ? 0 : numberOfPeriods;
  const wait = isCliffOnly ? Math.max(1, cliffDurationFromMigrationTime) : cliffDurationFromMigrationTime;
  return {
    ...parts,
    cliffPoint: now + BigInt(wait),
    frequency: isCliffOnly ? 0n : BigInt(vesting.frequency),
    cliffLiquidity: vested - liquidityPerPeriod * BigInt(periods),
    liquidityPerPeriod,
    periods,
  };
}

const NO_SCHEDULE = { cliffPoint: 0n, frequency: 0n, cliffLiquidity: 0n, liquidityPerPeriod: 0n, periods: 0 };

function ceilDiv(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
