import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a request id vouches for. It is not part of the id. */
export interface Sealed {
  /** What the message is for, so that an id made for one purpose is worth nothing for another. */
  readonly purpose: string;
  /** The message that was handed out. */
  readonly messageBytes: Uint8Array;
}

const MAC_BYTES = 16;

/**
 * Makes a request id that vouches for a message and carries some bytes. Nothing has to be stored until the message is sent:
 * a client that asks for transactions and never sends them costs nothing, and every instance with the same key accepts the
 * id.
 *
 * @param key - 32 bytes that only the service knows.
 * @param payload - What the id carries; anybody can read it.
 */
export function seal(key: Uint8Array, payload: Uint8Array, sealed: Sealed): string {
  return Buffer.concat([payload, computeMac(key, payload, sealed)]).toString('base64url');
}

/**
 * @param payloadBytes - The length of the payload.
 * @returns the payload; null if the id was not made by `seal` for this purpose and this message
 */
export function openSeal(
  key: Uint8Array,
  requestId: string,
  payloadBytes: number,
  sealed: Sealed,
): Buffer | null {
  const bytes = Buffer.from(requestId, 'base64url');
  if (bytes.length !== payloadBytes + MAC_BYTES || bytes.toString('base64url') !== requestId) return null;
  const payload = bytes.subarray(0, payloadBytes);
  const mac = computeMac(key, payload, sealed);
  return timingSafeEqual(mac, bytes.subarray(payloadBytes)) ? payload : null;
}

/** The payload has a fixed length for each key, and the purpose no line break, so their boundaries cannot be moved. */
function computeMac(key: Uint8Array, payload: Uint8Array, { purpose, messageBytes }: Sealed): Buffer {
  const mac = createHmac('sha256', key).update(payload).update(`${purpose}\n`).update(messageBytes);
  return mac.digest().subarray(0, MAC_BYTES);
}
