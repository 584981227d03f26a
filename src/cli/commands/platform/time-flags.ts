import type { CommandFlag } from '../../command-line/command.ts';
import { parseTimeFlag } from '../../admin-client/platform-answers.ts';

const ALLOWED = 'a time such as 2027-01-31T00:00:00Z, or how long ago, such as 90m, 24h or 7d';
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

export const TIME_FLAGS: readonly CommandFlag[] = [
  { name: 'since', allowed: ALLOWED, description: 'Beginning of the time range.' },
  { name: 'until', allowed: ALLOWED, description: 'End of the time range. Default: now.' },
];

/**
 * Returns the query parameters for `--since` and `--until`.
 *
 * @param now - Unix milliseconds.
 * @throws UsageError when a value is not a time.
 */
export function parseTimeFlags(
  flags: ReadonlyMap<string, string>,
  now: number,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    TIME_FLAGS.flatMap(({ name }) => {
      const text = flags.get(name);
      return text === undefined ? [] : [[name, String(parseRelativeTime(name, text, now))]];
    }),
  );
}

/** @throws UsageError when the text is not a time. */
function parseRelativeTime(flag: string, text: string, now: number): number {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (count === undefined) return parseTimeFlag(flag, text, ALLOWED);
  return Math.max(now - Number(count) * (UNITS[unit] ?? 0), 0);
}
