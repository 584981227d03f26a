import { Type } from 'typebox';
import type { MarketData, TokenPrice } from '../../../trades/market-data.ts';
import { endpoint } from '../../endpoint.ts';
import { textFor } from '../../parameters.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { idsParameter, mintOf, PriceRefused, readIds } from './ids.ts';
import type { PriceServices } from './services.ts';

const MAX_IDS = 100;

const PriceV2 = Type.Object({
  id: Type.String(),
  type: Type.Literal('derivedPrice'),
  price: Type.String({ description: 'US dollars for one token, or units of `vsToken`.' }),
});

export type PriceV2Json = Type.Static<typeof PriceV2>;

export const pricesV2 = endpoint({
  method: 'GET',
  path: '/price/v2',
  operationId: 'GetPricesV2',
  summary: 'Prices for older clients',
  description: 'The same prices as `/price/v3`, in the older form. A mint without a price is null.',
  credits: 1,
  query: Type.Object({
    ids: idsParameter(MAX_IDS),
    vsToken: Type.Optional(
      Type.String({ description: 'A mint in whose units prices are given instead of US dollars.' }),
    ),
    showExtraInfo: Type.Optional(
      textFor({ type: 'boolean', enum: [false] }, 'Only `false`: the extra fields are not served.'),
    ),
  }),
  responses: {
    200: Type.Object({
      data: Type.Record(Type.String(), Type.Union([PriceV2, Type.Null()])),
      timeTaken: Type.Number({ description: 'Seconds.' }),
    }),
    400: Type.Object({ error: Type.String() }),
  },
  handle: ({ marketData, now }: PriceServices, { query: { ids, vsToken, showExtraInfo } }) => {
    const startedAt = now();
    if (showExtraInfo !== undefined && showExtraInfo !== 'false') {
      throw new PriceRefused(
        `showExtraInfo must be false or left out, got ${formatForError(showExtraInfo)}: depth and last swaps are not served`,
      );
    }
    const unit = vsToken === undefined ? 1 : unitPrice(marketData, vsToken);
    const entries = readIds(ids, MAX_IDS).map((id) => {
      const mint = mintOf(id);
      const price = mint === null ? null : marketData.price(mint);
      return [id, price === null ? null : priceJson(price, unit)] as const;
    });
    return { data: Object.fromEntries(entries), timeTaken: (now() - startedAt) / 1_000 };
  },
});

function unitPrice(marketData: MarketData, vsToken: string): number {
  const mint = mintOf(vsToken);
  const price = mint === null ? null : marketData.price(mint);
  if (price === null) {
    throw new PriceRefused(`vsToken must be a mint that has a price, got ${formatForError(vsToken)}`);
  }
  return price.usdPrice;
}

function priceJson({ mint, usdPrice }: TokenPrice, unit: number): PriceV2Json {
  return { id: mint, type: 'derivedPrice', price: digits(usdPrice / unit) };
}

/** A number as plain decimal digits, without an exponent. */
function digits(value: number): string {
  return value.toFixed(value >= 1 ? 9 : 18).replace(/\.?0+$/, '');
}
