import { divideUp } from '../../../solana/units.ts';
import { PRICE_ONE, toAtoms, toAtomsRoundedUp } from '../lending-base/amounts.ts';
import { computeExchangePricesAt } from '../liquidity/exchange-prices.ts';
import {
  type LiquidityState,
  operate,
  type LiquidityOperateRefusal,
} from '../liquidity/operate-liquidity.ts';
import type { Lending } from './layouts.ts';
import type { Rewards } from '../lending-reward-rate-model/layouts.ts';
import { computeLendingPricesAt } from './token-price.ts';

/** The accounts that a deposit or a withdrawal changes, without those of the user. */
export interface EarnState {
  readonly lending: Lending;
  readonly rewards: Rewards;
  /** The supply of the receipt token, in atoms. */
  readonly shares: bigint;
  /** The position of the lending at the liquidity program. It borrows nothing. */
  readonly liquidity: LiquidityState;
}

/** The name of the error of the lending or the liquidity program. */
export type EarnRefusal =
  | LiquidityOperateRefusal
  | 'FTokenDepositInsignificant'
  | 'FTokenLiquidityExchangePriceUnexpected';

/** The amounts that move, in atoms, and the state afterwards. */
export interface ComputedEarnMovement {
  readonly ok: true;
  readonly assets: bigint;
  readonly shares: bigint;
  readonly state: EarnState;
}

export type EarnResult = ComputedEarnMovement | { readonly ok: false; readonly error: EarnRefusal };

/**
 * Predicts a deposit of `assets`: the amount that the liquidity program registers and the receipt tokens for it, both
 * rounded down.
 *
 * @param assets - Atoms. The value that means the whole balance is not supported.
 * @param now - The time at which it lands, in Unix seconds.
 *
 * @example
 * ```ts
 * import { depositAssets, type EarnState } from './shares.ts';
 *
 * export function sharesFor(state: EarnState, assets: bigint, now: bigint): bigint | null {
 *   const result = depositAssets(state, assets, now);
 *   return result.ok ? result.shares : null;
 * }
 * ```
 */
export function depositAssets(before: EarnState, assets: bigint, now: bigint): EarnResult {
  const operated = operate(before.liquidity, { supply: assets, borrow: 0n }, now);
  if (!operated.ok) return operated;
  const lending = refreshed(before, now);
  if (lending === null) return priceRefusal(before, now);
  const raw = (operated.state.supply?.amount ?? 0n) - (before.liquidity.supply?.amount ?? 0n);
  const registered = toAtoms(raw, lending.liquidityExchangePrice);
  const shares = (registered * PRICE_ONE) / lending.tokenExchangePrice;
  if (shares === 0n) return { ok: false, error: 'FTokenDepositInsignificant' };
  const state = { ...before, lending, shares: before.shares + shares, liquidity: operated.state };
  return { ok: true, assets, shares, state };
}

/**
 * Predicts `mint`: a deposit of the worth of `shares`, rounded up. Because the deposit rounds too, it can mint fewer
 * shares than requested.
 */
export function mintShares(before: EarnState, shares: bigint, now: bigint): EarnResult {
  const lending = refreshed(before, now);
  if (lending === null) return priceRefusal(before, now);
  return depositAssets(before, toAtomsRoundedUp(shares, lending.tokenExchangePrice), now);
}

/** Predicts a withdrawal of `assets`. The shares that are burned for it are rounded up. */
export function withdrawAssets(before: EarnState, assets: bigint, now: bigint): EarnResult {
  const lending = refreshed(before, now);
  if (lending === null) return priceRefusal(before, now);
  const shares = divideUp(assets * PRICE_ONE, lending.tokenExchangePrice);
  const operated = operate(before.liquidity, { supply: -assets, borrow: 0n }, now);
  if (!operated.ok) return operated;
  const state = { ...before, lending, shares: before.shares - shares, liquidity: operated.state };
  return { ok: true, assets, shares, state };
}

/** Predicts `redeem`: a withdrawal of the worth of `shares`, rounded down. It can burn fewer shares than requested. */
export function redeemShares(before: EarnState, shares: bigint, now: bigint): EarnResult {
  const lending = refreshed(before, now);
  if (lending === null) return priceRefusal(before, now);
  return withdrawAssets(before, toAtoms(shares, lending.tokenExchangePrice), now);
}

/** Returns the error of the program when `computeLendingPricesAt` has no price. */
function priceRefusal({ lending, liquidity }: EarnState, now: bigint): EarnResult {
  const fell = computeExchangePricesAt(liquidity.reserve, now).supply < lending.liquidityExchangePrice;
  return { ok: false, error: fell ? 'FTokenLiquidityExchangePriceUnexpected' : 'LibraryMathError' };
}

function refreshed({ lending, rewards, shares, liquidity }: EarnState, now: bigint): Lending | null {
  const prices = computeLendingPricesAt({ lending, rewards, shares, reserve: liquidity.reserve }, now);
  if (prices === null) return null;
  return {
    ...lending,
    liquidityExchangePrice: prices.liquidity,
    tokenExchangePrice: prices.token,
    lastUpdateTimestamp: now,
  };
}
