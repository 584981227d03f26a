import type { IncomingMessage } from 'node:http';
import { getRequestedHost } from './local-request.ts';

/**
 * Whether a browser says that a page of another origin has caused a request: of another host, or of another port of this
 * one. A program, which sends none of a browser's headers, is no page.
 */
export function isFromForeignPage(request: Pick<IncomingMessage, 'headers' | 'method'>): boolean {
  const { headers, method } = request;
  const { origin, 'sec-fetch-site': site } = headers;
  // `none`: the user has entered the address, which sends no body.
  if (site === 'same-origin' || (site === 'none' && method === 'GET')) return false;
  return site !== undefined || (origin !== undefined && !hasHost(origin, getRequestedHost(request)));
}

/** Whether an origin has the host. Its scheme may differ, because a proxy may have ended TLS. */
function hasHost(origin: string, host: string): boolean {
  return /^https?:\/\/(.+)$/.exec(origin)?.[1]?.toLowerCase() === host.toLowerCase();
}
