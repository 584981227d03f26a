import { type Bps, U64_MAX } from '../../solana/units.ts';

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
  // The fee rounds down, so an atom less than the exact quotient may do.
  const exact = (net * WHOLE + kept - 1n) / kept;
  const less = exact - 1n;
  return less - (less * BigInt(feeBps)) / WHOLE >= net ? less : exact;
}
