import { LayoutInvalid } from '../../../../../solana/codec/byte-reader.ts';
import { decodeNonceAccount } from '../../../../../solana/programs/system.ts';
import type { ParsedData } from './parsed-data.ts';

/**
 * A durable nonce of the System program. An uninitialised one is not told apart from any other account of its length,
 * so it is not parsed.
 */
export function parseNonce(data: Uint8Array): ParsedData {
  const account = decodeNonceAccount(data);
  if (account === null) throw new LayoutInvalid('the nonce account is not initialized');
  const { authority, nonce, lamportsPerSignature } = account;
  const feeCalculator = { lamportsPerSignature: lamportsPerSignature.toString() };
  return { type: 'initialized', info: { authority, blockhash: nonce, feeCalculator } };
}
