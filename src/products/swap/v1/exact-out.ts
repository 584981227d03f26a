import { type Bps, U64_MAX } from '../../../solana/units.ts';

const WHOLE = 10_000n;

/**
 * The most that a swap for an exact output may spend: rounded down, and no more than an account can hold. All of it is
 * spent, because the instructions for an exact input carry it out: what the slippage leaves becomes output.
 */
export function mostInput(inAmount: bigint, slippageBps: Bps): bigint {
  const most = (inAmount * (WHOLE + BigInt(slippageBps))) / WHOLE;
  return most > U64_MAX ? U64_MAX : most;
}

/** The least of which `net` is left when the fee, rounded down, is taken off; null when nothing ever is. */
export function beforeFee(net: bigint, feeBps: Bps): bigint | null {
  const kept = WHOLE - BigInt(feeBps);
  if (kept === 0n) return null;
  // What is left of g is ceil(g × kept / whole), so that the least is the first above (net − 1) × whole / kept.
  return ((net - 1n) * WHOLE) / kept + 1n;
}
