import { SYSTEM_PROGRAM } from '../../../solana/program-addresses.ts';
import { toRawAmount, toRawAmountRoundedUp } from '../lending-base/amounts.ts';
import { computeExchangePricesAt, type ExchangePrices, computeUtilization } from './exchange-prices.ts';
import {
  type BorrowPosition,
  PositionStatus,
  type RateModel,
  type Reserve,
  type SupplyPosition,
} from './layouts.ts';
import {
  computeDebtCeilingAfter,
  computeDebtCeilingAt,
  computeWithdrawalLimitAfter,
  computeWithdrawalLimitAt,
} from './limits.ts';
import { refreshReserve } from './rates.ts';

/** The minimum of each amount of an operation that is not 0. */
export const MIN_OPERATE_AMOUNT = 10n;

/** The accounts that an operation changes, for one token and one protocol. */
export interface LiquidityState {
  readonly reserve: Reserve;
  readonly rateModel: RateModel;
  readonly supply: SupplyPosition | null;
  readonly borrow: BorrowPosition | null;
  /** The balance of the reserve's vault before the operation, in atoms. */
  readonly held: bigint;
}

/** The name of the program's error. */
export type LiquidityOperateRefusal =
  | 'OperateAmountsNearlyZero'
  | 'OperateAmountTooBig'
  | 'OperateAmountsInsufficient'
  | 'UserSupplyPositionRequired'
  | 'UserBorrowPositionRequired'
  | 'UserPaused'
  | 'WithdrawalLimitReached'
  | 'BorrowLimitReached'
  | 'MaxUtilizationReached'
  | 'UnsupportedRateVersion'
  | 'InsufficientBalance'
  | 'LibraryMathError';

export type LiquidityOperateResult =
  | { readonly ok: true; readonly state: LiquidityState; readonly prices: ExchangePrices }
  | { readonly ok: false; readonly error: LiquidityOperateRefusal };

/** Atoms. Positive amounts are supplied or borrowed, negative ones withdrawn or paid back. */
export interface LiquidityOperateAmounts {
  readonly supply: bigint;
  readonly borrow: bigint;
}

const MAX_AMOUNT = (1n << 63n) - 1n;

/**
 * Predicts an operation of the liquidity program: the state afterwards, or the error. It assumes that exactly the owed
 * amount arrives in the vault.
 *
 * @param now - Unix seconds at which the operation lands.
 *
 * @example
 * ```ts
 * import { type LiquidityState, operate } from './operate-liquidity.ts';
 *
 * export function canWithdraw(state: LiquidityState, amount: bigint, now: bigint) {
 *   return operate(state, { supply: -amount, borrow: 0n }, now).ok;
 * }
 * ```
 */
export function operate(
  before: LiquidityState,
  amounts: LiquidityOperateAmounts,
  now: bigint,
): LiquidityOperateResult {
  const sizes = [size(amounts.supply), size(amounts.borrow)] as const;
  if (sizes.some((each) => each > MAX_AMOUNT)) return refused('OperateAmountTooBig');
  if (sizes.every((each) => each < MIN_OPERATE_AMOUNT)) return refused('OperateAmountsNearlyZero');
  const prices = computeExchangePricesAt(before.reserve, now);
  const supplied = amounts.supply === 0n ? before : supplySide(before, amounts.supply, prices, now);
  if (typeof supplied === 'string') return refused(supplied);
  const borrowed = amounts.borrow === 0n ? supplied : borrowSide(supplied, amounts.borrow, prices, now);
  if (typeof borrowed === 'string') return refused(borrowed);
  return settle(borrowed, amounts, prices, now);
}

function settle(
  state: LiquidityState,
  amounts: LiquidityOperateAmounts,
  prices: ExchangePrices,
  now: bigint,
): LiquidityOperateResult {
  if (
    amounts.borrow > 0n &&
    computeUtilization(state.reserve, prices) > BigInt(state.reserve.maxUtilization)
  ) {
    return refused('MaxUtilizationReached');
  }
  const reserve = refreshReserve(state.reserve, prices, state.rateModel, now);
  if (reserve === null) return refused('UnsupportedRateVersion');
  const arriving = positive(amounts.supply) + positive(-amounts.borrow);
  const leaving = positive(-amounts.supply) + positive(amounts.borrow);
  // The program pays from the balance of the vault at the start of the operation, which includes the incoming tokens.
  const available = state.held + arriving;
  if (leaving > available) return refused('InsufficientBalance');
  const after: LiquidityState = {
    ...state,
    reserve: {
      ...reserve,
      interactingProtocol: SYSTEM_PROGRAM,
      interactingTimestamp: 0n,
      interactingBalance: 0n,
    },
    held: available - leaving,
  };
  return { ok: true, prices, state: after };
}

function supplySide(
  state: LiquidityState,
  amount: bigint,
  prices: ExchangePrices,
  now: bigint,
): LiquidityState | LiquidityOperateRefusal {
  const { supply: position, reserve } = state;
  if (position === null) return 'UserSupplyPositionRequired';
  if (position.status !== PositionStatus.ACTIVE) return 'UserPaused';
  const raw = rawAmount(position.withInterest, amount, amount < 0n, prices.supply);
  if (raw === 0n) return 'OperateAmountsInsufficient';
  const limit = computeWithdrawalLimitAt(position, now);
  const change = amount < 0n ? -raw : raw;
  const supplied = position.amount + change;
  if (supplied < 0n) return 'LibraryMathError';
  if (amount < 0n && supplied < limit) return 'WithdrawalLimitReached';
  const total = position.withInterest
    ? { totalSupplyWithInterest: reserve.totalSupplyWithInterest + change }
    : { totalSupplyInterestFree: reserve.totalSupplyInterestFree + change };
  return {
    ...state,
    reserve: { ...reserve, ...total },
    supply: {
      ...position,
      amount: supplied,
      withdrawalLimit: computeWithdrawalLimitAfter(position, supplied, limit),
      lastUpdate: now,
    },
  };
}

function borrowSide(
  state: LiquidityState,
  amount: bigint,
  prices: ExchangePrices,
  now: bigint,
): LiquidityState | LiquidityOperateRefusal {
  const { borrow: position, reserve } = state;
  if (position === null) return 'UserBorrowPositionRequired';
  if (position.status !== PositionStatus.ACTIVE) return 'UserPaused';
  const raw = rawAmount(position.withInterest, amount, amount > 0n, prices.borrow);
  if (raw === 0n) return 'OperateAmountsInsufficient';
  const ceiling = computeDebtCeilingAt(position, now);
  const change = amount < 0n ? -raw : raw;
  const borrowed = position.amount + change;
  if (borrowed < 0n) return 'LibraryMathError';
  if (amount > 0n && borrowed > ceiling) return 'BorrowLimitReached';
  const total = position.withInterest
    ? { totalBorrowWithInterest: reserve.totalBorrowWithInterest + change }
    : { totalBorrowInterestFree: reserve.totalBorrowInterestFree + change };
  return {
    ...state,
    reserve: { ...reserve, ...total },
    borrow: {
      ...position,
      amount: borrowed,
      debtCeiling: computeDebtCeilingAfter(position, borrowed, ceiling),
      lastUpdate: now,
    },
  };
}

function rawAmount(withInterest: boolean, amount: bigint, up: boolean, price: bigint): bigint {
  const atoms = size(amount);
  if (!withInterest) return atoms;
  return up ? toRawAmountRoundedUp(atoms, price) : toRawAmount(atoms, price);
}

function size(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}

function positive(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}

function refused(error: LiquidityOperateRefusal): LiquidityOperateResult {
  return { ok: false, error };
}
