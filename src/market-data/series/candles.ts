import type { TimeRange } from '../../chain/reported-transactions.ts';
import type { Address } from '../../solana/address.ts';
import type { TradeStats } from '../stats/trade-stats.ts';
import { type BarStore, KEPT_SECONDS } from './bar-store.ts';
import { type Bar, toMinuteBar, type Candle, HOUR, joinBars, MINUTE } from './bars.ts';

/** What candles are made of. */
export interface CandleSources {
  readonly store: BarStore;
  readonly stats: TradeStats;
  /** Returns the Unix seconds of the network. */
  readonly now: () => number;
  /** Returns whether all trades of a time are in the statistics, or in what was restored into them. */
  readonly knowsTrades: (range: TimeRange) => boolean;
  /** Whether trades come from reports, so that a stored hour may lack some. */
  readonly isReported: boolean;
}

/** A bar of an hour; null if nothing happened in it. */
interface Hour {
  readonly bar: Bar | null;
  readonly hasAllTrades: boolean;
}

/**
 * @param seconds - The length of a candle: a whole number of minutes or of hours.
 * @param range - In Unix seconds. The candles that contain its ends are whole.
 * @returns oldest first; the last one may not be over. Candles below an hour of which some minutes are no longer kept are
 *   left out
 */
export function readCandles(
  sources: CandleSources,
  mint: Address,
  seconds: number,
  { from, to }: TimeRange,
): Promise<readonly Candle[]> {
  const { stats, now } = sources;
  const minutes = stats.minutes(mint).map(toMinuteBar);
  const asked = Math.floor(from / seconds) * seconds;
  const end = (Math.floor(to / seconds) + 1) * seconds;
  if (seconds >= HOUR) return longCandles(sources, mint, seconds, { from: asked, to: end }, minutes);
  const oldestWhole = Math.ceil((now() - KEPT_SECONDS[MINUTE]) / seconds) * seconds;
  const start = Math.max(asked, oldestWhole);
  const bars = minutes.filter((bar) => bar.start >= start && bar.start < end);
  const candles = [...groupBy(bars, seconds)].map(([first, group]) => ({
    ...joinBars(first, group),
    hasAllTrades: sources.knowsTrades({ from: first, to: first + seconds }),
  }));
  return Promise.resolve(candles);
}

async function longCandles(
  sources: CandleSources,
  mint: Address,
  seconds: number,
  range: TimeRange,
  minutes: readonly Bar[],
): Promise<readonly Candle[]> {
  const { store, now, isReported } = sources;
  const [rows, complete] = await Promise.all([
    store.read(HOUR, mint, { from: range.from, to: range.to - 1 }),
    isReported ? store.completeHours(range) : null,
  ]);
  const stored = new Map(rows.map((row) => [row.start, row]));
  const recent = groupBy(minutes, HOUR);
  const oldestMinute = minutes[0]?.start ?? Number.POSITIVE_INFINITY;
  const hourAt = (start: number): Hour => {
    const row = stored.get(start) ?? null;
    if (complete?.has(start) === true) return { bar: row, hasAllTrades: true };
    const isKnown = sources.knowsTrades({ from: start, to: start + HOUR });
    if (complete === null && row !== null) return { bar: row, hasAllTrades: isKnown };
    const isInMemory = start >= oldestMinute;
    // Trades that came late are in the minutes first.
    if (row !== null && !(isInMemory && isKnown)) return { bar: row, hasAllTrades: false };
    const group = recent.get(start);
    return { bar: group === undefined ? null : joinBars(start, group), hasAllTrades: isKnown };
  };
  const candles: Candle[] = [];
  const end = Math.min(range.to, now() + 1);
  for (let first = range.from; first < end; first += seconds) {
    const hours: Hour[] = [];
    for (let at = first; at < Math.min(first + seconds, end); at += HOUR) hours.push(hourAt(at));
    const bars = hours.flatMap(({ bar }) => bar ?? []);
    if (bars.length === 0) continue;
    candles.push({
      ...joinBars(first, bars),
      hasAllTrades: hours.every(({ hasAllTrades }) => hasAllTrades),
    });
  }
  return candles;
}

function groupBy(bars: readonly Bar[], seconds: number): ReadonlyMap<number, readonly Bar[]> {
  const groups = new Map<number, Bar[]>();
  for (const bar of bars) {
    const start = Math.floor(bar.start / seconds) * seconds;
    const list = groups.get(start);
    if (list === undefined) groups.set(start, [bar]);
    else list.push(bar);
  }
  return groups;
}
