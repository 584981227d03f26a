import { type TString, Type } from 'typebox';
import { mapInTurns } from '../../../common/work/work.ts';
import { named, RefusalJson } from '../../named-schema.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import type { TokenCandle } from '../../../market-data/series/bars.ts';
import { EXAMPLE_MINTS } from '../../example-values.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { textFor } from '../../parameters/parameter-schema.ts';
import { writeJsonInTurns } from '../../json-in-turns.ts';
import { RequestRefused } from '../../../common/request-refused.ts';
import { address, word } from '../../parameters/kinds.ts';
import { defineQuery, defineText, optional, type Parameter } from '../../parameters/parameter.ts';
import type { PriceServices } from './services.ts';

const INTERVALS = {
  '1m': 60,
  '5m': 300,
  '15m': 900,
  '1h': 3_600,
  '4h': 14_400,
  '1d': 86_400,
} as const;
type Interval = keyof typeof INTERVALS;

const MAX_CANDLES = 1_000;
const DEFAULT_CANDLES = 100;
const MINUTES_KEPT_SECONDS = 48 * 3_600;
const UNIX_SECONDS = /^[0-9]{1,12}$/;

const Candle = named(
  'Candle',
  Type.Object({
    time: Type.Integer({ description: 'The Unix second at which it begins.' }),
    open: Type.Number(),
    high: Type.Number(),
    low: Type.Number(),
    close: Type.Number(),
    volume: Type.Optional(
      Type.Number({
        description:
          'US dollars that the token was bought and sold for. Absent, as the other figures of trades, if the network does not tell of them.',
      }),
    ),
    buyVolume: Type.Optional(Type.Number()),
    sellVolume: Type.Optional(Type.Number()),
    trades: Type.Optional(Type.Integer()),
    minBuyVolume: Type.Optional(
      Type.Number({
        description:
          'US dollars that the token was bought for at least. Only if not all trades are known, and some are: then the figures above are absent.',
      }),
    ),
    minSellVolume: Type.Optional(Type.Number()),
    liquidity: Type.Union([Type.Number(), Type.Null()], {
      description: 'US dollars in all pools, at the end.',
    }),
  }),
);
export type CandleJson = Type.Static<typeof Candle>;

const QUERY = defineQuery({
  mint: address('The token.'),
  interval: word(Object.keys(INTERVALS) as Interval[], 'The length of a candle.'),
  from: optional(time(`Unix seconds. Default: ${DEFAULT_CANDLES} intervals before \`to\`.`)),
  to: optional(time('Unix seconds, included. Default: now.')),
});

export const candles = defineEndpoint({
  method: 'GET',
  path: '/price/v3/candles',
  operationId: 'GetCandles',
  example: { query: { mint: EXAMPLE_MINTS.sol, interval: '1m' } },
  summary: 'Candles',
  description: `Open, high, low and close in US dollars, and the volume, over time; at most ${MAX_CANDLES}. Intervals in which nothing happened are left out, and the last one may not be over. Minutes are kept for 48 hours, hours for a year.`,
  credits: 1,
  query: QUERY.schema,
  responses: {
    200: Type.Object({
      mint: Type.String(),
      interval: Type.String(),
      candles: Type.Array(Candle, { description: 'Oldest first.' }),
    }),
    400: RefusalJson,
  },
  handle: async ({ marketData, clock }: PriceServices, { query, work }) => {
    const read = QUERY.reader(query);
    const mint = read('mint');
    const interval = read('interval');
    const seconds = INTERVALS[interval];
    const to = read('to');
    const range = chooseRange(read('from'), to, seconds, clock());
    const bars = await marketData.candles(mint, seconds, range);
    const candles = await mapInTurns(work, bars, toCandleJson);
    return writeJsonInTurns({ mint: mint as string, interval, candles: candles.flat() }, work);
  },
});

/**
 * @param since - Null: without a beginning, the range has the default length.
 * @param until - Null: it ends now.
 * @throws RequestRefused for a range that is empty, too long, or further back than bars of that length are kept
 */
function chooseRange(
  since: number | null,
  until: number | null,
  seconds: number,
  now: number,
): { readonly from: number; readonly to: number } {
  const to = until ?? now;
  const from = since ?? Math.max(0, to - DEFAULT_CANDLES * seconds);
  if (from > to) throw new RequestRefused(`from must not be after to, got ${from} and ${to}`);
  if (to - from > MAX_CANDLES * seconds) {
    throw new RequestRefused(
      `from and to may be at most ${MAX_CANDLES} intervals apart, that is ${MAX_CANDLES * seconds} seconds; got ${to - from}`,
    );
  }
  if (seconds < 3_600 && since !== null && from < now - MINUTES_KEPT_SECONDS - seconds) {
    throw new RequestRefused(
      `from must be within the last 48 hours for intervals below an hour, got ${from}; use 1h for what is older`,
    );
  }
  return { from, to };
}

/** A parameter that is a time in Unix seconds. */
function time(description: string): Parameter<number, TString> {
  return defineText(textFor({ type: 'integer', minimum: 0 }, description), (text, name, refuse) =>
    UNIX_SECONDS.test(text)
      ? Number(text)
      : refuse(`${name} must be a time in whole Unix seconds, got ${formatForError(text)}`),
  );
}

/** Returns nothing for a bar in which the token had no price. */
function toCandleJson(bar: TokenCandle): CandleJson | readonly [] {
  const { start, open, high, low, close, liquidity, hasAllTrades } = bar;
  if (open === null || high === null || low === null || close === null) return [];
  const prices = { time: start, open, high, low, close };
  if (!hasAllTrades) {
    const { minBuyVolume, minSellVolume } = bar;
    return minBuyVolume + minSellVolume === 0
      ? { ...prices, liquidity }
      : { ...prices, minBuyVolume, minSellVolume, liquidity };
  }
  const { buyVolume, sellVolume, buys, sells } = bar;
  return {
    ...prices,
    volume: buyVolume + sellVolume,
    buyVolume,
    sellVolume,
    trades: buys + sells,
    liquidity,
  };
}
