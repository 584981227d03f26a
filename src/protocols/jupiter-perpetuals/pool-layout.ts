import type { Address } from '../../solana/address.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import { findProgramAddress } from '../../solana/pda.ts';
import { JLP_POOL, PERPETUALS_PROGRAM } from './layout.ts';

// The accounts above the custodies. Source: the program's public IDL.

const POOL_NAME = Buffer.from('Pool');
const POOL_TAG = Uint8Array.of(0xf1, 0x9a, 0x6d, 0x04, 0x11, 0xb1, 0x6d, 0xbc);
const PERPETUALS_TAG = Uint8Array.of(0x1c, 0xa7, 0x62, 0xbf, 0x68, 0x52, 0x6c, 0xc4);

const POOL = findProgramAddress(PERPETUALS_PROGRAM, [Buffer.from('pool'), POOL_NAME]);
/** The account of the whole program. */
export const PERPETUALS = findProgramAddress(PERPETUALS_PROGRAM, [Buffer.from('perpetuals')]);
/** The owner of all tokens of the program. */
export const PERPETUALS_AUTHORITY = findProgramAddress(PERPETUALS_PROGRAM, [
  Buffer.from('transfer_authority'),
]);

/** A pool of custodies. Dollars have six decimals. */
export interface PerpetualsPool {
  readonly custodies: readonly Address[];
  readonly aumUsd: bigint;
  readonly maxAumUsd: bigint;
  /** Unix second. */
  readonly foundedAt: bigint;
  readonly updatedAt: bigint;
  readonly lpTokenBump: number;
}

/** Encodes `JLP_POOL`. Its fees are those of the public pool in the order of magnitude, and it has earned nothing yet. */
export function encodePerpetualsPool(pool: PerpetualsPool): Uint8Array {
  const to = new ByteWriter().bytes(POOL_TAG).u32(POOL_NAME.length).bytes(POOL_NAME);
  to.u32(pool.custodies.length);
  for (const each of pool.custodies) to.address(each);
  to.u128(pool.aumUsd).u128(pool.maxAumUsd).u128(0n).u64(0n);
  for (const fee of [2n, 2n, 5n, 0n, 15n, 0n, 5n, 0n, 2_500n]) to.u64(fee);
  to.i64(pool.foundedAt).zeros(16).i64(45n).u8(POOL.bump).u8(pool.lpTokenBump).i64(pool.foundedAt);
  return to.zeros(33).i64(pool.updatedAt).finish();
}

/** Encodes the account of the program with one pool, which allows everything. */
export function encodePerpetuals(admin: Address, foundedAt: bigint): Uint8Array {
  const to = new ByteWriter().bytes(PERPETUALS_TAG).bytes(new Uint8Array(7).fill(1));
  to.u32(1).address(JLP_POOL).address(admin);
  return to.u8(PERPETUALS_AUTHORITY.bump).u8(PERPETUALS.bump).i64(foundedAt).finish();
}
