import { formatPrice } from '../../../../base/format-price.ts';
import { formatShare } from '../../../../base/format-dollars.ts';
import { type BorrowPosition, type BorrowVault, ORACLE_PLACES } from './borrow.ts';
import { HEALTH_PRICE_PLACES, type LoanHealth } from './health.ts';

/** The state of a loan as a word, its explanation, and the tone of both. */
export interface HealthDescription {
  readonly word: string;
  readonly text: string;
  readonly tone: 'good' | 'warning' | 'danger' | 'plain';
}

/** A loan whose collateral may not fall by this share is near its liquidation. */
const NEAR = 100_000n;

/** Says how near a loan is to its liquidation. */
export function describeLoanHealth(
  { vault }: Pick<BorrowPosition, 'vault'>,
  health: LoanHealth,
): HealthDescription {
  const { state, ratio, liquidationPrice, distance } = health;
  const unit = `${vault.debt.symbol} for one ${vault.collateral.symbol}`;
  const owes =
    ratio === null ? 'Nothing secures its debt.' : `It owes ${formatShare(ratio)} of its collateral.`;
  const limit =
    liquidationPrice === null
      ? ''
      : ` It can be liquidated below ${formatPrice(liquidationPrice, HEALTH_PRICE_PLACES)} ${unit}`;
  const now = vault.price === null ? '' : ` from ${formatPrice(vault.price, ORACLE_PLACES)} now`;
  const fall = distance === null ? '.' : `, after a fall by ${formatShare(distance)}${now}.`;
  switch (state) {
    case 'free':
      return { word: 'no debt', text: 'It owes nothing, so it cannot be liquidated.', tone: 'good' };
    case 'unknown':
      return {
        word: 'unknown',
        text: `The vault's oracle has no usable price.${limit === '' ? '' : `${limit}.`}`,
        tone: 'plain',
      };
    case 'safe': {
      const isNear = distance !== null && distance < NEAR;
      return {
        word: isNear ? 'near liquidation' : 'healthy',
        text: owes + (limit === '' ? '' : limit + fall),
        tone: isNear ? 'warning' : 'good',
      };
    }
    case 'limited':
      return {
        word: 'near liquidation',
        text: `${owes} Only deposits and repayments are accepted.${limit === '' ? '' : limit + fall}`,
        tone: 'warning',
      };
    case 'liquidatable':
      return {
        word: 'can be liquidated',
        text: `${owes} Anybody may pay back a part of the debt now, for collateral of the same value and the penalty.`,
        tone: 'danger',
      };
    case 'absorbable':
      return {
        word: 'can be taken over',
        text: `${owes} It is beyond the last limit, so the vault may take it over whole.`,
        tone: 'danger',
      };
  }
}

/** Returns the limits of a vault as places on a bar from no debt to as much debt as collateral. */
export function listLimits({ collateralFactor, threshold, maxLimit }: BorrowVault): readonly {
  readonly at: number;
  readonly label: string;
  readonly kind: 'limit' | 'danger';
}[] {
  const limits = [
    [collateralFactor, 'most that can be borrowed', 'limit'],
    [threshold, 'liquidation', 'danger'],
    [maxLimit, 'takeover', 'danger'],
  ] as const;
  return limits.flatMap(([share, name, kind]) =>
    share === null ? [] : [{ at: Number(share) / 1_000_000, label: `${formatShare(share)} ${name}`, kind }],
  );
}
