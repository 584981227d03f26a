import type { Pools } from '../market/pools.ts';
import { dollarsPerAtom } from '../market/prices.ts';
import type { Leg, Route } from '../market/router/index.ts';
import type { Address } from '../solana/address.ts';
import type { OrderStepJson, RoutePlanStepJson } from './schema.ts';

/** The form in which both swap endpoints write a route; what a step takes in dollars is left out where no pool tells. */
export function routePlanJson(pools: Pools, route: Route): RoutePlanStepJson[] {
  const prices = new Map<Address, number | null>();
  return route.legs.map((leg) => {
    const { inputMint, quote, bps } = leg;
    if (!prices.has(inputMint)) prices.set(inputMint, dollarsPerAtom(pools, inputMint));
    const price = prices.get(inputMint) ?? null;
    const swapInfo = swapInfoJson(leg);
    const percent = bps / 100;
    if (price === null) return { swapInfo, percent, bps };
    return { swapInfo, percent, bps, usdValue: price * Number(quote.inAmount) };
  });
}

/** The same with what each pool keeps, as orders tell it. */
export function orderRoutePlanJson(pools: Pools, route: Route): OrderStepJson[] {
  const steps = routePlanJson(pools, route);
  return route.legs.flatMap((leg, index) => {
    const step = steps[index];
    return step === undefined ? [] : [{ ...step, swapInfo: swapInfoWithFeeJson(leg) }];
  });
}

export function swapInfoWithFeeJson(leg: Leg) {
  const { feeAmount, feeMint } = leg.quote;
  return { ...swapInfoJson(leg), feeAmount: feeAmount.toString(), feeMint };
}

function swapInfoJson({ market, inputMint, outputMint, quote }: Leg): RoutePlanStepJson['swapInfo'] {
  return {
    ammKey: market.pool.address,
    label: market.venue.label,
    inputMint,
    outputMint,
    inAmount: quote.inAmount.toString(),
    outAmount: quote.outAmount.toString(),
  };
}
