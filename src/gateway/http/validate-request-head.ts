import type { IncomingMessage } from 'node:http';

const API_KEY = 'x-api-key';
/** Headers that may be sent once only: with two, each proxy and server on the way might read another one. */
const SINGLE = [API_KEY, 'authorization', 'host', 'content-type', 'content-length', 'transfer-encoding'];
/** The bit that records that `host` was seen. Each header of `SINGLE` has one. */
const HOST = 1 << SINGLE.indexOf('host');
const LENGTHS = new Set(SINGLE.map((name) => name.length));
/** Node's own limit for HTTP/2. Over HTTP/1.1, Node silently drops headers after the first thousand. */
const MAX_HEADERS = 128;

/** Why a request is refused for its head. */
export interface HeadProblem {
  readonly status: 400 | 401 | 431 | 505;
  readonly message: string;
}

/**
 * Checks that every proxy and server on the way reads the same in a request's head.
 * Returns null if they do; otherwise why the request is refused.
 */
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
      if (SINGLE[place] === API_KEY) return { status: 401, message: 'Unauthorized' };
      return { status: 400, message: `header ${SINGLE[place]} is given more than once; give it once` };
    }
    seen |= bit;
  }
  if (httpVersion === '1.1' && (seen & HOST) === 0) {
    return { status: 400, message: 'header host is missing, which HTTP/1.1 needs' };
  }
  return null;
}
