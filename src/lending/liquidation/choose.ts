import { divideRoundedUp, WHOLE } from '../amounts.ts';

/** What a liquidation of one size would move, in atoms. */
export interface LiquidationOffer {
  /** Of the debt's token, which the liquidator pays back for the borrowers. */
  readonly debt: bigint;
  /** Of the collateral's token, which the liquidator gets. */
  readonly collateral: bigint;
  /** What the collateral sells for, in atoms of the debt's token, at least. */
  readonly proceeds: bigint;
}

export interface LiquidationCosts {
  /** Of the flash loan of the debt, of 10,000. */
  readonly flashFee: bigint;
  /** What the transaction costs, in atoms of the debt's token. */
  readonly transaction: bigint;
}

/**
 * Computes what the liquidator has left of the proceeds, in atoms of the debt's token, once the loan and its fee are paid
 * back and the transaction is paid. Negative for a loss. The fee is rounded up.
 *
 * @example
 * ```ts
 * import { profitOf } from './choose.ts';
 *
 * const offer = { debt: 1_000_000_000n, collateral: 5_050_000_000n, proceeds: 1_009_000_000n };
 * profitOf(offer, { flashFee: 5n, transaction: 2_000n }); // 8_498_000n
 * ```
 */
export function profitOf(
  { debt, proceeds }: LiquidationOffer,
  { flashFee, transaction }: LiquidationCosts,
): bigint {
  return proceeds - debt - divideRoundedUp(debt * flashFee, WHOLE) - transaction;
}

/**
 * Picks the offers that pay, the best first. A smaller one may do where the best one cannot land: the vault's limit of
 * withdrawals, for instance, may let out only a part of the collateral.
 *
 * @param least - The least profit that is worth a transaction.
 */
export function offersThatPay<Offer extends LiquidationOffer>(
  offers: readonly Offer[],
  costs: LiquidationCosts,
  least: bigint,
): readonly Offer[] {
  return offers
    .map((offer) => ({ offer, profit: profitOf(offer, costs) }))
    .filter(({ profit }) => profit >= least)
    .sort((one, other) => (one.profit < other.profit ? 1 : one.profit > other.profit ? -1 : 0))
    .map(({ offer }) => offer);
}

/**
 * The amounts of debt for which it is worth asking what the collateral sells for: all of it, then ever smaller parts. All
 * debt is liquidated at the same price, while each further atom of collateral sells for less, so profit rises to one
 * peak and then falls.
 *
 * @param most - What can be liquidated, in atoms.
 * @param least - Below this nothing is worth a transaction.
 */
export function sizesToTry(most: bigint, least: bigint): readonly bigint[] {
  const sizes: bigint[] = [];
  for (let size = most; size >= least && size > 0n && sizes.length < MAX_SIZES; size = (size * 2n) / 3n) {
    sizes.push(size);
  }
  return sizes;
}

const MAX_SIZES = 16;

/** 1.0 of `col_per_unit_debt`. */
const COLLATERAL_PER_DEBT_ONE = 10n ** 15n;

/**
 * Computes the bound with which a liquidation refuses to pay less collateral than was expected.
 *
 * @param expected - Amounts in vault units, which have nine decimals for every token.
 * @param toleranceBps - How much less is accepted, of 10,000.
 * @returns Collateral per unit of debt with 15 decimals, rounded down.
 */
export function leastCollateralPerDebt(
  { debt, collateral }: { readonly debt: bigint; readonly collateral: bigint },
  toleranceBps: bigint,
): bigint {
  return (collateral * COLLATERAL_PER_DEBT_ONE * (WHOLE - toleranceBps)) / (debt * WHOLE);
}
