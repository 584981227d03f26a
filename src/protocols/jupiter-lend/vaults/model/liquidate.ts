import { divideUp } from '../../../../solana/units.ts';
import { toRawAmount, toAtoms, toAtomsRoundedUp } from '../../lending-base/amounts.ts';
import { absorbAbove, type RawAmounts } from './absorb.ts';
import type { VaultPrices } from './exchange-prices.ts';
import type { Branch, VaultTick, VaultConfig, VaultState } from '../state/layouts.ts';
import { type LiquidationBounds, computeLiquidationBounds } from './liquidation-bounds.ts';
import { isDone, walkDown } from './liquidation-walk.ts';
import {
  getMinimumBranchDebt,
  getMinimumDebt,
  NO_TICK,
  toVaultUnits,
  toTokenAtoms,
} from '../state/limits.ts';
import type { OperateReader } from '../state/operate-accounts.ts';
import { RATE_ONE } from './safety.ts';
import { VaultDraft } from '../state/vault-draft.ts';

/** The state from which a liquidation is predicted. */
export interface LiquidationContext {
  readonly state: VaultState;
  readonly config: Pick<VaultConfig, 'liquidationThreshold' | 'liquidationMaxLimit' | 'liquidationPenalty'>;
  /** The prices of the vault in the second in which the liquidation lands. */
  readonly prices: Pick<VaultPrices, 'supply' | 'borrow'>;
  /** The oracle's rate for liquidations, where 10^15 is 1.0. */
  readonly rate: bigint;
  readonly supplyDecimals: number;
  readonly borrowDecimals: number;
  readonly read: OperateReader;
}

/** The arguments of a liquidation. */
export interface LiquidationArguments {
  /** The maximum debt to pay back, in atoms. With 0, debt is only absorbed. */
  readonly debt: bigint;
  /** The minimum collateral per debt, both in atoms, where 10^15 is 1.0. */
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

/** The amounts that are exchanged, in atoms, and the accounts of the vault that change. */
export interface LiquidationOutcome {
  readonly ok: true;
  readonly debt: bigint;
  readonly collateral: bigint;
  readonly absorbed: RawAmounts | null;
  readonly state: VaultState;
  readonly branches: ReadonlyMap<number, Branch>;
  readonly ticks: ReadonlyMap<number, VaultTick>;
}

export type LiquidationPrediction =
  | LiquidationOutcome
  | { readonly ok: false; readonly error: LiquidationRefusal };

/** The maximum number of units by which the rounded debt may exceed the offer. */
const MAX_ROUNDING = 100n;
/** The divisor of all debt that yields the minimum offer. */
const MIN_OFFER_DIVISOR = 1_000_000_000n;

/**
 * Predicts a liquidation, to the atom: the amounts that the liquidator pays and receives, and the new ticks and branches.
 * It is a second implementation of the program, with which the tests of the program compare every liquidation. Sluice itself
 * does not predict liquidations.
 *
 * @throws VaultAccountMissing when `read` does not find a tick or a branch that is needed.
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
export function predictLiquidation(
  context: LiquidationContext,
  offer: LiquidationArguments,
): LiquidationPrediction {
  const vault = new VaultDraft(context.state, context.read);
  if (vault.state.topmostTick === NO_TICK) return refused('VaultTopTickDoesNotExist');
  const bounds = computeLiquidationBounds(context.config, context.prices, context.rate);
  if (typeof bounds === 'string') return refused(bounds);
  const absorbed = vault.state.topmostTick > bounds.maxTick ? absorbAbove(vault, bounds.maxTick) : null;
  if (absorbed !== null && offer.debt === 0n)
    return createLiquidationOutcome(vault, { debt: 0n, collateral: 0n }, absorbed);
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
  return createLiquidationOutcome(vault, moved, absorbed);
}

function refused(error: LiquidationRefusal): LiquidationPrediction {
  return { ok: false, error };
}

function createLiquidationOutcome(
  vault: VaultDraft,
  moved: RawAmounts,
  absorbed: RawAmounts | null,
): LiquidationOutcome {
  const { state, branches, ticks } = vault;
  const { debt, collateral } = moved;
  return { ok: true, debt, collateral, absorbed, state, branches, ticks };
}

/** Takes raw debt and collateral: from absorbed debt if requested, and from the positions above the threshold. */
function take(
  vault: VaultDraft,
  bounds: LiquidationBounds,
  context: LiquidationContext,
  offer: LiquidationArguments,
): RawAmounts | LiquidationRefusal {
  const { borrowDecimals, prices } = context;
  const offered = toVaultUnits(offer.debt, borrowDecimals);
  const raw = toRawAmount(offered, prices.borrow);
  const tooSmall =
    offered < getMinimumDebt(borrowDecimals) || vault.state.totalBorrow / MIN_OFFER_DIVISOR > raw;
  if (tooSmall) return 'VaultInvalidLiquidationAmt';
  const first = offer.absorb ? takeAbsorbed(vault, raw) : { debt: 0n, collateral: 0n };
  const remaining = raw - first.debt;
  if (vault.state.topmostTick <= bounds.liquidationTick || remaining === 0n) return first;
  if (isDone(vault, bounds)) return 'VaultInvalidLiquidation';
  const walked = walkDown(vault, bounds, remaining, getMinimumBranchDebt(borrowDecimals));
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

/**
 * Converts raw amounts to atoms, with the debt rounded up. Returns null when nothing was taken, or when the debt
 * exceeds the offer by more than a rounding error.
 */
function priced(
  taken: RawAmounts,
  context: LiquidationContext,
  offer: LiquidationArguments,
): RawAmounts | null {
  const { prices, supplyDecimals, borrowDecimals } = context;
  const offered = toVaultUnits(offer.debt, borrowDecimals);
  let debt = toAtomsRoundedUp(taken.debt, prices.borrow);
  let collateral = toAtoms(taken.collateral, prices.supply);
  if (debt > offered) {
    if (debt - offered > MAX_ROUNDING) return null;
    collateral = (collateral * offered) / debt;
    debt = offered;
  }
  if (debt === 0n) return null;
  const unit = toVaultUnits(1n, borrowDecimals);
  return { debt: divideUp(debt, unit), collateral: toTokenAtoms(collateral, supplyDecimals) };
}
