import type { Custody, PerpetualPosition } from './layout.ts';

// The arithmetic of the program's authors (`jup-ag` public examples), on whole numbers with six decimals of dollars.

const BPS = 10_000n;
const HUNDRED_THOUSAND = 100_000n;
const RATE = 1_000_000_000n;
const HOURS_PER_YEAR = 24n * 365n;
const SECONDS_PER_HOUR = 3_600n;

/**
 * What closing a position costs now: the fee of the trade, and the interest that is owed since it last paid.
 *
 * @param now - Unix seconds.
 * @returns Dollars with six decimals.
 */
export function closingFees(
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
 * The price at which what is left of the collateral no longer covers the largest loss that the program allows.
 *
 * @returns Dollars with six decimals; 0 for a position without size.
 */
export function liquidationPrice(position: PerpetualPosition, custody: Custody, fees: bigint): bigint {
  const { sizeUsd, price, collateralUsd, side } = position;
  if (sizeUsd === 0n || custody.maxLeverage === 0n) return 0n;
  const maxLoss = (sizeUsd * BPS) / custody.maxLeverage + fees;
  const isOverdue = maxLoss > collateralUsd;
  const distance = isOverdue ? maxLoss - collateralUsd : collateralUsd - maxLoss;
  const change = (distance * price) / sizeUsd;
  const liquidation = (side === 'long') === isOverdue ? price + change : price - change;
  // A short position with more collateral than size is never liquidated by a price; neither is such a long one.
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
  return grown > 0n ? (grown * sizeUsd) / RATE : 0n;
}

function cumulativeInterest(custody: Custody, now: bigint): bigint {
  const { cumulativeInterest: known, interestUpdatedAt, owned } = custody;
  if (now <= interestUpdatedAt || owned === 0n) return known;
  return known + (hourlyInterest(custody) * (now - interestUpdatedAt)) / SECONDS_PER_HOUR;
}

/** Billionths an hour, at the share of the custody's tokens that positions use now. */
function hourlyInterest({ owned, locked, hourlyRate, jumpRate }: Custody): bigint {
  if (hourlyRate !== 0n) return (locked * ((hourlyRate * RATE) / HUNDRED_THOUSAND)) / owned;
  const { min, max, target, targetUse } = jumpRate;
  const use = (locked * RATE) / owned;
  if (use <= targetUse) {
    const rise = targetUse === 0n ? 0n : ((target - min) * use) / targetUse;
    return ((rise + min) * RATE) / BPS / HOURS_PER_YEAR;
  }
  const rise = ((max - target) * (use - targetUse)) / (RATE - targetUse);
  return ((rise + target) * RATE) / BPS / HOURS_PER_YEAR;
}
