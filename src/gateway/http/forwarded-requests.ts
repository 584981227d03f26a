import type { IncomingMessage } from 'node:http';
import { isFromProxy } from './local-request.ts';

interface Forwarding {
  /** Whether a proxy had added headers, which the admin server removes. */
  readonly isFromProxy: boolean;
}

const forwarded = new WeakMap<IncomingMessage, Forwarding>();

/** Notes that the admin server hands a request to the public server. Called before headers are removed. */
export function noteForwarded(request: IncomingMessage): void {
  forwarded.set(request, { isFromProxy: isFromProxy(request) });
}

/** Finds how the public server has a request from the admin server, on whose port it arrived. Returns null if it has not. */
export function findForwarding(request: IncomingMessage): Forwarding | null {
  return forwarded.get(request) ?? null;
}
