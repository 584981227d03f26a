import { MAX_TIME_MS } from '../../base/format-time.ts';
import type { PageSearch } from '../page-search.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MINUTE_MS = 60_000;

/** The ranges that end now, by their names in the address. */
export const TRAFFIC_RANGES = [
  ['1h', '1 hour', HOUR_MS],
  ['24h', '24 hours', DAY_MS],
  ['7d', '7 days', 7 * DAY_MS],
  ['30d', '30 days', 30 * DAY_MS],
] as const;
type PresetName = (typeof TRAFFIC_RANGES)[number][0];

/** Of which time requests are shown: up to now, or between two times in Unix milliseconds. */
export type TrafficRange =
  | { readonly kind: 'preset'; readonly name: PresetName; readonly ms: number }
  | { readonly kind: 'own'; readonly since: number; readonly until: number | null };

/**
 * Reads the range of an address. Times that are none, or an end before the beginning, are left out.
 * @param fallback - The range where the address has none.
 */
export function readTrafficRange(search: PageSearch, fallback: PresetName): TrafficRange {
  const since = parseTime(search.since);
  if (since !== null) {
    const until = parseTime(search.until);
    return { kind: 'own', since, until: until !== null && until > since ? until : null };
  }
  const [name, , ms] =
    TRAFFIC_RANGES.find(([one]) => one === search.range) ??
    TRAFFIC_RANGES.find(([one]) => one === fallback) ??
    TRAFFIC_RANGES[1];
  return { kind: 'preset', name, ms };
}

/** Returns what the query of an endpoint says of a range. @param now - Unix milliseconds. */
export function toRangeQuery(
  range: TrafficRange,
  now: number,
): { readonly since: number; readonly until?: number } {
  if (range.kind === 'preset') return { since: now - range.ms };
  return range.until === null ? { since: range.since } : { since: range.since, until: range.until };
}

/** Returns what the address of a page says of a range, so that a link to another page keeps it. */
export function toRangeSearch(range: TrafficRange): PageSearch {
  if (range.kind === 'preset') return { range: range.name };
  return {
    since: String(range.since),
    ...(range.until === null ? {} : { until: String(range.until) }),
  };
}

/** Writes a time as a field for date and clock has it, in UTC and to the minute. */
export function formatUtcInput(milliseconds: number): string {
  return new Date(Math.floor(milliseconds / MINUTE_MS) * MINUTE_MS).toISOString().slice(0, 16);
}

/** Parses what a field for date and clock has, as UTC. Null: it is no time. */
export function parseUtcInput(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text)) return null;
  return parseTime(String(Date.parse(`${text}Z`)));
}

function parseTime(text: string | undefined): number | null {
  if (text === undefined || !/^\d{1,16}$/.test(text)) return null;
  const time = Number(text);
  // The field for a year has four digits.
  return time <= Math.min(MAX_TIME_MS, Date.UTC(9999, 0)) ? time : null;
}
