import { type Static, Type } from 'typebox';
import { named } from '../../named-schema.ts';
import type { TokenPrice } from '../../../market-data/market-data.ts';
import type { ExtraInfo } from '../extra-info/extra-info.ts';
import type { Swapped } from '../extra-info/last-swaps.ts';
import { type Depth, DEPTHS, type SideQuote } from '../extra-info/quotes.ts';

const nullableText = (description: string) => Type.Union([Type.String({ description }), Type.Null()]);
const nullableTime = Type.Union([Type.Integer({ description: 'Unix seconds.' }), Type.Null()]);
const Impact = named(
  'PriceImpacts',
  Type.Object({
    depth: Type.Object(
      {
        10: Type.Optional(Type.Number()),
        100: Type.Optional(Type.Number()),
        1000: Type.Optional(Type.Number()),
      } satisfies Record<Depth, unknown>,
      {
        description: `The price impact in percent for ${DEPTHS.join(', ')} SOL; a size that the pools do not take is absent.`,
      },
    ),
    timestamp: Type.Integer({ description: 'Unix seconds.' }),
  }),
);

export const ExtraInfoJson = named(
  'PriceExtraInfo',
  Type.Object({
    lastSwappedPrice: Type.Object({
      lastJupiterSellAt: nullableTime,
      lastJupiterSellPrice: nullableText('US dollars. Null if no sale was seen since the start.'),
      lastJupiterBuyAt: nullableTime,
      lastJupiterBuyPrice: nullableText('US dollars. Null if no purchase was seen since the start.'),
    }),
    quotedPrice: Type.Object({
      buyPrice: nullableText('US dollars, for the worth of one SOL. Null without a route.'),
      buyAt: nullableTime,
      sellPrice: nullableText('US dollars, for the worth of one SOL. Null without a route.'),
      sellAt: nullableTime,
    }),
    confidenceLevel: Type.Optional(
      Type.Enum(['high', 'medium', 'low'], { description: 'Absent: its rule is not known.' }),
    ),
    depth: Type.Optional(Type.Object({ buyPriceImpactRatio: Impact, sellPriceImpactRatio: Impact })),
  }),
);
export type ExtraInfoJson = Static<typeof ExtraInfoJson>;

export function toExtraInfoJson(price: TokenPrice, { swapped, quotes, quotedAt }: ExtraInfo): ExtraInfoJson {
  const { buy, sell } = swapped;
  const json: ExtraInfoJson = {
    lastSwappedPrice: {
      lastJupiterSellAt: sell?.at ?? null,
      lastJupiterSellPrice: priceOrNull(price, sell),
      lastJupiterBuyAt: buy?.at ?? null,
      lastJupiterBuyPrice: priceOrNull(price, buy),
    },
    quotedPrice: {
      buyPrice: priceOrNull(price, quotes?.buy),
      buyAt: quotes?.buy.dollarsPerAtom == null ? null : quotedAt,
      sellPrice: priceOrNull(price, quotes?.sell),
      sellAt: quotes?.sell.dollarsPerAtom == null ? null : quotedAt,
    },
  };
  if (quotes !== null) {
    json.depth = {
      buyPriceImpactRatio: { depth: toDepthJson(quotes.buy.impacts), timestamp: quotedAt },
      sellPriceImpactRatio: { depth: toDepthJson(quotes.sell.impacts), timestamp: quotedAt },
    };
  }
  return json;
}

function priceOrNull(
  { decimals, multiplier }: TokenPrice,
  quoted: Swapped | SideQuote | null | undefined,
): string | null {
  const perAtom = quoted?.dollarsPerAtom ?? null;
  return perAtom === null ? null : formatDigits((perAtom * 10 ** decimals) / multiplier);
}

function toDepthJson(impacts: ReadonlyMap<Depth, number>): Partial<Record<Depth, number>> {
  return Object.fromEntries(impacts);
}

/** A number as plain decimal digits, without an exponent. */
export function formatDigits(value: number): string {
  // Where `toFixed` begins to write an exponent. A token with 255 decimals can have such a price.
  if (value >= 1e21) return BigInt(value).toString();
  return value.toFixed(value >= 1 ? 9 : 18).replace(/\.?0+$/, '');
}
