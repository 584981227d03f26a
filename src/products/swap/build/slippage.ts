import { priceImpact } from '../../../market/prices/price-impact.ts';
import type { Route } from '../../../market/router/index.ts';
import type { Address } from '../../../solana/address.ts';
import { type Bps, bps } from '../../../solana/units.ts';
import type { BuildParts } from './build-parts.ts';

/** Every swap may see some other trade go first. */
const FLOOR_BPS = 20;
/** Each pool after the first is one more that others can move. */
const PER_FURTHER_POOL_BPS = 5;
const CEILING_BPS = 300;
/** From the quote to the block: some three seconds to sign and land. */
const LANDING_SLOTS = 8;
/** One in a hundred moves of a normal process is worse. */
const DEVIATIONS = 2.33;

export interface SlippageGrounds {
  /** Share of the price that the swap's own size costs, as a decimal; 0.01 is one percent. */
  readonly priceImpact: number;
  readonly pools: number;
  /** Variance of the logarithm of the route's price, per slot. */
  readonly variancePerSlot: number;
}

/**
 * The slippage for a swap whose author leaves it to the service. It adds up a floor, something for each further pool,
 * the swap's own price impact, since another trade of half its size that lands first costs it as much, and how far the
 * price moves while a transaction lands. Never above 3 %, because what may be lost can be taken.
 */
export function automaticSlippage({ priceImpact: impact, pools, variancePerSlot }: SlippageGrounds): Bps {
  const depth = Math.max(0, impact) * 10_000;
  const moves = DEVIATIONS * Math.sqrt(variancePerSlot * LANDING_SLOTS) * 10_000;
  const wanted = FLOOR_BPS + PER_FURTHER_POOL_BPS * Math.max(0, pools - 1) + depth + moves;
  return bps(Math.ceil(Math.min(CEILING_BPS, wanted)));
}

/** The grounds as a route over the present pools has them. */
export function slippageFor({ chain, variancePerSlot, noteSlippage }: BuildParts, route: Route): Bps {
  const grounds: SlippageGrounds = {
    priceImpact: Number(priceImpact(route, chain.clock())),
    pools: route.legs.length,
    variancePerSlot: routeVariance(route, variancePerSlot),
  };
  const estimated = automaticSlippage(grounds);
  noteSlippage({ ...grounds, bps: estimated });
  return estimated;
}

/**
 * Pools that one mint's amount is split over move together, so their deviations add up by share; mints one after
 * another move on their own, so their variances do.
 */
export function routeVariance(
  { legs }: Pick<Route, 'legs'>,
  variancePerSlot: (pool: Address) => number,
): number {
  const flows = new Map<number, number>([[0, 1]]);
  const deviations = new Map<number, number>();
  for (const { market, bps: share, inputIndex, outputIndex } of legs) {
    const flow = ((flows.get(inputIndex) ?? 0) * share) / 10_000;
    flows.set(outputIndex, (flows.get(outputIndex) ?? 0) + flow);
    const deviation = flow * Math.sqrt(variancePerSlot(market.pool.address));
    deviations.set(inputIndex, (deviations.get(inputIndex) ?? 0) + deviation);
  }
  return [...deviations.values()].reduce((sum, deviation) => sum + deviation * deviation, 0);
}
