import type { StreamEvent } from '../../products/endpoint.ts';

// The form of server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html

export const EVENT_STREAM_TYPE = 'text/event-stream';

/** A comment, which clients ignore. It shows proxies and the client that the connection is alive. */
export const KEEP_ALIVE = ':\n\n';

/** Tells clients how many milliseconds to wait before they open an ended stream again. */
export function formatRetry(milliseconds: number): string {
  return `retry: ${milliseconds}\n\n`;
}

/**
 * Writes an event.
 *
 * @throws Error for a name or written JSON with a line break, which would end the event
 *
 * @example
 * ```ts
 * import { formatEvent } from './event-text.ts';
 *
 * formatEvent({ name: 'price', data: { usd: 1 } }); // 'event: price\ndata: {"usd":1}\n\n'
 * ```
 */
export function formatEvent({ name, data }: StreamEvent): string {
  const json = Buffer.isBuffer(data) ? data.toString('utf8') : JSON.stringify(data);
  const head = name === undefined ? '' : `event: ${name}\n`;
  const text = `${head}data: ${json}\n\n`;
  if (/[\r\n]/.test(json) || /[\r\n]/.test(name ?? '')) throw new Error('an event holds a line break');
  return text;
}
