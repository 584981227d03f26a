import { type Bps, divideUp, minimum, U64_MAX } from '../../solana/units.ts';

const WHOLE = 10_000n;

/**
 * The most that a swap for an exact output may take, the platform fee included: as in the program, the quoted input and
 * the slippage, rounded up. It is at most what an account can hold.
 */
export function computeMaximumInput(inAmount: bigint, slippageBps: Bps): bigint {
  return minimum(divideUp(inAmount * (WHOLE + BigInt(slippageBps)), WHOLE), U64_MAX);
}

/**
 * The platform fee that the program takes of the input in addition to what the steps took, rounded down: a share of both
 * together.
 *
 * @param feeBps - Below 10,000.
 */
export function computeInputFee(taken: bigint, feeBps: Bps): bigint {
  return (taken * BigInt(feeBps)) / (WHOLE - BigInt(feeBps));
}
