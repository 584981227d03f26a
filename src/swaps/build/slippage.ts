import { computePriceImpact } from '../../market/prices/price-impact.ts';
import type { Route } from '../../market/router/index.ts';
import type { Address } from '../../solana/address.ts';
import { type Bps, bps } from '../../solana/units.ts';
import type { Chain } from '../../chain/chain.ts';

/** Every swap may be preceded by some other trade. */
const FLOOR_BPS = 20;
/** Each further pool is one more that other trades can move. */
const PER_FURTHER_POOL_BPS = 5;
const CEILING_BPS = 300;
/** From the quote to the block: about three seconds to sign and land. */
const LANDING_SLOTS = 8;
/** The 99th percentile of a normal distribution. */
const DEVIATIONS = 2.33;

export interface SlippageGrounds {
  /** Price impact of the swap itself, as a decimal; 0.01 is one percent. */
  readonly priceImpact: number;
  readonly pools: number;
  /** Variance of the logarithm of the route's price, per slot. */
  readonly variancePerSlot: number;
}

/**
 * Estimates the slippage of a swap that leaves it to the service: a floor, an amount for each further pool, the
 * swap's own price impact (another trade of half its size that lands first costs it as much), and how far the price
 * moves while a transaction lands. At most 3 %, because the whole slippage can be extracted from the swap.
 */
export function computeAutomaticSlippage({
  priceImpact: impact,
  pools,
  variancePerSlot,
}: SlippageGrounds): Bps {
  const depth = Math.max(0, impact) * 10_000;
  const moves = DEVIATIONS * Math.sqrt(variancePerSlot * LANDING_SLOTS) * 10_000;
  const wanted = FLOOR_BPS + PER_FURTHER_POOL_BPS * Math.max(0, pools - 1) + depth + moves;
  return bps(Math.ceil(Math.min(CEILING_BPS, wanted)));
}

export interface SlippageDependencies {
  readonly chain: Pick<Chain, 'clock'>;
  /** Recent variance of the logarithm of a pool's price, per slot. */
  readonly variancePerSlot: (pool: Address) => number;
  /** Called with every slippage that is estimated, and with its grounds. */
  readonly noteSlippage: (estimated: SlippageGrounds & { readonly bps: Bps }) => void;
}

/** Estimates the slippage of a route from the current state of the pools. */
export function estimateSlippage(
  { chain, variancePerSlot, noteSlippage }: SlippageDependencies,
  route: Route,
): Bps {
  const grounds: SlippageGrounds = {
    priceImpact: Number(computePriceImpact(route, chain.clock())),
    pools: route.legs.length,
    variancePerSlot: computeRouteVariance(route, variancePerSlot),
  };
  const estimated = computeAutomaticSlippage(grounds);
  noteSlippage({ ...grounds, bps: estimated });
  return estimated;
}

/**
 * The variance of a route's price. Pools that share the amount of one mint move together, so their deviations are
 * summed by share; consecutive mints move independently, so their variances are summed.
 */
export function computeRouteVariance(
  { legs }: Pick<Route, 'legs'>,
  variancePerSlot: (pool: Address) => number,
): number {
  const flows = new Map<number, number>([[0, 1]]);
  const deviations = new Map<number, number>();
  for (const { handle, bps: share, inputIndex, outputIndex } of legs) {
    const flow = ((flows.get(inputIndex) ?? 0) * share) / 10_000;
    flows.set(outputIndex, (flows.get(outputIndex) ?? 0) + flow);
    const deviation = flow * Math.sqrt(variancePerSlot(handle.pool.address));
    deviations.set(inputIndex, (deviations.get(inputIndex) ?? 0) + deviation);
  }
  return [...deviations.values()].reduce((sum, deviation) => sum + deviation * deviation, 0);
}
