import type { ChainClock } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import { computeSettledPoint, feeRate } from './fees.ts';
import { getCurrentPoint } from './program/activation.ts';
import { CollectFeeMode } from './program/layout.ts';
import type { MeteoraDammV2Pool } from './pool.ts';

/** One direction of a pool in floating point. */
interface DammEstimatedSide {
  readonly liquidity: number;
  /** Square root of the price of what comes in, in what goes out. */
  readonly sqrtPrice: number;
  /** The input, without fees, that leads to the end of the price range. */
  readonly room: number;
  /** The slot or Unix second for which the shares below were computed; -1 before. */
  point: bigint;
  /** The slot or Unix second from which the fee stays as it is. */
  readonly settledFrom: bigint;
  /** The share of the input, and of the output, that is left after the pool's fees. Nothing is left of what is refused. */
  keptIn: number;
  keptOut: number;
}

/** Cached by pool state and direction at the first estimate. */
const sidesOfPools = new WeakMap<MeteoraDammV2Pool, [DammEstimatedSide | null, DammEstimatedSide | null]>();

/** Beyond the price range the estimate stays constant. */
export function estimate(
  pool: MeteoraDammV2Pool,
  inputMint: Address,
  amount: number,
  clock: ChainClock,
): number {
  if (pool.comparableFrom > 0n && clock.unixTimestamp < pool.comparableFrom) return 0;
  const side = getDammEstimatedSide(pool, inputMint === pool.mints[0] ? 0 : 1);
  const point = getCurrentPoint(pool.activationType, clock);
  if (side.point !== point && (side.point < side.settledFrom || point < side.settledFrom))
    charge(side, pool, inputMint === pool.mints[0], point);
  const { liquidity, sqrtPrice, room, keptIn, keptOut } = side;
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
  sides[input] ??= createDammSide(pool, input);
  return sides[input];
}

function createDammSide(pool: MeteoraDammV2Pool, input: 0 | 1): DammEstimatedSide {
  const aToB = input === 0;
  const [a, b] = pool.amounts;
  const compounds = pool.collectFeeMode === CollectFeeMode.COMPOUNDING;
  const liquidity = compounds ? Math.sqrt(Number(a) * Number(b)) : Number(pool.liquidity) / 2 ** 64;
  const price = compounds ? Math.sqrt(Number(b) / Number(a)) : Number(pool.sqrtPrice) / 2 ** 64;
  return {
    liquidity,
    sqrtPrice: aToB ? price : 1 / price,
    room: compounds ? Number.POSITIVE_INFINITY : computeInputRoom(pool, { liquidity, price, aToB }),
    point: -1n,
    settledFrom: computeSettledPoint(pool),
    keptIn: 1,
    keptOut: 0,
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

/** Sets what is left of a swap at the slot or Unix second. */
function charge(side: DammEstimatedSide, pool: MeteoraDammV2Pool, aToB: boolean, point: bigint): void {
  const rate = point < pool.activationPoint ? null : feeRate(pool, point, aToB);
  const kept = rate === null ? 0 : 1 - Number(rate) / 1e9;
  const onInput = !aToB && pool.collectFeeMode !== CollectFeeMode.OUTPUT;
  side.point = point;
  side.keptIn = onInput ? kept : 1;
  side.keptOut = onInput ? 1 : kept;
}
