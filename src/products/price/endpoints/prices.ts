import { Type } from 'typebox';
import { named, RefusalJson } from '../../named-schema.ts';
import type { TokenPrice } from '../../../market-data/market-data.ts';
import { formatCreationTime } from '../../../tokens/creation-time.ts';
import { EXAMPLE_MINTS } from '../../example-values.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { defineQuery } from '../../parameters/parameter.ts';
import { parseAddress } from '../../../solana/address.ts';
import { ids } from './ids.ts';
import type { PriceServices } from './services.ts';

const QUERY = defineQuery({ ids: ids(50) });

const Price = named(
  'Price',
  Type.Object({
    createdAt: Type.String({
      format: 'date-time',
      description: 'When the token was first seen; a fixed date for tokens that are older.',
    }),
    liquidity: Type.Number({ description: 'US dollars in all pools of the token.' }),
    usdPrice: Type.Number({ description: 'US dollars for one token as wallets display it.' }),
    blockId: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The slot of the trade, or of the change of the pools, that the price is of.',
    }),
    decimals: Type.Integer(),
    priceChange24h: Type.Union([Type.Number(), Type.Null()], {
      description: 'Percent against the price of 24 hours ago; null when there was none.',
    }),
    scaledUiConfig: Type.Optional(
      Type.Object(
        {
          multiplier: Type.Number(),
          newMultiplier: Type.Number(),
          usdPricePrescaled: Type.Number({ description: 'US dollars for one token before it is scaled.' }),
        },
        { description: 'Only for tokens whose displayed amounts are scaled.' },
      ),
    ),
  }),
);

export type PriceJson = Type.Static<typeof Price>;

export const prices = defineEndpoint({
  method: 'GET',
  path: '/price/v3',
  operationId: 'GetPrices',
  example: { query: { ids: EXAMPLE_MINTS.sol } },
  summary: 'Prices',
  description:
    'Prices in US dollars by mint. The price is that of the last trade that agrees with what the pools would pay, and otherwise what they would pay. A mint without a price that can be relied on is left out.',
  credits: 1,
  query: QUERY.schema,
  responses: { 200: Type.Record(Type.String(), Price), 400: RefusalJson },
  handle: ({ marketData, answers }: PriceServices, { query }) => {
    const kept = answers.get(query.ids);
    if (kept !== null) return kept;
    const parts: string[] = [];
    for (const id of QUERY.reader(query)('ids')) {
      const mint = parseAddress(id);
      const price = mint === null ? null : marketData.price(mint);
      if (price !== null) parts.push(`"${price.mint}":${JSON.stringify(toPriceV3Json(price))}`);
    }
    const answer = Buffer.from(`{${parts.join()}}`);
    answers.keep(query.ids, answer);
    return answer;
  },
});

function toPriceV3Json(price: TokenPrice): PriceJson {
  const { usdPrice, slot, decimals, priceChange24h, liquidity, scaled, multiplier, createdAt } = price;
  return {
    createdAt: formatCreationTime(createdAt === null ? null : createdAt * 1_000),
    liquidity,
    usdPrice,
    blockId: slot === null ? null : Number(slot),
    decimals,
    priceChange24h,
    ...(scaled === null ? {} : { scaledUiConfig: toScaledPriceJson(scaled, usdPrice * multiplier) }),
  };
}

function toScaledPriceJson(
  { multiplier, newMultiplier }: NonNullable<TokenPrice['scaled']>,
  usdPricePrescaled: number,
) {
  return { multiplier, newMultiplier, usdPricePrescaled };
}
