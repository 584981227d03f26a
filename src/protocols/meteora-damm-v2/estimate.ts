import type { Address } from '../../solana/address.ts';
import { computeBaseFeeRate, capFeeRate } from './fees.ts';
import { CollectFeeMode } from './program/layout.ts';
import type { MeteoraDammV2Pool } from './pool.ts';

/** One direction of a pool in floating point. */
interface DammEstimatedSide {
  readonly liquidity: number;
  /** Square root of the price of what comes in, in what goes out. */
  readonly sqrtPrice: number;
  /** The input, without fees, that leads to the end of the price range. */
  readonly room: number;
  /** The share of the input, and of the output, that is left after the pool's fees. */
  readonly keptIn: number;
  readonly keptOut: number;
}

/** Cached by pool state and direction at the first estimate. */
const sidesOfPools = new WeakMap<MeteoraDammV2Pool, [DammEstimatedSide | null, DammEstimatedSide | null]>();

/**
 * Beyond the price range the estimate stays constant. An estimate has no clock, so a fee that falls with time counts at
 * its lowest.
 */
export function estimate(pool: MeteoraDammV2Pool, inputMint: Address, amount: number): number {
  const { liquidity, sqrtPrice, room, keptIn, keptOut } = getDammEstimatedSide(
    pool,
    inputMint === pool.mints[0] ? 0 : 1,
  );
  const traded = Math.min(amount * keptIn, room);
  // In the price of the input, liquidity L pays L·s·x·s / (L + x·s) for x.
  const scaled = traded * sqrtPrice;
  return ((liquidity * sqrtPrice * scaled) / (liquidity + scaled)) * keptOut;
}

function getDammEstimatedSide(pool: MeteoraDammV2Pool, input: 0 | 1): DammEstimatedSide {
  let sides = sidesOfPools.get(pool);
  if (sides === undefined) {
    sides = [null, null];
    sidesOfPools.set(pool, sides);
  }
  sides[input] ??= estimatedSide(pool, input);
  return sides[input];
}

function estimatedSide(pool: MeteoraDammV2Pool, input: 0 | 1): DammEstimatedSide {
  const aToB = input === 0;
  const [a, b] = pool.amounts;
  const compounds = pool.collectFeeMode === CollectFeeMode.COMPOUNDING;
  const liquidity = compounds ? Math.sqrt(Number(a) * Number(b)) : Number(pool.liquidity) / 2 ** 64;
  const price = compounds ? Math.sqrt(Number(b) / Number(a)) : Number(pool.sqrtPrice) / 2 ** 64;
  return {
    liquidity,
    sqrtPrice: aToB ? price : 1 / price,
    room: compounds ? Number.POSITIVE_INFINITY : computeInputRoom(pool, { liquidity, price, aToB }),
    ...computeDammKeptShares(pool, aToB),
  };
}

interface DammDirection {
  readonly liquidity: number;
  readonly price: number;
  readonly aToB: boolean;
}

function computeInputRoom(pool: MeteoraDammV2Pool, { liquidity, price, aToB }: DammDirection): number {
  const end = Number(aToB ? pool.sqrtMinPrice : pool.sqrtMaxPrice) / 2 ** 64;
  return aToB ? liquidity * (1 / end - 1 / price) : liquidity * (end - price);
}

/** Later than every schedule. */
const LATE = 1n << 100n;

function computeDammKeptShares(
  pool: MeteoraDammV2Pool,
  aToB: boolean,
): Pick<DammEstimatedSide, 'keptIn' | 'keptOut'> {
  const base = computeBaseFeeRate(pool, pool.sqrtPrice, LATE, aToB) ?? 0n;
  const kept = 1 - Number(capFeeRate(base + pool.dynamicRate, pool)) / 1e9;
  const onInput = !aToB && pool.collectFeeMode !== CollectFeeMode.OUTPUT;
  return onInput ? { keptIn: kept, keptOut: 1 } : { keptIn: 1, keptOut: kept };
}
