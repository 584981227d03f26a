import { Type } from 'typebox';
import { named } from '../../named-schema.ts';
import type { Prices } from '../../../market/prices/prices.ts';
import type { Leg, Route } from '../../../market/router/index.ts';
import type { Address } from '../../../solana/address.ts';
import { JUPITERZ_LABEL, type WebhookFill } from '../../../swaps/engines/engine.ts';

const SwapInfo = {
  ammKey: Type.String(),
  label: Type.String(),
  inputMint: Type.String(),
  outputMint: Type.String(),
  inAmount: Type.String(),
  outAmount: Type.String(),
};

const Share = {
  percent: Type.Integer({ description: '`bps` in whole percents; those of one token add up to 100.' }),
  bps: Type.Integer({ description: 'Share of the input token that the step takes; 10000 is the whole.' }),
  usdValue: Type.Optional(Type.Number({ description: 'US dollars that the step takes.' })),
};

export const RoutePlanStepJson = named(
  'RoutePlanStep',
  Type.Object({ swapInfo: Type.Object(SwapInfo), ...Share }),
);

/** Older clients cannot parse a step without its fee. */
export const OrderStepJson = named(
  'OrderRoutePlanStep',
  Type.Object({
    swapInfo: Type.Object({
      ...SwapInfo,
      feeAmount: Type.String({ deprecated: true, description: 'Atoms that the pool keeps.' }),
      feeMint: Type.String({ deprecated: true }),
    }),
    ...Share,
  }),
);

export type RoutePlanStepJson = Type.Static<typeof RoutePlanStepJson>;

export type OrderStepJson = Type.Static<typeof OrderStepJson>;

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
      label: JUPITERZ_LABEL,
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
