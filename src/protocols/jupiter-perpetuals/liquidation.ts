import type { Custody, PerpetualPosition } from './layout.ts';

// The arithmetic of the program's authors (public examples of `jup-ag`), with dollars as integers with six decimals.

const BPS = 10_000n;
const HUNDRED_THOUSAND = 100_000n;
const RATE = 1_000_000_000n;
const HOURS_PER_YEAR = 24n * 365n;
const SECONDS_PER_HOUR = 3_600n;

/**
 * Computes the cost of closing a position now: the fee of the trade, and the interest since the position last paid.
 *
 * @param now - Unix seconds.
 * @returns Dollars with six decimals.
 */
export function computeClosingFees(
  position: PerpetualPosition,
  custody: Custody,
  collateral: Custody,
  now: bigint,
): bigint {
  return (
    tradeFee(custody.decreasePositionBps, position.sizeUsd, custody.tradeImpactFeeScalar) +
    interestOwed(position, collateral, now)
  );
}

/**
 * Computes the price at which the rest of the collateral no longer covers the maximum loss that the program allows.
 *
 * Returns dollars with six decimals; 0 for a position without size.
 */
export function computeLiquidationPrice(position: PerpetualPosition, custody: Custody, fees: bigint): bigint {
  const { sizeUsd, price, collateralUsd, side } = position;
  if (sizeUsd === 0n || custody.maxLeverage === 0n) return 0n;
  const maxLoss = (sizeUsd * BPS) / custody.maxLeverage + fees;
  const isOverdue = maxLoss > collateralUsd;
  const distance = isOverdue ? maxLoss - collateralUsd : collateralUsd - maxLoss;
  const change = (distance * price) / sizeUsd;
  const liquidation = (side === 'long') === isOverdue ? price + change : price - change;
  // A position with more collateral than size is never liquidated, whatever the price.
  return liquidation > 0n ? liquidation : 0n;
}

function tradeFee(baseBps: bigint, amount: bigint, scalar: bigint): bigint {
  const impact = scalar === 0n ? 0n : (amount * BPS + scalar - 1n) / scalar;
  return (amount * (impact + baseBps)) / BPS;
}

function interestOwed(
  { sizeUsd, interestSnapshot }: PerpetualPosition,
  collateral: Custody,
  now: bigint,
): bigint {
  const grown = cumulativeInterest(collateral, now) - interestSnapshot;
  return ceilDiv(grown * sizeUsd, RATE);
}

function cumulativeInterest(custody: Custody, now: bigint): bigint {
  const { cumulativeInterest: known, interestUpdatedAt, owned } = custody;
  if (now <= interestUpdatedAt || owned === 0n) return known;
  const hourly = computeHourlyInterest(custody, custody.hourlyRate);
  return known + ceilDiv(hourly * (now - interestUpdatedAt), SECONDS_PER_HOUR);
}

/**
 * Computes the interest on tokens that are borrowed from a custody, at its current utilisation by positions and loans.
 *
 * @param rate - The custody's hourly rate for positions or for loans, in hundred-thousandths. The jump rate may replace it.
 * @returns Billionths an hour; 0 for a custody without tokens.
 */
export function computeHourlyInterest(custody: Custody, rate: bigint): bigint {
  const { hourlyRate, jumpRate } = custody;
  const lent = computeLoanPrincipal(custody.loans);
  const [owned, locked] = [custody.owned + lent, custody.locked + lent];
  if (owned === 0n) return 0n;
  if (hourlyRate !== 0n) return ceilDiv(locked * ((rate * RATE) / HUNDRED_THOUSAND), owned);
  const { min, max, target, targetUse } = jumpRate;
  const use = (locked * RATE) / owned;
  if (use <= targetUse || targetUse >= RATE) {
    const rise = targetUse === 0n ? 0n : ceilDiv((target - min) * use, targetUse);
    return ((rise + min) * RATE) / BPS / HOURS_PER_YEAR;
  }
  const rise = ceilDiv((max - target) * (use - targetUse), RATE - targetUse);
  return ((rise + target) * RATE) / BPS / HOURS_PER_YEAR;
}

/** Returns the principal of all loans in atoms, rounded up. */
function computeLoanPrincipal({ debt, interest }: Custody['loans']): bigint {
  return debt > interest ? ceilDiv(debt - interest, RATE) : 0n;
}

/** Divides by a positive number and rounds up. A dividend that is not positive counts as 0. */
export function ceilDiv(dividend: bigint, divisor: bigint): bigint {
  return dividend > 0n ? (dividend + divisor - 1n) / divisor : 0n;
}
