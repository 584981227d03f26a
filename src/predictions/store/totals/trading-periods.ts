/** The periods of which there are leaderboards. */
export const TRADING_PERIODS = ['all_time', 'weekly', 'monthly'] as const;

/** A period of which there is a leaderboard. A week begins on Monday and a month on its first day, in UTC. */
export type TradingPeriod = (typeof TRADING_PERIODS)[number];

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
const WEEK_DAYS = 7;
/** The first day of 1970 was a Thursday. */
const DAYS_FROM_MONDAY = 3;

/**
 * Returns when the period began in which a second lies: Unix seconds, and 0 for all time.
 *
 * @example
 * ```ts
 * import { findPeriodStart } from './trading-periods.ts';
 *
 * findPeriodStart('weekly', Date.UTC(2026, 8, 23) / 1_000); // Monday, the 21st
 * ```
 */
export function findPeriodStart(period: TradingPeriod, second: number): number {
  switch (period) {
    case 'all_time':
      return 0;
    case 'weekly': {
      const day = Math.floor(second / DAY_SECONDS);
      const weekday = (((day + DAYS_FROM_MONDAY) % WEEK_DAYS) + WEEK_DAYS) % WEEK_DAYS;
      return (day - weekday) * DAY_SECONDS;
    }
    case 'monthly': {
      const date = new Date(second * 1_000);
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / 1_000;
    }
  }
}

/** Returns when a period ends that begins at a second: the first second after it; null for all time. */
export function findPeriodEnd(period: TradingPeriod, start: number): number | null {
  switch (period) {
    case 'all_time':
      return null;
    case 'weekly':
      return start + WEEK_DAYS * DAY_SECONDS;
    case 'monthly': {
      const date = new Date(start * 1_000);
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 1_000;
    }
  }
}

/** Returns the hours since 1970 of a Unix second. */
export function toHour(second: number): number {
  return Math.floor(second / HOUR_SECONDS);
}
