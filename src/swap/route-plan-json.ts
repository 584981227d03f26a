import type { Pools } from '../market/pools.ts';
import { dollarsPerAtom } from '../market/prices.ts';
import type { Route } from '../market/router/index.ts';
import type { Address } from '../solana/address.ts';
import type { RoutePlanStepJson } from './schema.ts';

/** The form in which both swap endpoints write a route; what a step takes in dollars is left out where no pool tells. */
export function routePlanJson(pools: Pools, route: Route): RoutePlanStepJson[] {
  const prices = new Map<Address, number | null>();
  return route.legs.map(({ market, inputMint, outputMint, quote, bps }) => {
    if (!prices.has(inputMint)) prices.set(inputMint, dollarsPerAtom(pools, inputMint));
    const price = prices.get(inputMint) ?? null;
    return {
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
      ...(price === null ? {} : { usdValue: price * Number(quote.inAmount) }),
    };
  });
}
