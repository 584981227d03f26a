import type { LoggedRequest } from '../source/log-shapes.ts';

/** The log cuts longer ones, and what is cut cannot be sent again. */
const MAX_PATH = 256;
const MAX_QUERY = 512;
const MASKED = '[redacted]';

/**
 * Returns the path and query of a request, so that it can be sent again; otherwise why it cannot: the log masks secrets, and cuts
 * what is long.
 */
export function findRepeatPath({
  path,
  query,
}: Pick<LoggedRequest, 'path' | 'query'>):
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly reason: string } {
  if (path.includes(MASKED) || query.includes(MASKED))
    return { ok: false, reason: 'It had a secret, which the log does not keep.' };
  if (path.length >= MAX_PATH || query.length >= MAX_QUERY)
    return { ok: false, reason: 'It is longer than what the log keeps.' };
  if (!path.startsWith('/')) return { ok: false, reason: 'It named no path of this server.' };
  return { ok: true, path: query === '' ? path : `${path}?${query}` };
}
