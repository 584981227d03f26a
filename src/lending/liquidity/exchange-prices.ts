import { asU64, divideRoundedUp, PRICE_ONE, WHOLE, YEAR } from '../amounts.ts';
import type { Reserve } from './layouts.ts';

/** What one raw unit is worth: 10^12 is 1.0. */
export interface ExchangePrices {
  readonly supply: bigint;
  readonly borrow: bigint;
}

/** A year in seconds, and 100 percent three times: of the rate, of the share of the yield, and of what the fee leaves. */
const YEAR_AND_SHARES = YEAR * WHOLE ** 3n;
/** 1.0 of a ratio of amounts. */
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
 * import { exchangePricesAt } from './exchange-prices.ts';
 * import { RESERVE } from './layouts.ts';
 *
 * export function pricesOf(reserveData: Uint8Array, now: bigint) {
 *   return exchangePricesAt(RESERVE.decode(reserveData), now);
 * }
 * ```
 */
export function exchangePricesAt(reserve: Reserve, now: bigint): ExchangePrices {
  const { supplyExchangePrice: supply, borrowExchangePrice: borrow } = reserve;
  const seconds = now - reserve.lastUpdateTimestamp;
  const rate = BigInt(reserve.borrowRate);
  if (seconds <= 0n || rate === 0n || reserve.totalBorrowWithInterest === 0n) return { supply, borrow };
  const owed = divideRoundedUp(borrow * rate * seconds, YEAR * WHOLE);
  return {
    supply: asU64(supply + supplyInterest(reserve, supply, seconds), 'the supply exchange price'),
    borrow: asU64(borrow + owed, 'the borrow exchange price'),
  };
}

function supplyInterest(reserve: Reserve, price: bigint, seconds: bigint): bigint {
  if (reserve.totalSupplyWithInterest === 0n) return 0n;
  const kept = BigInt(reserve.borrowRate) * (WHOLE - BigInt(reserve.feeOnInterest));
  return (price * kept * shareOfYield(reserve) * seconds) / YEAR_AND_SHARES;
}

/**
 * Which part of the borrow rate, in 10,000ths, suppliers with interest earn before the fee: the utilisation, more where
 * others supply without interest, less where others borrow without.
 */
function shareOfYield(reserve: Reserve): bigint {
  const utilization = BigInt(reserve.lastUtilization);
  if (reserve.totalSupplyInterestFree === 0n && reserve.totalBorrowInterestFree === 0n) return utilization;
  const earning = earningShare(reserve, utilization);
  return (earning * WHOLE * payingShare(reserve)) / RATIO_ONE / RATIO_ONE;
}

/** The utilisation per supply with interest, as a ratio. */
function earningShare(reserve: Reserve, utilization: bigint): bigint {
  const { totalSupplyWithInterest: withInterest, totalSupplyInterestFree: free } = reserve;
  if (free <= withInterest) {
    return utilization * (WHOLE + (free * WHOLE) / withInterest) * (RATIO_ONE / WHOLE ** 2n);
  }
  const part = (withInterest * WHOLE) / free;
  if (part === 0n) return 0n;
  return ((RATIO_ONE + (RATIO_ONE * WHOLE) / part) * utilization) / WHOLE;
}

/** The part of all borrowing that pays interest, as a ratio. */
function payingShare(reserve: Reserve): bigint {
  const { totalBorrowWithInterest: withInterest, totalBorrowInterestFree: free } = reserve;
  if (free > withInterest) {
    const part = (withInterest * WHOLE) / free;
    return (RATIO_ONE * part) / (WHOLE + part);
  }
  return divideRoundedUp(RATIO_ONE * WHOLE, WHOLE + (free * WHOLE) / withInterest);
}

/**
 * The part of the supply that is borrowed, in 10,000ths rounded down. Amounts without interest count at a price of 1.0.
 */
export function utilizationOf(reserve: Reserve, prices: ExchangePrices): bigint {
  const supply =
    reserve.totalSupplyWithInterest * prices.supply + reserve.totalSupplyInterestFree * PRICE_ONE;
  if (supply === 0n) return 0n;
  const borrow =
    reserve.totalBorrowWithInterest * prices.borrow + reserve.totalBorrowInterestFree * PRICE_ONE;
  return (borrow * WHOLE) / supply;
}
