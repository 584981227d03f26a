import type { IncomingMessage } from 'node:http';
import { getRequestedHost, isLoopbackName } from '../http/local-request.ts';

export interface OwnOriginOptions {
  /**
   * Whether only this machine reaches the server, under a name of this machine. Any other name in `host` then belongs to a
   * page whose owner has pointed it to loopback.
   */
  readonly isLoopbackOnly: boolean;
}

/**
 * Finds why a request does not come from a page of this server. A program, which sends none of a browser's headers, passes.
 * Returns a sentence; null if the request may pass.
 */
export function findForeignOrigin(
  request: Pick<IncomingMessage, 'headers' | 'method'>,
  { isLoopbackOnly }: OwnOriginOptions,
): string | null {
  const { headers, method } = request;
  const host = getRequestedHost(request);
  if (isLoopbackOnly && !isLoopbackName(host)) {
    return 'The portal’s data is for this machine, under a name such as localhost; header host names another one';
  }
  const site = headers['sec-fetch-site'];
  // `none`: the user has entered the address, which sends no body.
  if (site === 'same-origin' || (site === 'none' && method === 'GET')) return null;
  const { origin } = headers;
  const isForeign = site !== undefined || (origin !== undefined && !hasHost(origin, host));
  return isForeign ? 'The portal’s data is for pages of this server; another page asked for it' : null;
}

/** Whether an origin has the host. Its scheme may differ, because a proxy may have ended TLS. */
function hasHost(origin: string, host: string): boolean {
  return /^https?:\/\/(.+)$/.exec(origin)?.[1]?.toLowerCase() === host.toLowerCase();
}
