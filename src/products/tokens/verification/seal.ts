import { openSeal as openGeneralSeal, seal } from '../../../transactions/prepared/seal.ts';

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

/**
 * Makes the request id of a payment, which vouches for the message and its sender.
 *
 * @param key of 32 bytes, which only the service knows
 */
export function sealPayment(key: Uint8Array, payment: SealedPayment): string {
  const payload = Buffer.alloc(PAYLOAD_BYTES);
  payload.writeBigUInt64LE(payment.lastValidBlockHeight, 0);
  payload.writeBigUInt64LE(payment.amount, 8);
  return seal(key, payload, { purpose: payment.sender, messageBytes: payment.messageBytes });
}

/**
 * @returns what the id says; null if it was not made by `sealPayment` for this sender and this message
 */
export function openSeal(
  key: Uint8Array,
  requestId: string,
  { sender, messageBytes }: Pick<SealedPayment, 'sender' | 'messageBytes'>,
): Pick<SealedPayment, 'lastValidBlockHeight' | 'amount'> | null {
  const payload = openGeneralSeal(key, requestId, PAYLOAD_BYTES, { purpose: sender, messageBytes });
  if (payload === null) return null;
  return { lastValidBlockHeight: payload.readBigUInt64LE(0), amount: payload.readBigUInt64LE(8) };
}
