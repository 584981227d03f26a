import { ByteReader } from '../../../../../solana/byte-reader.ts';
import type { ParsedData } from './parsed-data.ts';

/** Length of the data of every nonce account. */
const NONCE_BYTES = 80;
const VERSIONS = 2;
const INITIALIZED = 1;

/**
 * A durable nonce of the System program: version (u32), state (u32), authority, nonce, lamports per signature (u64).
 * An uninitialised one is not told apart from any other account of this length, so it is not parsed.
 */
export function parseNonce(data: Uint8Array): ParsedData {
  const reader = new ByteReader(data, 'nonce account');
  if (data.length < NONCE_BYTES) reader.fail(`needs ${NONCE_BYTES} bytes, got ${data.length}`);
  const version = reader.u32();
  const state = reader.u32();
  if (version >= VERSIONS || state !== INITIALIZED) reader.fail(`version ${version}, state ${state}`);
  const authority = reader.address();
  const blockhash = reader.address();
  const lamportsPerSignature = reader.u64().toString();
  return { type: 'initialized', info: { authority, blockhash, feeCalculator: { lamportsPerSignature } } };
}
