import type { ExactJson } from '../../../../base/exact-json.ts';
import { DOLLAR_DECIMALS, formatDollars } from '../../../../base/format-dollars.ts';
import { formatPrice } from '../../../../base/format-price.ts';
import { getCoordinate, getFixed, getItems } from '../../../../base/read-json.ts';
import { getSecondTime } from '../../../../base/read-times.ts';
import { USD_PRICE_PLACES } from './read-prices.ts';
import type { Candle } from '../../../../parts/charts/candle-chart.tsx';

/** The lengths of candles, with their seconds and what they are called. */
export const CANDLE_INTERVALS = [
  ['1m', '1 min', 60],
  ['5m', '5 min', 300],
  ['15m', '15 min', 900],
  ['1h', '1 h', 3_600],
  ['4h', '4 h', 14_400],
  ['1d', '1 day', 86_400],
] as const;

/** Further digits are the rounding of the server's doubles, which a chart of a price that stands still would magnify. */
const COORDINATE_DIGITS = 10;

/** The length of a candle. */
export type CandleInterval = (typeof CANDLE_INTERVALS)[number][0];

/** Reads candles, the oldest first. One that lacks a price is left out, and so is one whose time was there before. */
export function readCandles(body: ExactJson | undefined): readonly Candle[] {
  const byTime = new Map<number, Candle>();
  for (const entry of getItems(body, 'candles')) {
    const candle = readCandle(entry);
    if (candle !== null) byTime.set(candle.time, candle);
  }
  return [...byTime.values()].toSorted((one, other) => one.time - other.time);
}

/** Returns the interval that the query of the page names; a minute where it names none. */
export function parseInterval(text: string | undefined): CandleInterval {
  return CANDLE_INTERVALS.find(([name]) => name === text)?.[0] ?? '1m';
}

function readCandle(entry: ExactJson): Candle | null {
  const time = getSecondTime(entry, 'time');
  const [open, high, low, close] = ['open', 'high', 'low', 'close'].map((name) => readPoint(entry, name));
  if (time === null || !open || !high || !low || !close) return null;
  // Not all trades are known of each network; then there is no volume, or what it is at least.
  const volume = getCoordinate(entry, 'volume');
  const said = getFixed(entry, 'volume', DOLLAR_DECIMALS);
  const texts = { open: open.text, high: high.text, low: low.text, close: close.text };
  const prices = { time, open: open.value, high: high.value, low: low.value, close: close.value };
  return volume === null || volume < 0 || said === null
    ? { ...prices, texts }
    : { ...prices, volume, texts: { ...texts, volume: formatDollars(said) } };
}

function readPoint(entry: ExactJson, name: string): { readonly value: number; readonly text: string } | null {
  const value = getCoordinate(entry, name);
  const exact = getFixed(entry, name, USD_PRICE_PLACES);
  return value === null || exact === null || exact < 0n
    ? null
    : {
        value: Number(value.toPrecision(COORDINATE_DIGITS)),
        text: `$${formatPrice(exact, USD_PRICE_PLACES)}`,
      };
}
