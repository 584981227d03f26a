import { divideUp } from '../../../solana/units.ts';
import { assertU64, PRICE_ONE, WHOLE, YEAR } from '../lending-base/amounts.ts';
import type { Reserve } from './layouts.ts';

/** The worth of one raw unit, where 10^12 is 1.0. */
export interface ExchangePrices {
  readonly supply: bigint;
  readonly borrow: bigint;
}

/** The seconds of a year times 100 percent cubed: of the rate, the share of the yield, and the rest after the fee. */
const YEAR_AND_SHARES = YEAR * WHOLE ** 3n;
/** A ratio of amounts of 1.0. */
const RATIO_ONE = 10n ** 27n;

/**
 * Computes the exchange prices of a reserve with the interest up to `now`, as the liquidity program does before each
 * operation: interest is simple since the last update, rounded up for borrowers and down for suppliers.
 *
 * @param now - Unix seconds. A time before the last update counts as the last update.
 * @throws LendingOverflow when a price exceeds 64 bits.
 *
 * @example
 * ```ts
 * import { computeExchangePricesAt } from './exchange-prices.ts';
 * import { RESERVE } from './layouts.ts';
 *
 * export function pricesOf(reserveData: Uint8Array, now: bigint) {
 *   return computeExchangePricesAt(RESERVE.decode(reserveData), now);
 * }
 * ```
 */
export function computeExchangePricesAt(reserve: Reserve, now: bigint): ExchangePrices {
  const { supplyExchangePrice: supply, borrowExchangePrice: borrow } = reserve;
  const seconds = now - reserve.lastUpdateTimestamp;
  const rate = BigInt(reserve.borrowRate);
  if (seconds <= 0n || rate === 0n || reserve.totalBorrowWithInterest === 0n) return { supply, borrow };
  const owed = divideUp(borrow * rate * seconds, YEAR * WHOLE);
  return {
    supply: assertU64(supply + supplyInterest(reserve, supply, seconds), 'the supply exchange price'),
    borrow: assertU64(borrow + owed, 'the borrow exchange price'),
  };
}

function supplyInterest(reserve: Reserve, price: bigint, seconds: bigint): bigint {
  if (reserve.totalSupplyWithInterest === 0n) return 0n;
  const kept = BigInt(reserve.borrowRate) * (WHOLE - BigInt(reserve.feeOnInterest));
  return (price * kept * shareOfYield(reserve) * seconds) / YEAR_AND_SHARES;
}

/**
 * Returns the part of the borrow rate that suppliers with interest earn before the fee, in basis points. It is the
 * utilisation, plus more where others supply without interest, and less where others borrow without interest.
 */
function shareOfYield(reserve: Reserve): bigint {
  const utilization = BigInt(reserve.lastUtilization);
  if (reserve.totalSupplyInterestFree === 0n && reserve.totalBorrowInterestFree === 0n) return utilization;
  const earning = earningShare(reserve, utilization);
  return (earning * WHOLE * payingShare(reserve)) / RATIO_ONE / RATIO_ONE;
}

/** Returns the utilisation divided by the share of the supply with interest, as a ratio. */
function earningShare(reserve: Reserve, utilization: bigint): bigint {
  const { totalSupplyWithInterest: withInterest, totalSupplyInterestFree: free } = reserve;
  if (free <= withInterest) {
    return utilization * (WHOLE + (free * WHOLE) / withInterest) * (RATIO_ONE / WHOLE ** 2n);
  }
  const part = (withInterest * WHOLE) / free;
  if (part === 0n) return 0n;
  return ((RATIO_ONE + (RATIO_ONE * WHOLE) / part) * utilization) / WHOLE;
}

/** Returns the share of all debt that pays interest, as a ratio. */
function payingShare(reserve: Reserve): bigint {
  const { totalBorrowWithInterest: withInterest, totalBorrowInterestFree: free } = reserve;
  if (free > withInterest) {
    const part = (withInterest * WHOLE) / free;
    return (RATIO_ONE * part) / (WHOLE + part);
  }
  return divideUp(RATIO_ONE * WHOLE, WHOLE + (free * WHOLE) / withInterest);
}

/**
 * Computes the share of the supply that is borrowed, in basis points, rounded down. Amounts without interest have a price
 * of 1.0.
 */
export function computeUtilization(reserve: Reserve, prices: ExchangePrices): bigint {
  const supply =
    reserve.totalSupplyWithInterest * prices.supply + reserve.totalSupplyInterestFree * PRICE_ONE;
  if (supply === 0n) return 0n;
  const borrow =
    reserve.totalBorrowWithInterest * prices.borrow + reserve.totalBorrowInterestFree * PRICE_ONE;
  return (borrow * WHOLE) / supply;
}
