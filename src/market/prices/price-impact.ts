import type { ChainClock } from '../../chain/chain.ts';
import { payout, type Route } from '../router/index.ts';

/** How much smaller the probe is than the swap: small enough not to move the price itself. */
const PROBE_DIVISORS = [10_000n, 1_000n, 100n, 10n] as const;
/** Below so many output atoms the rounding of the probe would outweigh what it measures. */
const PROBE_MIN_OUT = 10_000n;
const DECIMALS = 18;
const ONE = 10n ** BigInt(DECIMALS);

/**
 * The share of the price that the size of the swap costs, as a decimal text such as "0.0123": the output against what
 * the same route pays per atom for a far smaller amount. Fees fall on both and cancel out.
 * "0" when the swap is too small to tell.
 */
export function priceImpact(route: Route, clock: ChainClock): string {
  for (const divisor of PROBE_DIVISORS) {
    const probeIn = route.inAmount / divisor;
    const probeOut = probeIn === 0n ? null : payout(route.legs, probeIn, clock);
    if (probeOut === null || probeOut < PROBE_MIN_OUT) continue;
    const kept = (route.outAmount * probeIn * ONE) / (route.inAmount * probeOut);
    return decimal(kept >= ONE ? 0n : ONE - kept);
  }
  return '0';
}

function decimal(scaled: bigint): string {
  if (scaled === 0n) return '0';
  const fraction = (scaled % ONE).toString().padStart(DECIMALS, '0').replace(/0+$/, '');
  const whole = (scaled / ONE).toString();
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
