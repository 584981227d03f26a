/** Where the portal begins in the addresses of its server. */
const PORTAL = '/portal';

/**
 * Returns the address within the portal that a reader wanted before signing in. Anything that could lead elsewhere is none: the
 * address of the sign-in page can be made by anybody.
 *
 * @param next - A path below the portal, with its query.
 * @returns null if it is no path of the portal
 */
export function toWayBack(next: string | undefined): string | null {
  if (next === undefined || !/^\/(?![/\\])[\x21-\x7e]*$/.test(next) || next.includes('\\')) return null;
  const base = 'http://portal.invalid';
  const url = URL.canParse(next, base) ? new URL(next, base) : null;
  if (url === null || url.origin !== base || /^\/(sign-in|invitation)(\/|$)/.test(url.pathname)) return null;
  return `${PORTAL}${url.pathname}${url.search}${url.hash}`;
}
