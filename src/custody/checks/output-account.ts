import { type Address, toAddressBytes } from '../../solana/address.ts';
import { sha256 } from '../../solana/encoding/sha256.ts';
import { deriveSeededAddress } from '../../solana/pda.ts';

const SEED_BYTES = 16;
const SEED_PREFIX = new TextEncoder().encode('output of ');

/** Returns the seed of the account that an order buys into, which follows from the account that it sells from. */
export function computeOutputSeed(account: Address): string {
  const digest = sha256(Buffer.concat([SEED_PREFIX, toAddressBytes(account)]));
  return Buffer.from(digest.subarray(0, SEED_BYTES)).toString('hex');
}

/**
 * Derives the address of the account that an order buys into. Nobody but the vault can create it, so a fill that pays into it
 * pays nobody else.
 */
export function deriveOutputAccount(vault: Address, account: Address, tokenProgram: Address): Address {
  return deriveSeededAddress(vault, computeOutputSeed(account), tokenProgram);
}
