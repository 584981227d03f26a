import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { SessionHalves } from '../../../platform/sessions/sessions.ts';
import { getRequestedHost, type RequestOrigin } from '../../http/local-request.ts';

/** The header in which a page sends its half of a session. A form cannot send it, and a page of another origin may not. */
export const SESSION_HEADER = 'x-sluice-session';
/** The cookie is sent with requests to the admin interface, and not with those that the public server answers. */
const COOKIE_PATH = '/admin/v1';
const NAME = 'sluice-session';
/** Browsers accept such a cookie only over TLS. */
const SECURE_PREFIX = '__Secure-';
/** Another server of the same host may set cookies of the same name. */
const MAX_COOKIES = 4;
/** Half of a session: 256 random bits. */
const HALF = /^[\w-]{43}$/;

/** Returns the two halves of a session that a request presents. */
export function readSessionHalves(request: RequestOrigin): SessionHalves {
  const pageToken = request.headers[SESSION_HEADER];
  const names = getCookieNames(request);
  const values = readCookies(request.headers.cookie).flatMap(([name, value]) =>
    names.includes(name) && HALF.test(value) ? [value] : [],
  );
  return {
    cookies: [...new Set(values)].slice(0, MAX_COOKIES),
    pageToken: typeof pageToken === 'string' && HALF.test(pageToken) ? pageToken : null,
  };
}

/** Returns the `set-cookie` header that keeps a session's cookie for some time. */
export function formatSessionCookie(request: RequestOrigin, cookie: string, seconds: number): string {
  const isSecure = isOverTls(request) || /^https:/i.test(request.headers.origin ?? '');
  const name = `${isSecure ? SECURE_PREFIX : ''}${getPlainName(request)}`;
  const terms = `Path=${COOKIE_PATH}; Max-Age=${seconds}; HttpOnly; SameSite=Strict`;
  return `${name}=${cookie}; ${terms}${isSecure ? '; Secure' : ''}`;
}

/** Returns the `set-cookie` headers that make the browser forget the session's cookie. */
export function formatForgottenCookies(request: RequestOrigin): string[] {
  return getCookieNames(request).map(
    (name) =>
      `${name}=; Path=${COOKIE_PATH}; Max-Age=0; HttpOnly; SameSite=Strict${name.startsWith(SECURE_PREFIX) ? '; Secure' : ''}`,
  );
}

/** Whether a `cookie` header holds a session's cookie, of whatever port. */
export function hasSessionCookie(header: string): boolean {
  return header.includes(NAME);
}

/** Over TLS only the cookie counts that no server without TLS can set. A proxy may have ended TLS. */
function getCookieNames(request: RequestOrigin): readonly string[] {
  const plain = getPlainName(request);
  return isOverTls(request) ? [`${SECURE_PREFIX}${plain}`] : [plain, `${SECURE_PREFIX}${plain}`];
}

/** A browser sends the cookies of a host to each of its ports, so each port, as the browser knows it, has its own name. */
function getPlainName(request: RequestOrigin): string {
  const port = /:(\d{1,5})$/.exec(getRequestedHost(request))?.[1];
  return port === undefined ? NAME : `${NAME}-${port}`;
}

function readCookies(header: string | undefined): readonly (readonly [name: string, value: string])[] {
  return (header ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at === -1 ? [] : [[pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as const];
  });
}

function isOverTls({ socket }: Pick<IncomingMessage, 'socket'>): boolean {
  return (socket as Partial<TLSSocket>).encrypted === true;
}
