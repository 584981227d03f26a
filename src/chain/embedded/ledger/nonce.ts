import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import { SYSTEM_PROGRAM } from '../../../solana/program-addresses.ts';
import { sha256 } from '../../../solana/encoding/sha256.ts';
import { NONCE_ACCOUNT_SIZE } from '../../../solana/programs/system.ts';
import type { Account } from '../../accounts.ts';

const STATE_AT = 4;
const NONCE_AT = 40;
const INITIALIZED = 1;
const PREFIX = new TextEncoder().encode('DURABLE_NONCE');

/** Returns the nonce that advancing yields while `blockhash` is the newest: SHA-256("DURABLE_NONCE" blockhash). */
export function computeDurableNonce(blockhash: Uint8Array): Uint8Array {
  return sha256(new ByteWriter(PREFIX.length + 32).bytes(PREFIX).bytes(blockhash).finish());
}

/** Returns the nonce of an account, or null when it is not an initialized nonce account. */
export function findNonce(account: Account | null): Uint8Array | null {
  if (account === null || account.owner !== SYSTEM_PROGRAM || account.data.length !== NONCE_ACCOUNT_SIZE)
    return null;
  if (account.data[STATE_AT] !== INITIALIZED) return null;
  return account.data.subarray(NONCE_AT, NONCE_AT + 32);
}

export function replaceNonce(account: Account, nonce: Uint8Array): Account {
  const data = account.data.slice();
  data.set(nonce, NONCE_AT);
  return { ...account, data };
}
