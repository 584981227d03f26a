import { usePageSearch } from '../../../parts/page-search.ts';

const DAY_MS = 86_400_000;

/** The ranges of usage by their names in the address. Counts are kept by the hour, as long as the request log. */
export const USAGE_RANGES = [
  ['7d', '7 days', 7 * DAY_MS],
  ['30d', '30 days', 30 * DAY_MS],
  ['90d', '90 days', 90 * DAY_MS],
  ['365d', '365 days', 365 * DAY_MS],
] as const;

/** By what usage is added up. */
export const USAGE_PARTS = [
  ['day', 'By day'],
  ['key', 'By key'],
  ['endpoint', 'By endpoint'],
] as const;

export type UsageRange = (typeof USAGE_RANGES)[number][0];
export type UsagePart = (typeof USAGE_PARTS)[number][0];

/** What the address of the page asks for. */
export interface UsageChoice {
  readonly range: UsageRange;
  readonly rangeMs: number;
  readonly by: UsagePart;
  /** Empty: all teams. */
  readonly team: string;
}

/** Returns what the address asks for, and changes it. */
export function useUsageChoice() {
  const [{ range, by, team = '' }, change] = usePageSearch();
  const [rangeName, , rangeMs] = USAGE_RANGES.find(([name]) => name === range) ?? USAGE_RANGES[1];
  const [part] = USAGE_PARTS.find(([name]) => name === by) ?? USAGE_PARTS[0];
  const choice: UsageChoice = { range: rangeName, rangeMs, by: part, team };
  return [choice, change] as const;
}
