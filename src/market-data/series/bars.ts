import type { TokenMinute } from '../stats/token-minutes.ts';

/** What happened to a token in a minute or an hour. */
export interface Bar {
  /** Unix seconds. */
  readonly start: number;
  /** US dollars per whole token; null while it had no price. */
  readonly open: number | null;
  readonly high: number | null;
  readonly low: number | null;
  readonly close: number | null;
  /** US dollars. */
  readonly buyVolume: number;
  readonly sellVolume: number;
  readonly buys: number;
  readonly sells: number;
  readonly liquidity: number | null;
  /** Of the last trade; 0 without one. */
  readonly slot: bigint;
}

/** A bar, and whether its volumes and numbers of trades are those of all trades. */
export interface Candle extends Bar {
  readonly hasAllTrades: boolean;
}

/** A candle, and the volumes that the token had at least: those of the known trades, whichever source they come from. */
export interface TokenCandle extends Candle {
  readonly minBuyVolume: number;
  readonly minSellVolume: number;
}

export const MINUTE = 60;
export const HOUR = 3_600;
export type BarSeconds = typeof MINUTE | typeof HOUR;

/** Joins bars of one token into one. `bars` are oldest first, and there is at least one. */
export function joinBars(start: number, bars: readonly Bar[]): Bar {
  const known = <Field extends 'open' | 'high' | 'low' | 'close' | 'liquidity'>(
    field: Field,
  ): readonly number[] => bars.flatMap((bar) => bar[field] ?? []);
  const sum = (field: 'buyVolume' | 'sellVolume' | 'buys' | 'sells') =>
    bars.reduce((total, bar) => total + bar[field], 0);
  const [highs, lows] = [known('high'), known('low')];
  return {
    start,
    open: known('open')[0] ?? null,
    high: highs.length === 0 ? null : Math.max(...highs),
    low: lows.length === 0 ? null : Math.min(...lows),
    close: known('close').at(-1) ?? null,
    buyVolume: sum('buyVolume'),
    sellVolume: sum('sellVolume'),
    buys: sum('buys'),
    sells: sum('sells'),
    liquidity: known('liquidity').at(-1) ?? null,
    slot: getNewestSlot(bars.map(({ slot }) => slot)),
  };
}

export function toMinuteBar({ minute, hasTradePrice: _, wallets: __, ...bar }: TokenMinute): Bar {
  return { start: minute * MINUTE, ...bar };
}

export function getNewestSlot(slots: readonly bigint[]): bigint {
  let newest = 0n;
  for (const slot of slots) if (slot > newest) newest = slot;
  return newest;
}
