import type { IncomingMessage } from 'node:http';
import { isFromForeignPage } from '../http/foreign-page.ts';
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
  if (isLoopbackOnly && !isLoopbackName(getRequestedHost(request))) {
    return 'The portal’s data is for this machine, under a name such as localhost; header host names another one';
  }
  return isFromForeignPage(request)
    ? 'The portal’s data is for pages of this server; another page asked for it'
    : null;
}
