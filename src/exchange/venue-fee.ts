import { MICRO_PER_CONTRACT } from './exchange.ts';

const BPS = 10_000n;
/** Fees are rounded up to so many micro USD. */
const FEE_STEP = 10n;
const MICRO_PER_CENT = 10_000n;

/**
 * Returns the venue's fee of a fill in micro USD: `feeBps`/10,000 x contracts x p x (1 - p), rounded up to ten micro USD.
 *
 * @param feeBps - 0 to 10,000.
 * @param contracts - Micro-contracts, a multiple of `CONTRACT_STEP`.
 * @param price - Micro USD for one contract, of either side: the fee of p is that of 1 - p.
 *
 * @example
 * ```ts
 * import { computeVenueFee } from './venue-fee.ts';
 *
 * console.log(computeVenueFee(700, 12_270_000n, 370_000n)); // 200210n
 * ```
 */
export function computeVenueFee(feeBps: number, contracts: bigint, price: bigint): bigint {
  return roundUp(
    computeUnrounded(feeBps, contracts, price),
    BPS * MICRO_PER_CONTRACT * MICRO_PER_CONTRACT,
    FEE_STEP,
  );
}

/**
 * Returns the fee that is told before a fill, as the published table has it: the same, rounded up to a cent.
 *
 * @param feeBps - 0 to 10,000.
 * @param contracts - Micro-contracts.
 * @param price - Micro USD for one contract.
 */
export function estimateVenueFee(feeBps: number, contracts: bigint, price: bigint): bigint {
  return roundUp(
    computeUnrounded(feeBps, contracts, price),
    BPS * MICRO_PER_CONTRACT * MICRO_PER_CONTRACT,
    MICRO_PER_CENT,
  );
}

/** Returns the fee in micro USD, times the divisor that is left to do. */
function computeUnrounded(feeBps: number, contracts: bigint, price: bigint): bigint {
  return BigInt(feeBps) * contracts * price * (MICRO_PER_CONTRACT - price);
}

/** Returns `dividend / divisor`, rounded up to a multiple of `step`. */
function roundUp(dividend: bigint, divisor: bigint, step: bigint): bigint {
  const part = divisor * step;
  return ((dividend + part - 1n) / part) * step;
}
