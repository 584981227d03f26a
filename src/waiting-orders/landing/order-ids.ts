import { randomBytes } from 'node:crypto';

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

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text that a client sent can be the id of an order or of a request. No other text is looked up. */
export function isOrderId(text: string): boolean {
  return UUID.test(text);
}
