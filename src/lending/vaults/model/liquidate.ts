import { divideRoundedUp, rawOf, worth, worthRoundedUp } from '../../amounts.ts';
import { absorbAbove, type RawAmounts } from './absorb.ts';
import type { VaultPrices } from './exchange-prices.ts';
import type { Branch, Tick, VaultConfig, VaultState } from '../layouts.ts';
import { isDone, type LiquidationBounds, liquidationBounds, walkDown } from './liquidation-walk.ts';
import { minimumBranchDebt, minimumDebt, NO_TICK, scaled, unscaled } from './limits.ts';
import type { OperateReader } from '../operate-accounts.ts';
import { RATE_ONE } from './safety.ts';
import { VaultDraft } from '../vault-draft.ts';

/** What a prediction of a liquidation is made from. */
export interface LiquidationContext {
  readonly state: VaultState;
  readonly config: Pick<VaultConfig, 'liquidationThreshold' | 'liquidationMaxLimit' | 'liquidationPenalty'>;
  /** Of the second in which the liquidation lands. */
  readonly prices: Pick<VaultPrices, 'supply' | 'borrow'>;
  /** The oracle's rate for liquidations: 10^15 is 1.0. */
  readonly rate: bigint;
  readonly supplyDecimals: number;
  readonly borrowDecimals: number;
  readonly read: OperateReader;
}

/** What a liquidator asks for. */
export interface LiquidationOffer {
  /** The most debt to pay back, in atoms; 0 only absorbs. */
  readonly debt: bigint;
  /** The least collateral for an atom of debt, in atoms: 10^15 is 1.0. */
  readonly collateralPerDebt: bigint;
  /** Whether to take absorbed debt first. */
  readonly absorb: boolean;
}

/** The name of the program's error. */
export type LiquidationRefusal =
  | 'VaultTopTickDoesNotExist'
  | 'VaultInvalidOraclePrice'
  | 'VaultInvalidLiquidationAmt'
  | 'VaultInvalidLiquidation'
  | 'VaultLiquidationReverts'
  | 'VaultBranchDebtTooLow'
  | 'VaultExcessSlippageLiquidation'
  | 'RatioOutOfRange'
  | 'TotalTooLow';

/** What changes hands, in atoms, and the accounts of the vault that change. */
export interface LiquidationOutcome {
  readonly ok: true;
  readonly debt: bigint;
  readonly collateral: bigint;
  readonly absorbed: RawAmounts | null;
  readonly state: VaultState;
  readonly branches: ReadonlyMap<number, Branch>;
  readonly ticks: ReadonlyMap<number, Tick>;
}

export type LiquidationResult =
  | LiquidationOutcome
  | { readonly ok: false; readonly error: LiquidationRefusal };

/** By how many units the rounded debt may exceed what was offered. */
const MAX_ROUNDING = 100n;
/** At least this part of all debt must be offered. */
const LEAST_PART = 1_000_000_000n;

/**
 * Predicts a liquidation, to the atom: what the liquidator pays and gets, and what becomes of ticks and branches.
 *
 * @throws VaultAccountMissing when `read` lacks a tick or a branch on the way.
 *
 * @example
 * ```ts
 * import { type LiquidationContext, predictLiquidation } from './liquidate.ts';
 *
 * export function collateralFor(context: LiquidationContext, debt: bigint): bigint | null {
 *   const result = predictLiquidation(context, { debt, collateralPerDebt: 0n, absorb: false });
 *   return result.ok ? result.collateral : null;
 * }
 * ```
 */
export function predictLiquidation(context: LiquidationContext, offer: LiquidationOffer): LiquidationResult {
  const vault = new VaultDraft(context.state, context.read);
  if (vault.state.topmostTick === NO_TICK) return refused('VaultTopTickDoesNotExist');
  const bounds = liquidationBounds(context.config, context.prices, context.rate);
  if (typeof bounds === 'string') return refused(bounds);
  const absorbed = vault.state.topmostTick > bounds.maxTick ? absorbAbove(vault, bounds.maxTick) : null;
  if (absorbed !== null && offer.debt === 0n) return outcomeOf(vault, { debt: 0n, collateral: 0n }, absorbed);
  const taken = take(vault, bounds, context, offer);
  if (typeof taken === 'string') return refused(taken);
  const moved = priced(taken, context, offer);
  if (moved === null) return refused('VaultInvalidLiquidation');
  if ((moved.collateral * RATE_ONE) / moved.debt < offer.collateralPerDebt) {
    return refused('VaultExcessSlippageLiquidation');
  }
  const { totalSupply, totalBorrow } = vault.state;
  if (totalSupply < taken.collateral || totalBorrow < taken.debt) return refused('TotalTooLow');
  vault.setState({ totalSupply: totalSupply - taken.collateral, totalBorrow: totalBorrow - taken.debt });
  return outcomeOf(vault, moved, absorbed);
}

function refused(error: LiquidationRefusal): LiquidationResult {
  return { ok: false, error };
}

function outcomeOf(vault: VaultDraft, moved: RawAmounts, absorbed: RawAmounts | null): LiquidationOutcome {
  const { state, branches, ticks } = vault;
  const { debt, collateral } = moved;
  return { ok: true, debt, collateral, absorbed, state, branches, ticks };
}

/** Raw debt and collateral: of what was absorbed, if asked for, and of the positions above the threshold. */
function take(
  vault: VaultDraft,
  bounds: LiquidationBounds,
  context: LiquidationContext,
  offer: LiquidationOffer,
): RawAmounts | LiquidationRefusal {
  const { borrowDecimals, prices } = context;
  const offered = scaled(offer.debt, borrowDecimals);
  const raw = rawOf(offered, prices.borrow);
  const tooSmall = offered < minimumDebt(borrowDecimals) || vault.state.totalBorrow / LEAST_PART > raw;
  if (tooSmall) return 'VaultInvalidLiquidationAmt';
  const first = offer.absorb ? takeAbsorbed(vault, raw) : { debt: 0n, collateral: 0n };
  const remaining = raw - first.debt;
  if (vault.state.topmostTick <= bounds.liquidationTick || remaining === 0n) return first;
  if (isDone(vault, bounds)) return 'VaultInvalidLiquidation';
  const walked = walkDown(vault, bounds, remaining, minimumBranchDebt(borrowDecimals));
  if (typeof walked === 'string') return walked;
  return { debt: first.debt + walked.debt, collateral: first.collateral + walked.collateral };
}

function takeAbsorbed(vault: VaultDraft, raw: bigint): RawAmounts {
  const { absorbedDebtAmount, absorbedColAmount } = vault.state;
  const all = absorbedDebtAmount <= raw;
  const debt = all ? absorbedDebtAmount : raw;
  const collateral = all ? absorbedColAmount : (absorbedColAmount * raw) / absorbedDebtAmount;
  vault.setState({
    absorbedDebtAmount: absorbedDebtAmount - debt,
    absorbedColAmount: absorbedColAmount - collateral,
  });
  return { debt, collateral };
}

/** Returns atoms, the debt rounded up; null when nothing was taken, or more than a rounding above the offer. */
function priced(taken: RawAmounts, context: LiquidationContext, offer: LiquidationOffer): RawAmounts | null {
  const { prices, supplyDecimals, borrowDecimals } = context;
  const offered = scaled(offer.debt, borrowDecimals);
  let debt = worthRoundedUp(taken.debt, prices.borrow);
  let collateral = worth(taken.collateral, prices.supply);
  if (debt > offered) {
    if (debt - offered > MAX_ROUNDING) return null;
    collateral = (collateral * offered) / debt;
    debt = offered;
  }
  if (debt === 0n) return null;
  const unit = scaled(1n, borrowDecimals);
  return { debt: divideRoundedUp(debt, unit), collateral: unscaled(collateral, supplyDecimals) };
}
