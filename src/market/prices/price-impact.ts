import type { ChainClock } from '../../chain/chain.ts';
import type { TransferFee, TransferFeeConfig } from '../../solana/programs/token/transfer-fee.ts';
import { type Leg, quotePayout, type Route } from '../router/index.ts';

/** How much smaller the probe is than the swap. The probe should be too small to move the price. */
const PROBE_DIVISORS = [10_000n, 1_000n, 100n, 10n] as const;
/** With fewer output atoms, the rounding of the probe would outweigh what it measures. */
const PROBE_MIN_OUT = 10_000n;
const DECIMALS = 18;
const ONE = 10n ** BigInt(DECIMALS);

/**
 * Computes the share of the price that is lost to the size of the swap, by comparing its output with that of a far
 * smaller amount over the same route. Fees affect both and cancel out. For that, maximum fees of transfers are divided like
 * the amount.
 *
 * Returns a decimal text such as "0.0123"; "0" if the swap is too small to tell.
 *
 * @example
 * ```ts
 * import type { Route } from '../router/index.ts';
 * import { computePriceImpact } from './price-impact.ts';
 *
 * // Whether the size of a swap costs more than one percent of its price.
 * function isExpensive(route: Route): boolean {
 *   const clock = { slot: 1n, epoch: 0n, unixTimestamp: 1_800_000_000n };
 *   return Number(computePriceImpact(route, clock)) > 0.01;
 * }
 * ```
 */
export function computePriceImpact(route: Route, clock: ChainClock): string {
  for (const divisor of PROBE_DIVISORS) {
    const probeIn = route.inAmount / divisor;
    const probeOut = probeIn === 0n ? null : quotePayout(legsFor(route.legs, divisor), probeIn, clock);
    if (probeOut === null || probeOut < PROBE_MIN_OUT) continue;
    const kept = (route.outAmount * probeIn * ONE) / (route.inAmount * probeOut);
    return decimal(kept >= ONE ? 0n : ONE - kept);
  }
  return '0';
}

/** Returns the legs with the maximum fees of transfers divided by `divisor`. */
function legsFor(legs: readonly Leg[], divisor: bigint): readonly Leg[] {
  const scaled = (fee: TransferFee) => ({ ...fee, maximumFee: fee.maximumFee / divisor });
  const scaledFees = (config: TransferFeeConfig | null) =>
    config === null ? null : { ...config, older: scaled(config.older), newer: scaled(config.newer) };
  return legs.map((leg) => {
    const { venue, pool } = leg.handle;
    const [one = null, other = null] = pool.transferFees ?? [];
    if (one === null && other === null) return leg;
    return {
      ...leg,
      handle: { venue, pool: { ...pool, transferFees: [scaledFees(one), scaledFees(other)] as const } },
    };
  });
}

function decimal(scaled: bigint): string {
  if (scaled === 0n) return '0';
  const fraction = (scaled % ONE).toString().padStart(DECIMALS, '0').replace(/0+$/, '');
  const whole = (scaled / ONE).toString();
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
