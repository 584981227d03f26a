import { DAY_MS } from '../../../platform/traffic/log/log-tables.ts';
import { RequestInvalid } from '../../http/validation.ts';

/**
 * @param now - Unix milliseconds, the default end.
 * @param days - Length of the default range.
 * @returns the requested range in Unix milliseconds
 * @throws RequestInvalid if it ends before it begins
 */
export function resolveTimeRange(
  { since, until }: { readonly since?: number; readonly until?: number },
  now: number,
  days: number,
): { readonly since: number; readonly until: number } {
  const end = until ?? now;
  const begin = since ?? end - days * DAY_MS;
  if (begin < end) return { since: begin, until: end };
  throw new RequestInvalid(`query parameter since must be earlier than until, got ${begin} and ${end}`);
}
