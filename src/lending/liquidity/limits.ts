import { maximum, minimum, shareOf, WHOLE, worth } from '../amounts.ts';
import type { ExchangePrices } from './exchange-prices.ts';
import type { BorrowPosition, Reserve, SupplyPosition } from './layouts.ts';

/**
 * Computes what a protocol must leave supplied at `now`. From the limit that was set at the last operation it falls with
 * time, by the whole expansion within the expansion's duration.
 *
 * @param now - Unix seconds. A time before the last update counts as the last update.
 * @returns The limit, which is raw for a position with interest. 0 when everything may be withdrawn.
 */
export function withdrawalLimitAt(position: SupplyPosition, now: bigint): bigint {
  if (position.withdrawalLimit === 0n) return 0n;
  const expansion = shareOf(position.amount, BigInt(position.expandPercent));
  const freed = expanded(expansion, now - position.lastUpdate, position.expandDuration);
  return maximum(maximum(position.withdrawalLimit - freed, 0n), position.amount - expansion);
}

/**
 * Computes the limit that the program remembers after an operation.
 *
 * @param supplied - What is supplied after the operation.
 * @param limit - What `withdrawalLimitAt` returned before it.
 */
export function withdrawalLimitAfter(position: SupplyPosition, supplied: bigint, limit: bigint): bigint {
  if (supplied < position.baseWithdrawalLimit) return 0n;
  return maximum(limit, supplied - shareOf(supplied, BigInt(position.expandPercent)));
}

/**
 * Computes the most debt that a protocol may have at `now`. From the ceiling that was set at the last operation it rises
 * with time, by the whole expansion within the expansion's duration, and up to a fixed maximum.
 *
 * @param now - Unix seconds. A time before the last update counts as the last update.
 * @returns The ceiling, which is raw for a position with interest.
 */
export function debtCeilingAt(position: BorrowPosition, now: bigint): bigint {
  const expansion = shareOf(position.amount, BigInt(position.expandPercent));
  const most = position.amount + expansion;
  if (most < position.baseDebtCeiling) return position.baseDebtCeiling;
  const grown =
    position.debtCeiling + expanded(expansion, now - position.lastUpdate, position.expandDuration);
  return minimum(minimum(grown, most), position.maxDebtCeiling);
}

/**
 * Computes the ceiling that the program remembers after an operation.
 *
 * @param borrowed - The debt after the operation.
 * @param ceiling - What `debtCeilingAt` returned before it.
 */
export function debtCeilingAfter(position: BorrowPosition, borrowed: bigint, ceiling: bigint): bigint {
  const most = borrowed + shareOf(borrowed, BigInt(position.expandPercent));
  if (most < position.baseDebtCeiling) return position.baseDebtCeiling;
  return minimum(ceiling, minimum(most, position.maxDebtCeiling));
}

/** A duration of 0 was never configured; the program refuses to operate such a position. */
function expanded(expansion: bigint, elapsed: bigint, duration: number): bigint {
  if (elapsed <= 0n || duration === 0) return 0n;
  return (expansion * elapsed) / BigInt(duration);
}

/** What a protocol supplied, in atoms. */
export interface SuppliedAmounts {
  readonly supply: bigint;
  /** What must stay. */
  readonly withdrawalLimit: bigint;
  /** Below this supply there is no limit. */
  readonly baseWithdrawalLimit: bigint;
  /** What the limit lets out. */
  readonly withdrawableUntilLimit: bigint;
  /** What can leave now: also bounded by what the reserve holds. */
  readonly withdrawable: bigint;
}

/**
 * Computes what a protocol supplied and may withdraw, in atoms.
 *
 * @param prices - Of now.
 * @param held - What the reserve's vault holds, in atoms.
 * @param now - Unix seconds.
 */
export function suppliedAmounts(
  position: SupplyPosition,
  prices: ExchangePrices,
  held: bigint,
  now: bigint,
): SuppliedAmounts {
  const atoms = (amount: bigint): bigint => (position.withInterest ? worth(amount, prices.supply) : amount);
  const supply = atoms(position.amount);
  const withdrawalLimit = atoms(withdrawalLimitAt(position, now));
  const withdrawableUntilLimit = maximum(supply - withdrawalLimit, 0n);
  return {
    supply,
    withdrawalLimit,
    baseWithdrawalLimit: atoms(position.baseWithdrawalLimit),
    withdrawableUntilLimit,
    withdrawable: minimum(withdrawableUntilLimit, held),
  };
}

/** What a protocol borrowed, in atoms. */
export interface BorrowedAmounts {
  readonly borrow: bigint;
  /** The most that the protocol's own ceiling allows. */
  readonly borrowLimit: bigint;
  /** Up to this debt, the ceiling does not depend on time. */
  readonly baseBorrowLimit: bigint;
  /** The ceiling never exceeds this. */
  readonly maxBorrowLimit: bigint;
  /** The most that all may borrow while the utilisation stays within its maximum. */
  readonly borrowLimitUtilization: bigint;
  readonly borrowableUntilLimit: bigint;
  /** What can be borrowed now: also bounded by what the reserve holds. */
  readonly borrowable: bigint;
}

/**
 * Computes what a protocol borrowed and may still borrow, in atoms, each rounded down.
 *
 * @param prices - Of now.
 * @param held - What the reserve's vault holds, in atoms.
 * @param now - Unix seconds.
 */
export function borrowedAmounts(
  position: BorrowPosition,
  reserve: Reserve,
  prices: ExchangePrices,
  held: bigint,
  now: bigint,
): BorrowedAmounts {
  const atoms = (amount: bigint): bigint => (position.withInterest ? worth(amount, prices.borrow) : amount);
  const borrow = atoms(position.amount);
  const borrowLimit = atoms(debtCeilingAt(position, now));
  const totalSupply = worth(reserve.totalSupplyWithInterest, prices.supply) + reserve.totalSupplyInterestFree;
  const totalBorrow = worth(reserve.totalBorrowWithInterest, prices.borrow) + reserve.totalBorrowInterestFree;
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
