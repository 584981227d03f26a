import { WHOLE, toAtoms } from '../lending-base/amounts.ts';
import { type ExchangePrices, computeUtilization } from './exchange-prices.ts';
import type { RateModel, Reserve } from './layouts.ts';

/** The maximum rate, which is the largest number that fits into the field of a reserve. */
const MAX_RATE = 65_535n;
/** A slope of 1.0. */
const SLOPE_ONE = 1_000_000_000_000n;

/** A corner of the curve, in basis points. */
interface RateCorner {
  readonly utilization: bigint;
  readonly rate: bigint;
}

/**
 * Computes the yearly borrow rate for a utilisation. The rate is linear between the corners of the model, and capped at
 * 65,535.
 *
 * @param utilization - Basis points.
 * @returns Basis points, or null when the program has no rate for it: the model was never configured, or the curve
 *   falls below zero.
 *
 * @example
 * ```ts
 * import { computeBorrowRateAt } from './rates.ts';
 * import { RATE_MODEL } from './layouts.ts';
 *
 * export function rateAtHalf(modelData: Uint8Array) {
 *   return computeBorrowRateAt(RATE_MODEL.decode(modelData), 5_000n);
 * }
 * ```
 */
export function computeBorrowRateAt(model: RateModel, utilization: bigint): bigint | null {
  const corners = listRateCorners(model);
  if (corners === null) return null;
  const at = corners.findIndex((corner) => utilization < corner.utilization);
  // Above 100 percent, the last line continues.
  const index = at === -1 ? corners.length - 1 : Math.max(at, 1);
  const [from, to] = [corners[index - 1], corners[index]];
  return from === undefined || to === undefined ? null : interpolate(from, to, utilization);
}

function listRateCorners(model: RateModel): readonly RateCorner[] | null {
  const corner = (utilization: number, rate: number): RateCorner => ({
    utilization: BigInt(utilization),
    rate: BigInt(rate),
  });
  const start = corner(0, model.rateAtZero);
  const kink1 = corner(model.kink1Utilization, model.rateAtKink1);
  const end = corner(Number(WHOLE), model.rateAtMax);
  if (model.version === 1) return [start, kink1, end];
  if (model.version !== 2) return null;
  return [start, kink1, corner(model.kink2Utilization, model.rateAtKink2), end];
}

function interpolate(from: RateCorner, to: RateCorner, utilization: bigint): bigint | null {
  const span = to.utilization - from.utilization;
  if (span <= 0n) return null;
  const difference = to.rate - from.rate;
  const slope = ((difference < 0n ? -difference : difference) * SLOPE_ONE) / span;
  const change = slope * (utilization - from.utilization);
  const scaled = from.rate * SLOPE_ONE + (difference < 0n ? -change : change);
  if (scaled < 0n) return null;
  const rate = scaled / SLOPE_ONE;
  return rate > MAX_RATE ? MAX_RATE : rate;
}

/**
 * Computes the yearly rate that suppliers with interest earn now: the borrow rate times the share of their supply on
 * which borrowers pay interest, less the fee. Amounts without interest do not count.
 *
 * @param prices - The current prices.
 * @returns Basis points, rounded down.
 */
export function computeSupplyRate(reserve: Reserve, prices: ExchangePrices): bigint {
  const supplied = toAtoms(reserve.totalSupplyWithInterest, prices.supply);
  if (supplied === 0n) return 0n;
  const borrowed = toAtoms(reserve.totalBorrowWithInterest, prices.borrow);
  const kept = WHOLE - BigInt(reserve.feeOnInterest);
  return (BigInt(reserve.borrowRate) * kept * borrowed) / (supplied * WHOLE);
}

/**
 * Updates a reserve to `now`, as the program does at the end of each operation and in `update_exchange_price`.
 *
 * @param prices - The current prices.
 * @param now - Unix seconds.
 * @returns The reserve with prices, utilisation and borrow rate of now, or null when the model has no rate for it.
 */
export function refreshReserve(
  reserve: Reserve,
  prices: ExchangePrices,
  model: RateModel,
  now: bigint,
): Reserve | null {
  const utilization = computeUtilization(reserve, prices);
  const rate = computeBorrowRateAt(model, utilization);
  if (rate === null || utilization > MAX_RATE) return null;
  return {
    ...reserve,
    supplyExchangePrice: prices.supply,
    borrowExchangePrice: prices.borrow,
    lastUpdateTimestamp: now,
    lastUtilization: Number(utilization),
    borrowRate: Number(rate),
  };
}
