import { type Bps, U64_MAX } from '../../../solana/units.ts';

const WHOLE = 10_000n;

/**
 * The most that a swap for an exact output may spend, rounded down, and at most what an account can hold. All of it
 * is spent, because an instruction for an exact input executes the swap; what the slippage leaves becomes output.
 */
export function mostInput(inAmount: bigint, slippageBps: Bps): bigint {
  const most = (inAmount * (WHOLE + BigInt(slippageBps))) / WHOLE;
  return most > U64_MAX ? U64_MAX : most;
}

/**
 * @returns the smallest amount of which `net` remains after the fee, rounded down, is taken; null when there is none
 */
export function beforeFee(net: bigint, feeBps: Bps): bigint | null {
  const kept = WHOLE - BigInt(feeBps);
  if (kept === 0n) return null;
  // What remains of g is ceil(g × kept / whole), so the smallest g is the first above (net − 1) × whole / kept.
  return ((net - 1n) * WHOLE) / kept + 1n;
}
