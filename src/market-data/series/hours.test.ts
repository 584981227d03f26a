import { describe, expect, it } from 'vitest';
import type { TradeStats } from '../stats/trade-stats.ts';
import { createEmptyMinute } from '../stats/token-minutes.ts';
import { HOUR } from './bars.ts';
import { Hours } from './hours.ts';
import { TOKEN } from '../../testing/market-data/trade.ts';

describe('Hours', () => {
  it('goes through the minutes of a token once, however far the clock was put forward', () => {
    let reads = 0;
    const minutes = Array.from({ length: 120 }, (_, at) => {
      const minute = { ...createEmptyMinute(START * 60 + at), buyVolume: 1 };
      const get = () => {
        reads++;
        return START * 60 + at;
      };
      return Object.defineProperty(minute, 'minute', { get });
    });
    let now = START * HOUR;
    const hours = new Hours({
      stats: { mints: () => [TOKEN].values(), minutes: () => minutes } as unknown as TradeStats,
      now: () => now,
      knowsTrades: () => true,
      isReported: false,
      grace: 2,
    });
    now += 20_000 * HOUR;
    const due = hours.due();
    expect(due.hours).toHaveLength(19_999);
    expect(hours.barsOf(due)).toMatchObject([
      { mint: TOKEN, start: START * HOUR, buyVolume: 60 },
      { mint: TOKEN, start: (START + 1) * HOUR, buyVolume: 60 },
    ]);
    expect(reads).toBeLessThan(4 * minutes.length);
  });
});

const START = 500_000;
