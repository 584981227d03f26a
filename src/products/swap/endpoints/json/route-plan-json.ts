import type { Prices } from '../../../../market/prices/prices.ts';
import type { Leg, Route } from '../../../../market/router/index.ts';
import type { Address } from '../../../../solana/address.ts';
import type { WebhookFill } from '../../../../swaps/engines/engine.ts';
import type { OrderStepJson, RoutePlanStepJson } from './schema.ts';

/** Maps a route to the plan in the answer of `/build`. A step has no dollar value if no pool prices its input token. */
export function toRoutePlanJson(
  prices: Pick<Prices, 'dollarsPerAtom'>,
  route: Pick<Route, 'legs'>,
): RoutePlanStepJson[] {
  const known = new Map<Address, number | null>();
  const percents = computeWholePercents(route.legs);
  return route.legs.map((leg, index) => {
    const { inputMint, quote, bps } = leg;
    if (!known.has(inputMint)) known.set(inputMint, prices.dollarsPerAtom(inputMint));
    const price = known.get(inputMint) ?? null;
    const swapInfo = toSwapInfoJson(leg);
    const percent = percents[index] as number;
    if (price === null) return { swapInfo, percent, bps };
    return { swapInfo, percent, bps, usdValue: price * Number(quote.inAmount) };
  });
}

/**
 * Shares in whole percent. Those of one token add up to 100: all are rounded down, and then those that lost most are
 * rounded up.
 */
function computeWholePercents(legs: readonly Pick<Leg, 'bps' | 'inputIndex'>[]): readonly number[] {
  const percents = legs.map(({ bps }) => Math.floor(bps / 100));
  if (legs.every(({ bps }) => bps % 100 === 0)) return percents;
  for (const token of new Set(legs.map(({ inputIndex }) => inputIndex))) {
    const places = [...legs.keys()].filter((place) => legs[place]?.inputIndex === token);
    const rest = (place: number) => (legs[place]?.bps ?? 0) % 100;
    const cut = places.reduce((sum, place) => sum + rest(place), 0) / 100;
    places.sort((one, other) => rest(other) - rest(one));
    for (const place of places.slice(0, cut)) percents[place] = (percents[place] ?? 0) + 1;
  }
  return percents;
}

/** Maps a route to the plan in the answer of `/order`, with the fee that each pool keeps. */
export function toOrderRoutePlanJson(
  prices: Pick<Prices, 'dollarsPerAtom'>,
  route: Pick<Route, 'legs'>,
): OrderStepJson[] {
  const steps = toRoutePlanJson(prices, route);
  return route.legs.flatMap((leg, index) => {
    const step = steps[index];
    return step === undefined ? [] : [{ ...step, swapInfo: toSwapInfoWithFeeJson(leg) }];
  });
}

/** The route plan of a swap that one maker settles: a single step. */
export function toMakerStepJson({ terms, inAmount, outAmount, fee }: WebhookFill): OrderStepJson {
  return {
    percent: 100,
    bps: 10_000,
    swapInfo: {
      ammKey: terms.maker,
      label: 'JupiterZ',
      inputMint: terms.quote,
      outputMint: terms.base,
      inAmount: inAmount.toString(),
      outAmount: outAmount.toString(),
      feeAmount: fee.amount.toString(),
      feeMint: fee.mint,
    },
  };
}

/** Maps a leg to a step's `swapInfo`, with the fee that the pool keeps. */
export function toSwapInfoWithFeeJson(leg: Leg) {
  const { feeAmount, feeMint } = leg.quote;
  return { ...toSwapInfoJson(leg), feeAmount: feeAmount.toString(), feeMint };
}

function toSwapInfoJson({ handle, inputMint, outputMint, quote }: Leg): RoutePlanStepJson['swapInfo'] {
  return {
    ammKey: handle.pool.address,
    label: handle.venue.label,
    inputMint,
    outputMint,
    inAmount: quote.inAmount.toString(),
    outAmount: quote.outAmount.toString(),
  };
}
