import type { Route } from '../market/router/index.ts';
import type { RoutePlanStepJson } from './schema.ts';

/** The form in which every swap endpoint writes a route. */
export function routePlanJson(route: Route): RoutePlanStepJson[] {
  return route.legs.map(({ market, inputMint, outputMint, quote, bps }) => ({
    swapInfo: {
      ammKey: market.pool.address,
      label: market.venue.label,
      inputMint,
      outputMint,
      inAmount: quote.inAmount.toString(),
      outAmount: quote.outAmount.toString(),
    },
    percent: bps / 100,
    bps,
  }));
}
