import { U64_MAX, divideUp } from '../../../solana/units.ts';
import { CollectFeeMode, type DammPoolChanges, type DammPoolTerms, type DammSides } from './layout.ts';

/** The terms that decide how a pool's liquidity is traded. */
export type DammCurve = Pick<DammPoolTerms, 'collectFeeMode' | 'sqrtMinPrice' | 'sqrtMaxPrice'> &
  Pick<DammPoolChanges, 'liquidity' | 'sqrtPrice' | 'amounts'>;

/** Returns the output for an input without fees; null if the price would leave the pool's range. */
export function computeDammOutput(pool: DammCurve, amount: bigint, aToB: boolean): bigint | null {
  const { liquidity, sqrtPrice } = pool;
  if (pool.collectFeeMode === CollectFeeMode.COMPOUNDING) {
    const [reserveIn, reserveOut] = toInputAndOutput(pool.amounts, aToB);
    return reserveIn + amount > U64_MAX ? null : (reserveOut * amount) / (reserveIn + amount);
  }
  if (aToB) {
    const next = divideUp(liquidity * sqrtPrice, liquidity + amount * sqrtPrice);
    return next < pool.sqrtMinPrice ? null : fitting((liquidity * (sqrtPrice - next)) >> 128n);
  }
  const next = sqrtPrice + (amount << 128n) / liquidity;
  return next > pool.sqrtMaxPrice ? null : fitting((liquidity * (next - sqrtPrice)) / (sqrtPrice * next));
}

/** Returns the input without fees that an output takes; null if the pool does not hold that much. */
export function computeDammInput(pool: DammCurve, amount: bigint, aToB: boolean): bigint | null {
  const { liquidity, sqrtPrice } = pool;
  if (pool.collectFeeMode === CollectFeeMode.COMPOUNDING) {
    const [reserveIn, reserveOut] = toInputAndOutput(pool.amounts, aToB);
    return reserveOut <= amount ? null : fitting(divideUp(reserveIn * amount, reserveOut - amount));
  }
  if (aToB) {
    const next = sqrtPrice - divideUp(amount << 128n, liquidity);
    if (next < pool.sqrtMinPrice) return null;
    return fitting(divideUp(liquidity * (sqrtPrice - next), sqrtPrice * next));
  }
  const divisor = liquidity - amount * sqrtPrice;
  if (divisor <= 0n) return null;
  const next = divideUp(liquidity * sqrtPrice, divisor);
  if (next > pool.sqrtMaxPrice) return null;
  return fitting(divideUp(liquidity * (next - sqrtPrice), 1n << 128n));
}

/**
 * Returns the amounts of token A and token B that all of the liquidity is worth, rounded up; for compounding pools, the
 * stored reserves.
 */
export function computeDammReserves(pool: DammCurve): DammSides<bigint> {
  if (pool.collectFeeMode === CollectFeeMode.COMPOUNDING) return pool.amounts;
  const { liquidity, sqrtPrice, sqrtMinPrice, sqrtMaxPrice } = pool;
  return [
    divideUp(liquidity * (sqrtMaxPrice - sqrtPrice), sqrtMaxPrice * sqrtPrice),
    divideUp(liquidity * (sqrtPrice - sqrtMinPrice), 1n << 128n),
  ];
}

/** Sorts a pair into input and output. */
export function toInputAndOutput<T>([a, b]: DammSides<T>, aToB: boolean): DammSides<T> {
  return aToB ? [a, b] : [b, a];
}

function fitting(amount: bigint): bigint | null {
  return amount > U64_MAX ? null : amount;
}
