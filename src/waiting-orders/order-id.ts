import { randomBytes } from 'node:crypto';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** How many words of 32 bits an id has. */
export const ID_WORDS = 4;

/**
 * Returns a UUID of version 7 (RFC 9562): 48 bits of time, and 74 random ones. Ids of later milliseconds sort behind earlier
 * ones.
 *
 * @param now - Unix milliseconds.
 */
export function createOrderId(now: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes.writeUInt8(((bytes[6] ?? 0) & 0x0f) | 0x70, 6);
  bytes.writeUInt8(((bytes[8] ?? 0) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Whether a text that a client sent can be the id of an order or of a request. No other text is looked up. */
export function isOrderId(text: string): boolean {
  return UUID.test(text);
}

/**
 * Writes the 16 bytes of an order's id as words, the first byte in the highest bits, so that they sort as the text does.
 *
 * @throws TypeError if it is not a UUID in lowercase letters
 */
export function parseOrderId(id: string, into: Int32Array): void {
  if (!isOrderId(id)) throw new TypeError(`not the id of an order: ${JSON.stringify(id.slice(0, 64))}`);
  into[0] = Number.parseInt(id.slice(0, 8), 16);
  into[1] = Number.parseInt(id.slice(9, 13) + id.slice(14, 18), 16);
  into[2] = Number.parseInt(id.slice(19, 23) + id.slice(24, 28), 16);
  into[3] = Number.parseInt(id.slice(28, 36), 16);
}

/** Returns the id of an order as text. */
export function formatOrderId(words: Int32Array): string {
  const [one = 0, two = 0, three = 0, four = 0] = words;
  return `${word(one)}-${half(two >>> 16)}-${half(two)}-${half(three >>> 16)}-${half(three)}${word(four)}`;
}

function word(value: number): string {
  return half(value >>> 16) + half(value);
}

function half(value: number): string {
  return `${HEX[(value >>> 8) & 255]}${HEX[value & 255]}`;
}
