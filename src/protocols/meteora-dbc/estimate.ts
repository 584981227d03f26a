import type { Address } from '../../solana/address.ts';
import { computeFirstSwapRate } from './fees.ts';
import { capFeeRate } from '../meteora-damm-v2/fees.ts';
import type { MeteoraDbcPool } from './pool.ts';
import { DbcCollectFeeMode } from './program/program.ts';

/** A stretch of constant liquidity in one direction, in the price of what comes in. */
interface DbcStretch {
  readonly liquidity: number;
  /** The square root of the price at which it begins. */
  readonly sqrtPrice: number;
  /** What it takes and pays from there to its end. */
  readonly takes: number;
  readonly pays: number;
}

/** One direction of a pool in floating point. */
interface DbcEstimatedSide {
  /** In the order in which a swap goes through them, to the end of the curve. */
  readonly stretches: readonly DbcStretch[];
  /** The share of the input, and of the output, that is left after the pool's fees. */
  readonly keptIn: number;
  readonly keptOut: number;
}

/** Cached by pool state and direction at the first estimate. */
const sidesOfPools = new WeakMap<MeteoraDbcPool, [DbcEstimatedSide | null, DbcEstimatedSide | null]>();

/**
 * Beyond the end of the curve the estimate stays constant, so that nothing is paid for base tokens at its start. An estimate has
 * no clock, so a fee that falls with time counts at its lowest, and one that rises with the amount as well.
 */
export function estimate(pool: MeteoraDbcPool, inputMint: Address, amount: number): number {
  const { stretches, keptIn, keptOut } = getDbcEstimatedSide(pool, inputMint === pool.mints[0] ? 0 : 1);
  let left = amount * keptIn;
  let paid = 0;
  for (const { liquidity, sqrtPrice, takes, pays } of stretches) {
    if (left < takes) {
      // In the price of the input, liquidity L pays L·s·x·s / (L + x·s) for x.
      const scaled = left * sqrtPrice;
      return (paid + (liquidity * sqrtPrice * scaled) / (liquidity + scaled)) * keptOut;
    }
    left -= takes;
    paid += pays;
  }
  return paid * keptOut;
}

function getDbcEstimatedSide(pool: MeteoraDbcPool, input: 0 | 1): DbcEstimatedSide {
  let sides = sidesOfPools.get(pool);
  if (sides === undefined) {
    sides = [null, null];
    sidesOfPools.set(pool, sides);
  }
  sides[input] ??= createSide(pool, input === 1);
  return sides[input];
}

const Q64 = 2 ** 64;

function createSide(pool: MeteoraDbcPool, isPurchase: boolean): DbcEstimatedSide {
  const { points, sqrtStartPrice, migrationSqrtPrice, collectFeeMode } = pool.terms;
  const price = Number(pool.sqrtPrice) / Q64;
  const end = Number(migrationSqrtPrice) / Q64;
  const stretches: DbcStretch[] = [];
  let lower = Number(sqrtStartPrice) / Q64;
  for (const point of points) {
    const upper = Math.min(Number(point.sqrtPrice) / Q64, end);
    const liquidity = Number(point.liquidity) / Q64;
    const [from, to] = isPurchase ? [1 / Math.max(lower, price), 1 / upper] : [Math.min(upper, price), lower];
    if (from > to) {
      stretches.push({
        liquidity,
        sqrtPrice: from,
        takes: liquidity * (1 / to - 1 / from),
        pays: liquidity * (from - to),
      });
    }
    lower = upper;
  }
  const kept =
    1 - Number(capFeeRate((computeFirstSwapRate(pool) ?? 0n) + pool.dynamicRate, { feeVersion: 1 })) / 1e9;
  const onInput = isPurchase && collectFeeMode === DbcCollectFeeMode.QUOTE_TOKEN;
  return {
    stretches: isPurchase ? stretches : stretches.reverse(),
    keptIn: onInput ? kept : 1,
    keptOut: onInput ? 1 : kept,
  };
}
