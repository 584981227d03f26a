import { LayoutInvalid } from '../../../../../solana/codec/byte-reader.ts';
import { decodeNonceAccount } from '../../../../../solana/programs/system.ts';
import type { ParsedData } from './parsed-data.ts';

/**
 * Parses a nonce account of the System program. An uninitialized one cannot be distinguished from other accounts of its
 * length and is not parsed.
 */
export function parseNonce(data: Uint8Array): ParsedData {
  const account = decodeNonceAccount(data);
  if (account === null) throw new LayoutInvalid('the nonce account is not initialized');
  const { authority, nonce, lamportsPerSignature } = account;
  const feeCalculator = { lamportsPerSignature: lamportsPerSignature.toString() };
  return { type: 'initialized', info: { authority, blockhash: nonce, feeCalculator } };
}
