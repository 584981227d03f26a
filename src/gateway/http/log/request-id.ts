import { randomFillSync } from 'node:crypto';

/** The header of the request id. Every answer has it, including refusals of malformed requests. A client's own id is ignored. */
export const REQUEST_ID_HEADER = 'x-api-gateway-request-id';

const ID_BYTES = 16;
/** The position of each byte's two digits in a UUID. */
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const DIGITS = Buffer.from('0123456789abcdef');
const text = Buffer.alloc(36, '-');
/** Random bytes for 256 ids. */
const random = Buffer.alloc(256 * ID_BYTES);
let next = random.length;

/**
 * Returns a random UUID (RFC 9562, version 4). It is written into one buffer because every request needs one, and Node's
 * `randomUUID` joins twenty strings.
 */
export function createRequestId(): string {
  if (next === random.length) {
    randomFillSync(random);
    next = 0;
  }
  random[next + 6] = ((random[next + 6] ?? 0) & 0x0f) | 0x40;
  random[next + 8] = ((random[next + 8] ?? 0) & 0x3f) | 0x80;
  for (const place of PLACES) {
    const byte = random[next++] ?? 0;
    text[place] = DIGITS[byte >> 4] ?? 0;
    text[place + 1] = DIGITS[byte & 15] ?? 0;
  }
  return text.toString('latin1');
}
