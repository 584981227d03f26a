import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a request id says about the payment that it was handed out with. */
export interface SealedPayment {
  /** The wallet that pays. */
  readonly sender: string;
  /** The message that pays. */
  readonly messageBytes: Uint8Array;
  readonly lastValidBlockHeight: bigint;
  /** Atoms of the token that is paid. */
  readonly amount: bigint;
}

const PAYLOAD_BYTES = 16;
const MAC_BYTES = 16;

/**
 * Makes the request id of a payment. It vouches for the message, so that nothing has to be stored until the payment is
 * sent: whoever asks for payments and never sends them costs nothing, and every instance with the same key accepts it.
 *
 * @param key of 32 bytes, which only the service knows
 */
export function sealPayment(key: Uint8Array, payment: SealedPayment): string {
  const payload = Buffer.alloc(PAYLOAD_BYTES);
  payload.writeBigUInt64LE(payment.lastValidBlockHeight, 0);
  payload.writeBigUInt64LE(payment.amount, 8);
  return Buffer.concat([payload, macOf(key, payload, payment)]).toString('base64url');
}

/**
 * @returns what the id says; null if it was not made by `sealPayment` for this sender and this message
 */
export function openSeal(
  key: Uint8Array,
  requestId: string,
  { sender, messageBytes }: Pick<SealedPayment, 'sender' | 'messageBytes'>,
): Pick<SealedPayment, 'lastValidBlockHeight' | 'amount'> | null {
  const bytes = Buffer.from(requestId, 'base64url');
  if (bytes.length !== PAYLOAD_BYTES + MAC_BYTES || bytes.toString('base64url') !== requestId) return null;
  const payload = bytes.subarray(0, PAYLOAD_BYTES);
  const mac = macOf(key, payload, { sender, messageBytes });
  if (!timingSafeEqual(mac, bytes.subarray(PAYLOAD_BYTES))) return null;
  return { lastValidBlockHeight: payload.readBigUInt64LE(0), amount: payload.readBigUInt64LE(8) };
}

function macOf(
  key: Uint8Array,
  payload: Uint8Array,
  { sender, messageBytes }: Pick<SealedPayment, 'sender' | 'messageBytes'>,
): Buffer {
  const mac = createHmac('sha256', key).update(payload).update(`${sender}\n`).update(messageBytes);
  return mac.digest().subarray(0, MAC_BYTES);
}
