import { formatForError } from '../../../common/format-for-error.ts';
import { RequestInvalid } from '../../http/validation.ts';

const UNITS: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400 };

/**
 * Parses a time of an event to Unix seconds.
 *
 * @param name - The name of the field, for the error.
 * @param time - Unix seconds, a time in UTC, or how long from now, such as `90m`, `24h` or `7d`.
 * @param now - Unix seconds by the clock of the network.
 * @throws RequestInvalid when the text is no time
 *
 * @example
 * ```ts
 * import { parseEventTime } from './event-times.ts';
 *
 * parseEventTime('closeAt', '2h', 1_000); // 8_200
 * ```
 */
export function parseEventTime(name: string, time: number | string, now: number): number {
  if (typeof time === 'number') return time;
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(time) ?? [];
  if (count !== undefined) return now + Number(count) * (UNITS[unit] ?? 0);
  const at = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(time) ? Date.parse(time) : Number.NaN;
  if (!Number.isNaN(at)) return Math.floor(at / 1_000);
  throw new RequestInvalid(
    `${name} is ${formatForError(time)}, but must be Unix seconds, a time such as 2027-01-31T00:00:00Z, or how long from now, such as 90m, 24h or 7d`,
  );
}
