import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519';
import { bytesToNumberLE, concatBytes, numberToBytesLE } from '@noble/curves/utils';
import type { Keypair } from '../../solana/keypair.ts';
import { encodeTransaction, type Transaction } from '../../solana/messages/transaction.ts';

/**
 * Signs a message with a nonce of the signer's choice, as RFC 8032 does with the one that it derives. Each nonce gives
 * another signature, and all of them are valid.
 */
export function signWithNonce({ secretKey }: Keypair, message: Uint8Array, nonce: bigint): Uint8Array {
  const { scalar, pointBytes } = ed25519.utils.getExtendedPublicKey(secretKey.subarray(0, 32));
  const order = ed25519.CURVE.n;
  const commitment = ed25519.ExtendedPoint.BASE.multiply(nonce).toRawBytes();
  const digest = createHash('sha512').update(commitment).update(pointBytes).update(message).digest();
  const challenge = bytesToNumberLE(digest) % order;
  const response = (nonce + challenge * scalar) % order;
  return concatBytes(commitment, numberToBytesLE(response, 32));
}

/** Returns the transaction with the same message, and another signature of its fee payer. */
export function signedAgain(
  { signatures, messageBytes }: Transaction,
  feePayer: Keypair,
  nonce = 7n,
): Uint8Array {
  const [, ...others] = signatures;
  return encodeTransaction([signWithNonce(feePayer, messageBytes, nonce), ...others], messageBytes);
}
