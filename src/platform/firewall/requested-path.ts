/** The scheme and the host of a target in absolute form, as clients of a proxy send it. */
const ORIGIN = /^https?:\/\/[^/?#]*/i;
const QUERY = /[?#].*$/s;

/**
 * Returns the path that the target of a request names, as it was sent: without the scheme, the user, the host, the query and
 * the fragment.
 */
export function parseSentPath(target: string): string {
  return target.replace(ORIGIN, '').replace(QUERY, '');
}

/**
 * Returns the path that the target of a request names, as rules judge it: decoded once, without host and query. A path that
 * cannot be decoded stays as it is; the gateway refuses such a request before any rule is asked.
 *
 * @example
 * ```ts
 * import { parseRequestedPath } from './requested-path.ts';
 *
 * parseRequestedPath('/swap/v2/%6Frder?amount=5'); // '/swap/v2/order'
 * ```
 */
export function parseRequestedPath(target: string): string {
  const path = parseSentPath(target);
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
