import { U64_MAX, divideUp } from '../../../../solana/units.ts';
import {
  toRawAmount,
  toRawAmountRoundedUp,
  WHOLE,
  toAtoms,
  toAtomsRoundedUp,
} from '../../lending-base/amounts.ts';
import type { VaultPrices } from './exchange-prices.ts';
import type { VaultConfig } from '../state/layouts.ts';
import {
  MAX_OPERATE_AMOUNT,
  MIN_I128,
  getMinimumDebt,
  getMinimumOperateAmount,
  NO_TICK,
  toVaultUnits,
  toTokenAtoms,
} from '../state/limits.ts';
import type { PositionState } from '../state/position-state.ts';
import { computeHighestSafeTick, type OracleRates } from './safety.ts';
import { RATIO_ONE, TICK_STEP, TICK_STEP_ONE, findTickAtRatio } from '../state/ticks.ts';

/**
 * The amounts of an operation, in atoms. Positive amounts are deposited or borrowed, and negative ones are withdrawn or
 * paid back. `MIN_I128` withdraws or pays back everything.
 */
export interface OperateAmounts {
  readonly collateral: bigint;
  readonly debt: bigint;
}

/** The state from which an operation is predicted. */
export interface OperateContext {
  readonly position: PositionState;
  readonly config: Pick<VaultConfig, 'borrowFee' | 'collateralFactor' | 'liquidationThreshold'>;
  readonly prices: VaultPrices;
  readonly supplyDecimals: number;
  readonly borrowDecimals: number;
}

/** A position after an operation, with raw amounts, and the amounts that move. */
export interface OperateOutcome {
  readonly collateral: bigint;
  readonly recordedDebt: bigint;
  readonly dust: bigint;
  readonly debt: bigint;
  /** `NO_TICK` without debt. */
  readonly tick: number;
  /** The atoms that move between the signer and the liquidity program, with the signs of the arguments. */
  readonly moved: OperateAmounts;
}

/** The name of the program's error, with the numbers that caused it. */
export type OperateRefusal =
  | {
      readonly error: 'VaultInvalidOperateAmount';
      readonly side: OperateSide;
      readonly minimum: bigint;
      readonly amount: bigint;
    }
  | { readonly error: 'VaultExcessCollateralWithdrawal'; readonly available: bigint }
  | { readonly error: 'VaultExcessDebtPayback'; readonly owed: bigint }
  | { readonly error: 'VaultUserCollateralDebtExceed'; readonly side: OperateSide }
  /** `debt` and `minimum` are raw. */
  | { readonly error: 'VaultUserDebtTooLow'; readonly debt: bigint; readonly minimum: bigint }
  /** `tick` is the tick that the position would have. */
  | { readonly error: 'VaultInvalidPaybackOrDeposit'; readonly tick: number }
  /**
   * A withdrawal of everything from a position without collateral. The program has no error for it: after rounding, it
   * is a tiny deposit, which does nothing, or which the liquidity program refuses as too small.
   */
  | { readonly error: 'NothingToWithdraw' }
  /**
   * Debt without collateral. The ratio would be a division by 0, for which the program returns an error of its library.
   */
  | { readonly error: 'NoCollateral' }
  /** The ratio of debt to collateral has no tick, for which the program returns an error of its library. */
  | { readonly error: 'RatioOutOfRange'; readonly ratio: bigint };

export type OperateSide = 'collateral' | 'debt';

export type OperateResult =
  | ({ readonly ok: true } & OperateOutcome)
  | ({ readonly ok: false } & OperateRefusal);

/** The divisor of the margin: each operation adds this part of the debt, and one unit, to the debt. */
const MARGIN_ONE = 1_000_000_000n;

/**
 * Predicts an operation of the vaults program, to the atom: the new position with its tick, and the amounts that move. It
 * makes the checks of the program in the same order, up to the one with the oracle's price: see `checkSafety`.
 *
 * @param context - The state. `prices` are those of the second in which the operation lands.
 *
 * @example
 * ```ts
 * import { type OperateContext, predictOperate } from './predict-operate.ts';
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
  const placed = placeOnTick(collateral.left, debt.left, getMinimumDebt(borrowDecimals));
  if ('error' in placed) return { ok: false, ...placed };
  if (raisesRisk(position, amounts, collateral.left, placed.debt)) {
    return { ok: false, error: 'VaultInvalidPaybackOrDeposit', tick: placed.tick };
  }
  return { ok: true, collateral: collateral.left, ...placed, moved };
}

/** The refusal of an amount that is invalid for every position. */
export type AmountRefusal = OperateRefusal & { readonly error: 'VaultInvalidOperateAmount' };

/**
 * Checks the size of each amount, as the program does before it checks the signer.
 *
 * Returns null when both are within bounds.
 */
export function checkAmounts(
  { supplyDecimals, borrowDecimals }: Pick<OperateContext, 'supplyDecimals' | 'borrowDecimals'>,
  { collateral, debt }: OperateAmounts,
): AmountRefusal | null {
  return (
    invalidAmount('collateral', collateral, supplyDecimals) ?? invalidAmount('debt', debt, borrowDecimals)
  );
}

function invalidAmount(side: OperateSide, amount: bigint, decimals: number): AmountRefusal | null {
  if (amount === 0n || amount === MIN_I128) return null;
  const size = amount < 0n ? -amount : amount;
  const minimum = getMinimumOperateAmount(decimals);
  if (size >= minimum && size <= MAX_OPERATE_AMOUNT) return null;
  return { error: 'VaultInvalidOperateAmount', side, minimum, amount };
}

/** Returns the refusal of an operation that would withdraw or pay back everything of nothing. */
function noEffect({ position }: OperateContext, amounts: OperateAmounts): OperateRefusal | null {
  const noCollateral =
    amounts.collateral === 0n || (amounts.collateral === MIN_I128 && position.collateral === 0n);
  const noDebt = amounts.debt === 0n || (amounts.debt === MIN_I128 && position.debt === 0n);
  if (!noCollateral || !noDebt) return null;
  if (amounts.collateral !== 0n) return { error: 'NothingToWithdraw' };
  return { error: 'VaultInvalidOperateAmount', side: 'debt', minimum: 0n, amount: 0n };
}

/** One side of the position after the operation, with its raw amount, and the atoms that move. */
interface OperateMove {
  readonly left: bigint;
  readonly moved: bigint;
}

function moveCollateral(context: OperateContext, amount: bigint): OperateMove | OperateRefusal {
  const { position, supplyDecimals: decimals, prices } = context;
  if (amount === MIN_I128) {
    const units = toAtoms(position.collateral, prices.supply) - 1n;
    return { left: 0n, moved: -toTokenAtoms(units, decimals) };
  }
  if (amount > 0n) {
    const left = position.collateral + toRawAmount(toVaultUnits(amount, decimals), prices.supply);
    if (left > U64_MAX) return { error: 'VaultUserCollateralDebtExceed', side: 'collateral' };
    return { left, moved: amount + 1n };
  }
  const left = position.collateral - toRawAmountRoundedUp(toVaultUnits(-amount, decimals), prices.supply);
  if (left >= 0n) return { left, moved: amount };
  const available = toTokenAtoms(toAtoms(position.collateral, prices.supply), decimals);
  return { error: 'VaultExcessCollateralWithdrawal', available };
}

function moveDebt(context: OperateContext, amount: bigint): OperateMove | OperateRefusal {
  const { position, borrowDecimals: decimals, prices, config } = context;
  const owed = toTokenAtoms(toAtomsRoundedUp(position.debt, prices.borrow), decimals);
  if (amount === MIN_I128) return { left: 0n, moved: owed === 0n ? 0n : -(owed + 1n) };
  if (amount === 0n) return { left: position.debt, moved: 0n };
  if (amount > 0n) {
    const raw = toRawAmountRoundedUp(toVaultUnits(amount, decimals), prices.borrow);
    const left = position.debt + raw + divideUp(raw * BigInt(config.borrowFee), WHOLE);
    if (left > U64_MAX) return { error: 'VaultUserCollateralDebtExceed', side: 'debt' };
    return { left, moved: amount };
  }
  const left = position.debt - (toRawAmount(toVaultUnits(-amount, decimals), prices.borrow) - 1n);
  return left < 0n ? { error: 'VaultExcessDebtPayback', owed } : { left, moved: amount - 1n };
}

/** A debt on its tick, with raw amounts. */
interface PlacedDebt {
  readonly recordedDebt: bigint;
  readonly dust: bigint;
  readonly debt: bigint;
  readonly tick: number;
}

/** Puts a debt on the tick above its ratio. The dust is the margin plus the excess of the tick's debt over the debt. */
function placeOnTick(collateral: bigint, debt: bigint, minimum: bigint): PlacedDebt | OperateRefusal {
  const withMargin = (debt * (MARGIN_ONE + 1n)) / MARGIN_ONE + 1n;
  if (withMargin < minimum) return { error: 'VaultUserDebtTooLow', debt, minimum };
  if (collateral === 0n) return { error: 'NoCollateral' };
  const ratio = (withMargin * RATIO_ONE) / collateral;
  const found = findTickAtRatio(ratio);
  if (found === null) return { error: 'RatioOutOfRange', ratio };
  const recordedDebt = (((found.ratio * TICK_STEP) / TICK_STEP_ONE) * collateral) >> 48n;
  const dust = recordedDebt - withMargin;
  if (dust < 0n) return { error: 'RatioOutOfRange', ratio };
  return { recordedDebt, dust, debt: withMargin, tick: found.tick + 1 };
}

/** Whether a repayment or a deposit makes the position riskier, for example by rounding. Any signer can make them. */
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

/** The reasons why a position is not allowed at the oracle's price. */
export type SafetyRefusal =
  | {
      readonly error: 'VaultPositionAboveCF' | 'VaultPositionAboveLiquidationThreshold';
      readonly tick: number;
      readonly highest: number;
    }
  | { readonly error: 'VaultInvalidOraclePrice'; readonly rate: bigint };

/**
 * Checks a predicted position against the oracle's rates, as the program does: with the collateral factor if the
 * operation borrows or withdraws, and otherwise with the liquidation threshold. A position without debt is always safe.
 *
 * Returns null when the position is allowed.
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
  const highest = computeHighestSafeTick(rate, factor, prices);
  if (highest === null) return { error: 'VaultInvalidOraclePrice', rate };
  if (outcome.tick <= highest) return null;
  const error = takes ? 'VaultPositionAboveCF' : 'VaultPositionAboveLiquidationThreshold';
  return { error, tick: outcome.tick, highest };
}
