import type { IncomingMessage } from 'node:http';

/** Two of one of these would leave to chance, or to a proxy on the way, which of them is believed. */
const SINGLE = ['x-api-key', 'authorization', 'host', 'content-type', 'content-length', 'transfer-encoding'];
/** What is kept of a header of `SINGLE` that was seen. */
const HOST = 1 << SINGLE.indexOf('host');
const LENGTHS = new Set(SINGLE.map((name) => name.length));
/** As many as Node takes over HTTP/2. Over HTTP/1.1 it drops without a word what comes after the first thousand. */
const MAX_HEADERS = 128;

/** Why a request is refused for its head, whatever it asks for. */
export interface HeadProblem {
  readonly status: 400 | 431 | 505;
  readonly message: string;
}

/** Null when each of those who read the request on its way reads the same in its head. */
export function validateRequestHead({
  rawHeaders,
  httpVersionMajor,
  httpVersion,
}: Pick<IncomingMessage, 'rawHeaders' | 'httpVersionMajor' | 'httpVersion'>): HeadProblem | null {
  if (httpVersionMajor < 1) {
    return { status: 505, message: 'HTTP/0.9 is not spoken here; use HTTP/1.1 or HTTP/2' };
  }
  if (rawHeaders.length > 2 * MAX_HEADERS) {
    return { status: 431, message: `the request has more than ${MAX_HEADERS} headers` };
  }
  let seen = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index] ?? '';
    if (!LENGTHS.has(raw.length)) continue;
    const place = SINGLE.indexOf(raw.toLowerCase());
    if (place < 0) continue;
    const bit = 1 << place;
    if ((seen & bit) !== 0) {
      return { status: 400, message: `header ${SINGLE[place]} is given more than once; give it once` };
    }
    seen |= bit;
  }
  if (httpVersion === '1.1' && (seen & HOST) === 0) {
    return { status: 400, message: 'header host is missing, which HTTP/1.1 needs' };
  }
  return null;
}
