import { U64_MAX } from '../../../solana/units.ts';
import { divideRoundedUp, rawOf, rawOfRoundedUp, WHOLE, worth, worthRoundedUp } from '../../amounts.ts';
import type { VaultPrices } from './exchange-prices.ts';
import type { VaultConfig } from '../layouts.ts';
import {
  MAX_OPERATE_AMOUNT,
  MIN_I128,
  minimumDebt,
  minimumOperateAmount,
  NO_TICK,
  scaled,
  unscaled,
} from './limits.ts';
import type { PositionState } from './position-state.ts';
import { highestSafeTick, type OracleRates } from './safety.ts';
import { RATIO_ONE, TICK_STEP, TICK_STEP_ONE, tickAtRatio } from './ticks.ts';

/** What an operation moves. Positive: deposit, borrow. Negative: withdraw, pay back. `MIN_I128`: all of it. In atoms. */
export interface OperateAmounts {
  readonly collateral: bigint;
  readonly debt: bigint;
}

/** What a prediction is made from. */
export interface OperateContext {
  readonly position: PositionState;
  readonly config: Pick<VaultConfig, 'borrowFee' | 'collateralFactor' | 'liquidationThreshold'>;
  readonly prices: VaultPrices;
  readonly supplyDecimals: number;
  readonly borrowDecimals: number;
}

/** A position after an operation, raw, and what the operation moves. */
export interface OperateOutcome {
  readonly collateral: bigint;
  readonly recordedDebt: bigint;
  readonly dust: bigint;
  readonly debt: bigint;
  /** `NO_TICK` without debt. */
  readonly tick: number;
  /** What moves between the signer and the liquidity program, in atoms and with the signs of the arguments. */
  readonly moved: OperateAmounts;
}

/** The name of the program's error, with the numbers behind it. */
export type OperateRefusal =
  | {
      readonly error: 'VaultInvalidOperateAmount';
      readonly side: Side;
      readonly minimum: bigint;
      readonly amount: bigint;
    }
  | { readonly error: 'VaultExcessCollateralWithdrawal'; readonly available: bigint }
  | { readonly error: 'VaultExcessDebtPayback'; readonly owed: bigint }
  | { readonly error: 'VaultUserCollateralDebtExceed'; readonly side: Side }
  /** `debt` and `minimum` are raw. */
  | { readonly error: 'VaultUserDebtTooLow'; readonly debt: bigint; readonly minimum: bigint }
  /** `tick` is where the position would stand. */
  | { readonly error: 'VaultInvalidPaybackOrDeposit'; readonly tick: number }
  /**
   * All collateral of a position that has none. The program has no error for it: such a withdrawal is a deposit of a
   * rounding, which does nothing, or which the liquidity program refuses as too small.
   */
  | { readonly error: 'NothingToWithdraw' }
  /** Debt without collateral: the ratio is a division by 0, which is the library's error in the program. */
  | { readonly error: 'NoCollateral' }
  /** The ratio of debt to collateral has no tick: the library's error in the program. */
  | { readonly error: 'RatioOutOfRange'; readonly ratio: bigint };

export type Side = 'collateral' | 'debt';

export type OperateResult =
  | ({ readonly ok: true } & OperateOutcome)
  | ({ readonly ok: false } & OperateRefusal);

/** With each operation, the debt grows by this part and one unit. */
const MARGIN_ONE = 1_000_000_000n;

/**
 * Predicts an operation of the vaults program: the position that it leaves, with its tick, and what it moves, to the
 * atom. The checks are those of the program, in its order, up to the one by the oracle's price: see `checkSafety`.
 *
 * @param context - `prices` of the second in which the operation lands.
 *
 * @example
 * ```ts
 * import { type OperateContext, predictOperate } from './operate.ts';
 *
 * export function tickAfterDeposit(context: OperateContext, atoms: bigint): number | null {
 *   const result = predictOperate(context, { collateral: atoms, debt: 0n });
 *   return result.ok ? result.tick : null;
 * }
 * ```
 */
export function predictOperate(context: OperateContext, amounts: OperateAmounts): OperateResult {
  const { position, borrowDecimals } = context;
  const invalid = checkAmounts(context, amounts) ?? noEffect(context, amounts);
  if (invalid !== null) return { ok: false, ...invalid };
  const collateral = moveCollateral(context, amounts.collateral);
  if ('error' in collateral) return { ok: false, ...collateral };
  const debt = moveDebt(context, amounts.debt);
  if ('error' in debt) return { ok: false, ...debt };
  const moved = { collateral: collateral.moved, debt: debt.moved };
  if (debt.left === 0n) {
    const empty = { recordedDebt: 0n, dust: 0n, debt: 0n, tick: NO_TICK };
    return { ok: true, collateral: collateral.left, ...empty, moved };
  }
  const placed = placeOnTick(collateral.left, debt.left, minimumDebt(borrowDecimals));
  if ('error' in placed) return { ok: false, ...placed };
  if (raisesRisk(position, amounts, collateral.left, placed.debt)) {
    return { ok: false, error: 'VaultInvalidPaybackOrDeposit', tick: placed.tick };
  }
  return { ok: true, collateral: collateral.left, ...placed, moved };
}

/** An amount that no position can be operated with. */
export type AmountRefusal = OperateRefusal & { readonly error: 'VaultInvalidOperateAmount' };

/**
 * Checks the size of each amount, as the program does before it looks at who signs.
 *
 * @returns Null when both are within bounds.
 */
export function checkAmounts(
  { supplyDecimals, borrowDecimals }: Pick<OperateContext, 'supplyDecimals' | 'borrowDecimals'>,
  { collateral, debt }: OperateAmounts,
): AmountRefusal | null {
  return (
    invalidAmount('collateral', collateral, supplyDecimals) ?? invalidAmount('debt', debt, borrowDecimals)
  );
}

function invalidAmount(side: Side, amount: bigint, decimals: number): AmountRefusal | null {
  if (amount === 0n || amount === MIN_I128) return null;
  const size = amount < 0n ? -amount : amount;
  const minimum = minimumOperateAmount(decimals);
  if (size >= minimum && size <= MAX_OPERATE_AMOUNT) return null;
  return { error: 'VaultInvalidOperateAmount', side, minimum, amount };
}

/** Everything of nothing is nothing. */
function noEffect({ position }: OperateContext, amounts: OperateAmounts): OperateRefusal | null {
  const noCollateral =
    amounts.collateral === 0n || (amounts.collateral === MIN_I128 && position.collateral === 0n);
  const noDebt = amounts.debt === 0n || (amounts.debt === MIN_I128 && position.debt === 0n);
  if (!noCollateral || !noDebt) return null;
  if (amounts.collateral !== 0n) return { error: 'NothingToWithdraw' };
  return { error: 'VaultInvalidOperateAmount', side: 'debt', minimum: 0n, amount: 0n };
}

/** A side of the position after the operation, raw, and what it moves, in atoms. */
interface Move {
  readonly left: bigint;
  readonly moved: bigint;
}

function moveCollateral(context: OperateContext, amount: bigint): Move | OperateRefusal {
  const { position, supplyDecimals: decimals, prices } = context;
  if (amount === MIN_I128) {
    const units = worth(position.collateral, prices.supply) - 1n;
    return { left: 0n, moved: -unscaled(units, decimals) };
  }
  if (amount > 0n) {
    const left = position.collateral + rawOf(scaled(amount, decimals), prices.supply);
    if (left > U64_MAX) return { error: 'VaultUserCollateralDebtExceed', side: 'collateral' };
    return { left, moved: amount + 1n };
  }
  const left = position.collateral - rawOfRoundedUp(scaled(-amount, decimals), prices.supply);
  if (left >= 0n) return { left, moved: amount };
  const available = unscaled(worth(position.collateral, prices.supply), decimals);
  return { error: 'VaultExcessCollateralWithdrawal', available };
}

function moveDebt(context: OperateContext, amount: bigint): Move | OperateRefusal {
  const { position, borrowDecimals: decimals, prices, config } = context;
  const owed = unscaled(worthRoundedUp(position.debt, prices.borrow), decimals);
  if (amount === MIN_I128) return { left: 0n, moved: owed === 0n ? 0n : -(owed + 1n) };
  if (amount === 0n) return { left: position.debt, moved: 0n };
  if (amount > 0n) {
    const raw = rawOfRoundedUp(scaled(amount, decimals), prices.borrow);
    const left = position.debt + raw + divideRoundedUp(raw * BigInt(config.borrowFee), WHOLE);
    if (left > U64_MAX) return { error: 'VaultUserCollateralDebtExceed', side: 'debt' };
    return { left, moved: amount };
  }
  const left = position.debt - (rawOf(scaled(-amount, decimals), prices.borrow) - 1n);
  return left < 0n ? { error: 'VaultExcessDebtPayback', owed } : { left, moved: amount - 1n };
}

/** A debt on its tick, raw. */
interface PlacedDebt {
  readonly recordedDebt: bigint;
  readonly dust: bigint;
  readonly debt: bigint;
  readonly tick: number;
}

/** Puts a debt on the tick above its ratio. What the tick records beyond the debt, and the margin, is the dust. */
function placeOnTick(collateral: bigint, debt: bigint, minimum: bigint): PlacedDebt | OperateRefusal {
  const withMargin = (debt * (MARGIN_ONE + 1n)) / MARGIN_ONE + 1n;
  if (withMargin < minimum) return { error: 'VaultUserDebtTooLow', debt, minimum };
  if (collateral === 0n) return { error: 'NoCollateral' };
  const ratio = (withMargin * RATIO_ONE) / collateral;
  const found = tickAtRatio(ratio);
  if (found === null) return { error: 'RatioOutOfRange', ratio };
  const recordedDebt = (((found.ratio * TICK_STEP) / TICK_STEP_ONE) * collateral) >> 48n;
  const dust = recordedDebt - withMargin;
  if (dust < 0n) return { error: 'RatioOutOfRange', ratio };
  return { recordedDebt, dust, debt: withMargin, tick: found.tick + 1 };
}

/** Everybody may pay back and deposit for a position, so neither may make it worse, by rounding for example. */
function raisesRisk(
  before: PositionState,
  amounts: OperateAmounts,
  collateral: bigint,
  debt: bigint,
): boolean {
  if (amounts.debt < 0n && debt > before.debt) return true;
  if (amounts.collateral <= 0n || amounts.debt !== 0n) return false;
  return (debt * RATIO_ONE) / collateral > (before.debt * RATIO_ONE) / before.collateral;
}

/** Why an operation would leave a position that the oracle's price does not allow. */
export type SafetyRefusal =
  | {
      readonly error: 'VaultPositionAboveCF' | 'VaultPositionAboveLiquidationThreshold';
      readonly tick: number;
      readonly highest: number;
    }
  | { readonly error: 'VaultInvalidOraclePrice'; readonly rate: bigint };

/**
 * Checks a predicted position against the oracle's rates, as the program does: with the collateral factor when the
 * operation borrows or withdraws, and otherwise with the liquidation threshold. A position without debt is safe.
 *
 * @returns Null when the position is allowed.
 */
export function checkSafety(
  context: OperateContext,
  outcome: OperateOutcome,
  rates: OracleRates,
): SafetyRefusal | null {
  if (outcome.tick === NO_TICK) return null;
  const { config, prices } = context;
  const takes = outcome.moved.collateral < 0n || outcome.moved.debt > 0n;
  const rate = takes ? rates.operate : rates.liquidate;
  const factor = takes ? config.collateralFactor : config.liquidationThreshold;
  const highest = highestSafeTick(rate, factor, prices);
  if (highest === null) return { error: 'VaultInvalidOraclePrice', rate };
  if (outcome.tick <= highest) return null;
  const error = takes ? 'VaultPositionAboveCF' : 'VaultPositionAboveLiquidationThreshold';
  return { error, tick: outcome.tick, highest };
}
