import { type BorrowPosition, ORACLE_PLACES } from './borrow.ts';

/** Digits behind the point of the price at which a position is liquidated. */
export const HEALTH_PRICE_PLACES = 15;

const MILLION = 1_000_000n;

/** How near a loan is to its liquidation. */
export interface LoanHealth {
  /**
   * `free`: nothing is owed. `safe`: the owner may borrow more. `limited`: only deposits and repayments are accepted.
   * `liquidatable`: anybody may liquidate it. `absorbable`: the vault may take it over. `unknown`: no price is usable.
   */
  readonly state: 'free' | 'safe' | 'limited' | 'liquidatable' | 'absorbable' | 'unknown';
  /** Debt per collateral in millionths. */
  readonly ratio: bigint | null;
  /** Whole debt tokens for one whole collateral token below which it can be liquidated, with `HEALTH_PRICE_PLACES`. */
  readonly liquidationPrice: bigint | null;
  /** By which share the price has to fall for that, in millionths; negative if it is below already. */
  readonly distance: bigint | null;
}

/** Computes how near a loan is to its liquidation, at the price that the vault's oracle has now. */
export function computeLoanHealth({ vault, supplied, borrowed }: BorrowPosition): LoanHealth {
  const { price, threshold, collateralFactor, maxLimit } = vault;
  if (borrowed <= 0n) return { state: 'free', ratio: 0n, liquidationPrice: null, distance: null };
  const liquidationPrice = computeLiquidationPrice({ vault, supplied, borrowed });
  if (price === null || threshold === null) {
    return { state: 'unknown', ratio: null, liquidationPrice, distance: null };
  }
  const distance = liquidationPrice === null ? null : MILLION - (liquidationPrice * MILLION) / price;
  const ratio = computeRatio({ vault, supplied, borrowed }, price);
  const isAbove = (limit: bigint | null) => limit !== null && (ratio === null || ratio > limit);
  const state = isAbove(maxLimit)
    ? 'absorbable'
    : isAbove(threshold)
      ? 'liquidatable'
      : isAbove(collateralFactor)
        ? 'limited'
        : 'safe';
  return { state, ratio, liquidationPrice, distance };
}

type LoanAmounts = Pick<BorrowPosition, 'vault' | 'supplied' | 'borrowed'>;

/** Rounded up, so that a position is never shown safer than it is; null if nothing secures the debt. */
function computeRatio({ vault, supplied, borrowed }: LoanAmounts, price: bigint): bigint | null {
  const secured = supplied * price * 10n ** BigInt(vault.debt.decimals);
  if (secured <= 0n) return null;
  const owed = borrowed * MILLION * 10n ** BigInt(vault.collateral.decimals + ORACLE_PLACES);
  return (owed + secured - 1n) / secured;
}

function computeLiquidationPrice({ vault, supplied, borrowed }: LoanAmounts): bigint | null {
  const { threshold, collateral, debt } = vault;
  if (threshold === null || threshold <= 0n || supplied <= 0n) return null;
  const owed = borrowed * MILLION * 10n ** BigInt(collateral.decimals + HEALTH_PRICE_PLACES);
  const secured = supplied * threshold * 10n ** BigInt(debt.decimals);
  return (owed + secured - 1n) / secured;
}
