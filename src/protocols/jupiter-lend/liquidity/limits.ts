import { minimum, maximum } from '../../../solana/units.ts';
import { computeShare, WHOLE, toAtoms } from '../lending-base/amounts.ts';
import type { ExchangePrices } from './exchange-prices.ts';
import type { BorrowPosition, Reserve, SupplyPosition } from './layouts.ts';

/**
 * Computes the amount that a protocol must leave supplied at `now`. It decreases with time from the limit of the last
 * operation, by the whole expansion within the expansion's duration.
 *
 * @param now - Unix seconds. A time before the last update counts as the last update.
 * @returns The limit, which is raw for a position with interest. 0 when everything may be withdrawn.
 */
export function computeWithdrawalLimitAt(position: SupplyPosition, now: bigint): bigint {
  if (position.withdrawalLimit === 0n) return 0n;
  const expansion = computeShare(position.amount, BigInt(position.expandPercent));
  const freed = expanded(expansion, now - position.lastUpdate, position.expandDuration);
  return maximum(maximum(position.withdrawalLimit - freed, 0n), position.amount - expansion);
}

/**
 * Computes the limit that the program stores after an operation.
 *
 * @param supplied - The supply after the operation.
 * @param limit - The result of `computeWithdrawalLimitAt` before the operation.
 */
export function computeWithdrawalLimitAfter(
  position: SupplyPosition,
  supplied: bigint,
  limit: bigint,
): bigint {
  if (supplied < position.baseWithdrawalLimit) return 0n;
  return maximum(limit, supplied - computeShare(supplied, BigInt(position.expandPercent)));
}

/**
 * Computes the maximum debt that a protocol may have at `now`. It increases with time from the ceiling of the last
 * operation, by the whole expansion within the expansion's duration, up to a fixed maximum.
 *
 * @param now - Unix seconds. A time before the last update counts as the last update.
 * @returns The ceiling, which is raw for a position with interest.
 */
export function computeDebtCeilingAt(position: BorrowPosition, now: bigint): bigint {
  const expansion = computeShare(position.amount, BigInt(position.expandPercent));
  const most = position.amount + expansion;
  if (most < position.baseDebtCeiling) return position.baseDebtCeiling;
  const grown =
    position.debtCeiling + expanded(expansion, now - position.lastUpdate, position.expandDuration);
  return minimum(minimum(grown, most), position.maxDebtCeiling);
}

/**
 * Computes the ceiling that the program stores after an operation.
 *
 * @param borrowed - The debt after the operation.
 * @param ceiling - The result of `computeDebtCeilingAt` before the operation.
 */
export function computeDebtCeilingAfter(position: BorrowPosition, borrowed: bigint, ceiling: bigint): bigint {
  const most = borrowed + computeShare(borrowed, BigInt(position.expandPercent));
  if (most < position.baseDebtCeiling) return position.baseDebtCeiling;
  return minimum(ceiling, minimum(most, position.maxDebtCeiling));
}

/** Returns the expansion after `elapsed` seconds. The program does not operate positions without a duration. */
function expanded(expansion: bigint, elapsed: bigint, duration: number): bigint {
  if (elapsed <= 0n || duration === 0) return 0n;
  return (expansion * elapsed) / BigInt(duration);
}

/** The supply and the withdrawal limits of a protocol, in atoms. */
export interface SuppliedAmounts {
  readonly supply: bigint;
  /** The amount that must stay supplied. */
  readonly withdrawalLimit: bigint;
  /** The supply below which there is no limit. */
  readonly baseWithdrawalLimit: bigint;
  /** The amount that the limit allows to withdraw. */
  readonly withdrawableUntilLimit: bigint;
  /** The amount that can be withdrawn now, which the balance of the reserve also bounds. */
  readonly withdrawable: bigint;
}

/**
 * Computes the supply and the withdrawal limits of a protocol, in atoms.
 *
 * @param prices - The current prices.
 * @param held - What the reserve's vault holds, in atoms.
 * @param now - Unix seconds.
 */
export function computeSuppliedAmounts(
  position: SupplyPosition,
  prices: ExchangePrices,
  held: bigint,
  now: bigint,
): SuppliedAmounts {
  const atoms = (amount: bigint): bigint => (position.withInterest ? toAtoms(amount, prices.supply) : amount);
  const supply = atoms(position.amount);
  const withdrawalLimit = atoms(computeWithdrawalLimitAt(position, now));
  const withdrawableUntilLimit = maximum(supply - withdrawalLimit, 0n);
  return {
    supply,
    withdrawalLimit,
    baseWithdrawalLimit: atoms(position.baseWithdrawalLimit),
    withdrawableUntilLimit,
    withdrawable: minimum(withdrawableUntilLimit, held),
  };
}

/** The debt and the borrow limits of a protocol, in atoms. */
export interface BorrowedAmounts {
  readonly borrow: bigint;
  /** The maximum debt by the protocol's own ceiling. */
  readonly borrowLimit: bigint;
  /** The debt up to which the ceiling does not depend on time. */
  readonly baseBorrowLimit: bigint;
  /** The maximum of the ceiling. */
  readonly maxBorrowLimit: bigint;
  /** The maximum debt of all protocols together, by the maximum utilisation. */
  readonly borrowLimitUtilization: bigint;
  readonly borrowableUntilLimit: bigint;
  /** The amount that can be borrowed now, which the balance of the reserve also bounds. */
  readonly borrowable: bigint;
}

/**
 * Computes the debt and the borrow limits of a protocol in atoms, all rounded down.
 *
 * @param prices - The current prices.
 * @param held - What the reserve's vault holds, in atoms.
 * @param now - Unix seconds.
 */
export function computeBorrowedAmounts(
  position: BorrowPosition,
  reserve: Reserve,
  prices: ExchangePrices,
  held: bigint,
  now: bigint,
): BorrowedAmounts {
  const atoms = (amount: bigint): bigint => (position.withInterest ? toAtoms(amount, prices.borrow) : amount);
  const borrow = atoms(position.amount);
  const borrowLimit = atoms(computeDebtCeilingAt(position, now));
  const totalSupply =
    toAtoms(reserve.totalSupplyWithInterest, prices.supply) + reserve.totalSupplyInterestFree;
  const totalBorrow =
    toAtoms(reserve.totalBorrowWithInterest, prices.borrow) + reserve.totalBorrowInterestFree;
  const borrowLimitUtilization = (totalSupply * BigInt(reserve.maxUtilization)) / WHOLE;
  const borrowableUntilLimit = minimum(
    maximum(borrowLimit - borrow, 0n),
    maximum(borrowLimitUtilization - totalBorrow, 0n),
  );
  return {
    borrow,
    borrowLimit,
    baseBorrowLimit: atoms(position.baseDebtCeiling),
    maxBorrowLimit: atoms(position.maxDebtCeiling),
    borrowLimitUtilization,
    borrowableUntilLimit,
    borrowable: minimum(borrowableUntilLimit, held),
  };
}
