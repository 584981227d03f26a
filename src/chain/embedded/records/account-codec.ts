import type { Address } from '../../../solana/address.ts';
import type { ByteReader } from '../../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import type { Account } from '../../accounts.ts';

/** An address with its account, or null when there is none. */
export type AccountEntry = readonly [address: Address, account: Account | null];

const HEADER = 32 + 1 + 8 + 32 + 1 + 8 + 4;

/**
 * Encodes an address followed by 0, or by 1, lamports (u64), owner, executable, rent epoch (u64), length (u32) and data.
 * The result has two parts, so that the data is not copied.
 */
export function encodeAccount([address, account]: AccountEntry): Uint8Array[] {
  const header = new ByteWriter(HEADER).address(address);
  if (account === null) return [header.u8(0).finish()];
  header.u8(1).u64(account.lamports).address(account.owner).bool(account.executable).u64(account.rentEpoch);
  return [header.u32(account.data.length).finish(), account.data];
}

export function decodeAccount(reader: ByteReader): AccountEntry {
  const address = reader.address();
  if (!reader.bool()) return [address, null];
  const lamports = reader.u64();
  const owner = reader.address();
  const executable = reader.bool();
  const rentEpoch = reader.u64();
  // Copied, because a view would keep the whole file in memory.
  const data = reader.bytes(reader.u32()).slice();
  return [address, { lamports, owner, data, executable, rentEpoch }];
}
