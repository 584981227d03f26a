import type { UsageView } from '../../../api/organisations/organisation-shapes.ts';

const DAY_MS = 86_400_000;
/** More days than that would not be seen. */
const MAX_DAYS = 400;

export type UsageRow = UsageView['rows'][number];

/**
 * Adds the days without requests, which the server leaves out, so that a chart shows time as it passed.
 *
 * @param rows - Of days, in order.
 * @param since - Unix milliseconds.
 * @param until - Unix milliseconds.
 */
export function fillDays(rows: readonly UsageRow[], since: number, until: number): readonly UsageRow[] {
  const known = new Map(rows.map((row) => [row.of, row]));
  const first = Math.max(Math.floor(since / DAY_MS), Math.floor(until / DAY_MS) - MAX_DAYS);
  const days: UsageRow[] = [];
  for (let day = first; day * DAY_MS <= until; day++) {
    const of = new Date(day * DAY_MS).toISOString().slice(0, 10);
    days.push(known.get(of) ?? { of, team: null, requests: 0, credits: 0, errors: 0 });
  }
  return days;
}
