import { Type } from 'typebox';
import { BYTES_PER_UNIT, mapInTurns, UNITS_PER_TURN } from '../../../common/work/work.ts';
import { named, RefusalJson } from '../../named-schema.ts';
import type { MarketData, TokenPrice } from '../../../market-data/market-data.ts';
import { EXAMPLE_MINTS } from '../../example-values.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { textFor } from '../../parameters/parameter-schema.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { formatDigits, ExtraInfoJson, toExtraInfoJson } from './extra-info-json.ts';
import { RequestRefused } from '../../../common/request-refused.ts';
import { parseAddress } from '../../../solana/address.ts';
import { readFlag, text } from '../../parameters/kinds.ts';
import { defineQuery, defineText, optional } from '../../parameters/parameter.ts';
import { ids, readIds } from './ids.ts';
import type { PriceServices } from './services.ts';

const MAX_IDS = 100;

/** With extra information, each mint costs eight searches for a route. */
const MAX_IDS_WITH_EXTRA_INFO = 10;

const QUERY = defineQuery({
  ids: ids(MAX_IDS),
  vsToken: optional(text('A mint in whose units prices are given instead of US dollars.')),
  showExtraInfo: optional(
    defineText(
      textFor(
        { type: 'boolean' },
        `Whether to add \`extraInfo\`, which excludes \`vsToken\`, for at most ${MAX_IDS_WITH_EXTRA_INFO} mints.`,
      ),
      readFlag,
    ),
  ),
});

const PriceV2 = named(
  'PriceV2',
  Type.Object({
    id: Type.String(),
    type: Type.Literal('derivedPrice'),
    price: Type.String({ description: 'US dollars for one token, or units of `vsToken`.' }),
    extraInfo: Type.Optional(ExtraInfoJson),
  }),
);

export type PriceV2Json = Type.Static<typeof PriceV2>;

export const pricesV2 = defineEndpoint({
  method: 'GET',
  path: '/price/v2',
  operationId: 'GetPricesV2',
  example: { query: { ids: EXAMPLE_MINTS.sol } },
  summary: 'Prices for older clients',
  description: 'The same prices as `/price/v3`, in the older form. A mint without a price is null.',
  credits: 1,
  query: QUERY.schema,
  responses: {
    200: Type.Object({
      data: Type.Record(Type.String(), Type.Union([PriceV2, Type.Null()])),
      timeTaken: Type.Number({ description: 'Seconds.' }),
    }),
    400: RefusalJson,
  },
  handle: async (services: PriceServices, { query, work }) => {
    const { marketData, now } = services;
    const startedAt = now();
    const read = QUERY.reader(query);
    const isExtra = read('showExtraInfo') ?? false;
    const vsToken = read('vsToken');
    if (isExtra && vsToken !== null)
      throw new RequestRefused('vsToken excludes showExtraInfo=true; give one');
    const unit = vsToken === null ? 1 : requireUnitPrice(marketData, vsToken);
    const wanted = isExtra ? readIds(query.ids, MAX_IDS_WITH_EXTRA_INFO) : read('ids');
    // A turn of its own for the searches of one mint, which are the work of this endpoint.
    const bytes = isExtra ? UNITS_PER_TURN * BYTES_PER_UNIT : 0;
    const toEntry = (id: string) => {
      const mint = parseAddress(id);
      const price = mint === null ? null : marketData.price(mint);
      if (price === null) return [id, null] as const;
      const json = toPriceV2Json(price, unit);
      if (isExtra) json.extraInfo = toExtraInfoJson(price, services.extraInfo(price.mint));
      return [id, json] as const;
    };
    const entries = await mapInTurns(work, wanted, toEntry, () => bytes);
    return { data: Object.fromEntries(entries), timeTaken: (now() - startedAt) / 1_000 };
  },
});

function requireUnitPrice(marketData: MarketData, vsToken: string): number {
  const mint = parseAddress(vsToken);
  const price = mint === null ? null : marketData.price(mint);
  if (price === null) {
    throw new RequestRefused(`vsToken must be a mint that has a price, got ${formatForError(vsToken)}`);
  }
  return price.usdPrice;
}

function toPriceV2Json({ mint, usdPrice }: TokenPrice, unit: number): PriceV2Json {
  return { id: mint, type: 'derivedPrice', price: formatDigits(usdPrice / unit) };
}
