import { divideUp } from '../../../solana/units.ts';
import { WHOLE } from '../lending-base/amounts.ts';

/** A possible liquidation. Amounts are atoms. */
export interface LiquidationCandidate {
  /** The debt that the liquidator pays back for the borrowers. */
  readonly debt: bigint;
  /** The collateral that the liquidator receives. */
  readonly collateral: bigint;
  /** The minimum proceeds of selling the collateral, in atoms of the debt's token. */
  readonly proceeds: bigint;
}

export interface LiquidationCosts {
  /** The fee of the flash loan of the debt, in basis points. */
  readonly flashFee: bigint;
  /** The cost of the transaction, in atoms of the debt's token. */
  readonly transaction: bigint;
}

/**
 * Computes the liquidator's profit in atoms of the debt's token: the proceeds less the loan, its fee, which is rounded
 * up, and the cost of the transaction. Negative for a loss.
 *
 * @example
 * ```ts
 * import { computeLiquidationProfit } from './choose.ts';
 *
 * const offer = { debt: 1_000_000_000n, collateral: 5_050_000_000n, proceeds: 1_009_000_000n };
 * computeLiquidationProfit(offer, { flashFee: 5n, transaction: 2_000n }); // 8_498_000n
 * ```
 */
export function computeLiquidationProfit(
  { debt, proceeds }: LiquidationCandidate,
  { flashFee, transaction }: LiquidationCosts,
): bigint {
  return proceeds - debt - divideUp(debt * flashFee, WHOLE) - transaction;
}

/**
 * Selects the profitable offers, best first. A smaller one may land where the best one cannot, for example because the
 * vault's withdrawal limit covers only a part of the collateral.
 *
 * @param least - The minimum profit that is worth a transaction.
 */
export function selectOffersThatPay<Offer extends LiquidationCandidate>(
  offers: readonly Offer[],
  costs: LiquidationCosts,
  least: bigint,
): readonly Offer[] {
  return offers
    .map((offer) => ({ offer, profit: computeLiquidationProfit(offer, costs) }))
    .filter(({ profit }) => profit >= least)
    .sort((one, other) => (one.profit < other.profit ? 1 : one.profit > other.profit ? -1 : 0))
    .map(({ offer }) => offer);
}

/**
 * Returns the amounts of debt for which to request quotes: all of it, then smaller and smaller parts. All debt is
 * liquidated at the same price, while each further atom of collateral sells for less, so the profit rises to one peak
 * and then falls.
 *
 * @param most - The debt that can be liquidated, in atoms.
 * @param least - Below this nothing is worth a transaction.
 */
export function listSizesToTry(most: bigint, least: bigint): readonly bigint[] {
  const sizes: bigint[] = [];
  for (let size = most; size >= least && size > 0n && sizes.length < MAX_SIZES; size = (size * 2n) / 3n) {
    sizes.push(size);
  }
  return sizes;
}

const MAX_SIZES = 16;

/** A `col_per_unit_debt` of 1.0. */
const COLLATERAL_PER_DEBT_ONE = 10n ** 15n;

/**
 * Computes the minimum collateral per debt, below which a liquidation fails.
 *
 * @param expected - Amounts in vault units, which have nine decimals for every token.
 * @param toleranceBps - The accepted shortfall in basis points.
 * @returns Collateral per unit of debt with 15 decimals, rounded down.
 */
export function computeMinimumCollateralPerDebt(
  { debt, collateral }: { readonly debt: bigint; readonly collateral: bigint },
  toleranceBps: bigint,
): bigint {
  return (collateral * COLLATERAL_PER_DEBT_ONE * (WHOLE - toleranceBps)) / (debt * WHOLE);
}
