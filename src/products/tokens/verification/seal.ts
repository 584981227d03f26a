import { openSeal as openGeneralSeal, seal } from '../../../transactions/prepared/seal.ts';
import { CURRENCIES, type PaymentAmounts } from './price.ts';

/** What a request id says about the payment that it was handed out with. */
export interface SealedPayment extends PaymentAmounts {
  /** The wallet that pays. */
  readonly sender: string;
  /** The message that pays. */
  readonly messageBytes: Uint8Array;
  readonly lastValidBlockHeight: bigint;
}

/** Last valid block height, amount paid and amount received u64; the number of the currency u8. */
const PAYLOAD_BYTES = 25;

/**
 * Makes the request id of a payment, which vouches for the message and its sender.
 *
 * @param key - 32 bytes that only the service knows.
 */
export function sealPayment(key: Uint8Array, payment: SealedPayment): string {
  const payload = Buffer.alloc(PAYLOAD_BYTES);
  payload.writeBigUInt64LE(payment.lastValidBlockHeight, 0);
  payload.writeBigUInt64LE(payment.inAmount, 8);
  payload.writeBigUInt64LE(payment.outAmount, 16);
  payload.writeUInt8(CURRENCIES.indexOf(payment.currency), 24);
  return seal(key, payload, { purpose: payment.sender, messageBytes: payment.messageBytes });
}

/** Returns what the id says; null if it was not made by `sealPayment` for this sender and this message. */
export function openSeal(
  key: Uint8Array,
  requestId: string,
  { sender, messageBytes }: Pick<SealedPayment, 'sender' | 'messageBytes'>,
): Omit<SealedPayment, 'sender' | 'messageBytes'> | null {
  const payload = openGeneralSeal(key, requestId, PAYLOAD_BYTES, { purpose: sender, messageBytes });
  const currency = payload === null ? undefined : CURRENCIES[payload.readUInt8(24)];
  if (payload === null || currency === undefined) return null;
  return {
    lastValidBlockHeight: payload.readBigUInt64LE(0),
    inAmount: payload.readBigUInt64LE(8),
    outAmount: payload.readBigUInt64LE(16),
    currency,
  };
}
