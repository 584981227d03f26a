import { type Address, toAddressBytes } from '../../address.ts';
import { ByteWriter } from '../../codec/byte-writer.ts';
import { sha256 } from '../../encoding/sha256.ts';
import { findProgramAddress } from '../../pda.ts';
import { SMART_ACCOUNT_PROGRAM } from './program.ts';

const PREFIX = Buffer.from('smart_account');
const PROGRAM_CONFIG = Buffer.from('program_config');
const SETTINGS = Buffer.from('settings');

/** Derives the address of the program's own configuration. */
export function deriveSmartAccountConfig(): Address {
  return findProgramAddress(SMART_ACCOUNT_PROGRAM, [PREFIX, PROGRAM_CONFIG]).address;
}

/** Derives the address of the settings of a smart account, by the number of the account. */
export function deriveSmartAccountSettings(seed: bigint): Address {
  const number = new ByteWriter(16).u128(seed).finish();
  return findProgramAddress(SMART_ACCOUNT_PROGRAM, [PREFIX, SETTINGS, number]).address;
}

/** Derives the address of a vault, which holds what the signers of `settings` move together. */
export function deriveVault(settings: Address, index: number): Address {
  return findProgramAddress(SMART_ACCOUNT_PROGRAM, [
    PREFIX,
    toAddressBytes(settings),
    PREFIX,
    Uint8Array.of(index),
  ]).address;
}

/** One byte of the seeds numbers the vaults of a smart account. */
const VAULTS = 256;
/** Each bump is needed half as often as the one above it, so one of a billion vaults has a lower one. */
const LOWEST_BUMP = 226;
const MARKER = Buffer.from('ProgramDerivedAddress');

/**
 * Returns the number of a vault; null if `vault` is none of this smart account. Only a hash that is the vault's address is
 * checked against the curve, because checking all of them would take several times as long.
 */
export function findVaultIndex(settings: Address, vault: Address): number | null {
  const seeds = Buffer.concat([PREFIX, toAddressBytes(settings), PREFIX, Buffer.alloc(2)]);
  const preimage = Buffer.concat([seeds, toAddressBytes(SMART_ACCOUNT_PROGRAM), MARKER]);
  const wanted = toAddressBytes(vault);
  for (let bump = 255; bump >= LOWEST_BUMP; bump--) {
    preimage[seeds.length - 1] = bump;
    for (let index = 0; index < VAULTS; index++) {
      preimage[seeds.length - 2] = index;
      if (Buffer.compare(sha256(preimage), wanted) !== 0) continue;
      return deriveVault(settings, index) === vault ? index : null;
    }
  }
  return null;
}
