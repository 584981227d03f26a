import { MICRO_PER_CONTRACT } from './exchange.ts';

const BPS = 10_000n;
/** Fees are rounded up to so many micro USD. */
const FEE_STEP = 10n;
const MICRO_PER_CENT = 10_000n;

/**
 * Returns the venue's fee of a fill in micro USD: `feeBps`/10,000 x contracts x p x (1 - p), rounded up to ten micro USD.
 *
 * @param feeBps - 0 to 10,000.
 * @param contracts - Micro-contracts.
 * @param price - Micro USD for one contract, of either side: the fee at p is that at 1 - p.
 *
 * @example
 * ```ts
 * import { computeVenueFee } from './venue-fee.ts';
 *
 * console.log(computeVenueFee(700, 12_270_000n, 370_000n)); // 200220n
 * ```
 */
export function computeVenueFee(feeBps: number, contracts: bigint, price: bigint): bigint {
  return computeRoundedUp(BigInt(feeBps) * contracts * price * (MICRO_PER_CONTRACT - price), FEE_STEP);
}

/**
 * Returns the fee that is told before a fill, as the published table has it: the same, rounded up to a cent.
 *
 * @param feeBps - 0 to 10,000.
 * @param contracts - Micro-contracts.
 * @param price - Micro USD for one contract, of either side.
 */
export function estimateVenueFee(feeBps: number, contracts: bigint, price: bigint): bigint {
  return computeRoundedUp(BigInt(feeBps) * contracts * price * (MICRO_PER_CONTRACT - price), MICRO_PER_CENT);
}

function computeRoundedUp(product: bigint, step: bigint): bigint {
  const divisor = BPS * MICRO_PER_CONTRACT * MICRO_PER_CONTRACT * step;
  return ((product + divisor - 1n) / divisor) * step;
}
