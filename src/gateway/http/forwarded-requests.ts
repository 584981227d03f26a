import type { IncomingMessage } from 'node:http';

const forwarded = new WeakSet<IncomingMessage>();

/** Notes that the admin server hands a request to the public server. */
export function noteForwarded(request: IncomingMessage): void {
  forwarded.add(request);
}

/** Whether the public server has a request from the admin server, on whose port it arrived. */
export function isForwarded(request: IncomingMessage): boolean {
  return forwarded.has(request);
}
