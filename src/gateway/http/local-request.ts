import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

/** Host names that always mean this machine. */
const LOOPBACK_NAME = /^(127(\.\d{1,3}){3}|localhost|\[::1\])(:\d{1,5})?$/i;

/** Headers that a proxy adds. A request with one may come from another machine. */
const OF_PROXIES = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'] as const;

/** The parts of a request that say where it comes from. */
export type RequestOrigin = Pick<IncomingMessage, 'headers' | 'socket'>;

/** Returns the host that a request names, with its port; over HTTP/2 it is a pseudo-header. Empty: it names none. */
export function getRequestedHost({ headers }: Pick<IncomingMessage, 'headers'>): string {
  return String(headers[':authority'] ?? headers.host ?? '');
}

/** Whether a host always means this machine. */
export function isLoopbackName(host: string): boolean {
  return LOOPBACK_NAME.test(host);
}

/**
 * Whether a request comes from this machine and not from a web page. A browser on this machine reaches loopback on behalf
 * of any page: either under a host name that the page's owner points to loopback, or with the page's origin. Both are
 * refused.
 */
export function isLocalRequest(request: RequestOrigin): boolean {
  const { origin } = request.headers;
  const sameOrigin = origin === undefined || isLoopbackName(origin.replace(/^https?:\/\//, ''));
  return (
    isLoopbackName(getRequestedHost(request)) && sameOrigin && isLoopbackAddress(request.socket.remoteAddress)
  );
}

/** Whether a proxy says in a header that it has passed the request on. */
export function isFromProxy({ headers }: Pick<RequestOrigin, 'headers'>): boolean {
  return OF_PROXIES.some((name) => headers[name] !== undefined);
}

/** Whether an address is one of this machine alone. Undefined means that this process injected the request. */
export function isLoopbackAddress(address: string | undefined): boolean {
  if (address === undefined) return true;
  const v4 = isIPv6(address) ? /^::ffff:(.*)$/i.exec(address)?.[1] : address;
  return address === '::1' || (v4?.startsWith('127.') ?? false);
}
