import type { Pools } from '../market/pools.ts';
import { dollarsPerAtom } from '../market/prices.ts';
import type { Route } from '../market/router/index.ts';
import type { Address } from '../solana/address.ts';
import type { OrderStepJson, RoutePlanStepJson } from './schema.ts';

/** The form in which both swap endpoints write a route; what a step takes in dollars is left out where no pool tells. */
export function routePlanJson(pools: Pools, route: Route): RoutePlanStepJson[] {
  const prices = new Map<Address, number | null>();
  return route.legs.map(({ market, inputMint, outputMint, quote, bps }) => {
    if (!prices.has(inputMint)) prices.set(inputMint, dollarsPerAtom(pools, inputMint));
    const price = prices.get(inputMint) ?? null;
    const swapInfo = {
      ammKey: market.pool.address,
      label: market.venue.label,
      inputMint,
      outputMint,
      inAmount: quote.inAmount.toString(),
      outAmount: quote.outAmount.toString(),
    };
    const percent = bps / 100;
    if (price === null) return { swapInfo, percent, bps };
    return { swapInfo, percent, bps, usdValue: price * Number(quote.inAmount) };
  });
}

/** The same with what each pool keeps, as orders tell it. */
export function orderRoutePlanJson(pools: Pools, route: Route): OrderStepJson[] {
  const steps = routePlanJson(pools, route);
  return route.legs.flatMap(({ quote: { feeAmount, feeMint } }, index) => {
    const step = steps[index];
    if (step === undefined) return [];
    return [{ ...step, swapInfo: { ...step.swapInfo, feeAmount: feeAmount.toString(), feeMint } }];
  });
}
