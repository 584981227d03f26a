import { type Address, toAddress, toAddressBytes } from '../../address.ts';
import { ByteWriter } from '../../codec/byte-writer.ts';
import { sha256 } from '../../encoding/sha256.ts';
import { findProgramAddress } from '../../pda.ts';
import { SYSTEM_PROGRAM } from '../../program-addresses.ts';

const SEED = Buffer.from('anchor:idl');
/** The first eight bytes of the hash of `internal:IdlAccount`. */
export const IDL_ACCOUNT_TAG = sha256(Buffer.from('internal:IdlAccount')).subarray(0, 8);
/** The most bytes of a block of a zlib stream that are stored as they are. */
const MAX_BLOCK = 65_535;
const ADLER_MODULUS = 65_521;

/** Derives where Anchor's clients look for the description of a program's interface. */
export function deriveIdlAddress(program: Address): Address {
  const { address: base } = findProgramAddress(program, []);
  return toAddress(sha256(Buffer.concat([toAddressBytes(base), SEED, toAddressBytes(program)])));
}

/**
 * Encodes the account that holds a description: discriminator, authority, and the JSON in a zlib stream with its length.
 * Nobody is the authority, so the description cannot be changed.
 *
 * @example
 * ```ts
 * import { encodeIdlAccount } from './idl-account.ts';
 *
 * const data = encodeIdlAccount({ address: 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN' });
 * data.length; // 44 bytes and the stream
 * ```
 */
export function encodeIdlAccount(idl: object): Uint8Array {
  const stream = storeZlib(Buffer.from(JSON.stringify(idl)));
  const writer = new ByteWriter(stream.length + 44).bytes(IDL_ACCOUNT_TAG).address(SYSTEM_PROGRAM);
  return writer.u32(stream.length).bytes(stream).finish();
}

/**
 * Returns a zlib stream that stores the bytes without compressing them. Compressed, they would differ between versions of
 * zlib, and the same seed has to give the same genesis everywhere.
 */
function storeZlib(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [Uint8Array.of(0x78, 0x01)];
  for (let at = 0; at === 0 || at < bytes.length; at += MAX_BLOCK) {
    const block = bytes.subarray(at, at + MAX_BLOCK);
    const header = Buffer.alloc(5);
    header.writeUInt8(at + MAX_BLOCK >= bytes.length ? 1 : 0, 0);
    header.writeUInt16LE(block.length, 1);
    header.writeUInt16LE(~block.length & 0xffff, 3);
    parts.push(header, block);
  }
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(computeAdler32(bytes));
  return Buffer.concat([...parts, checksum]);
}

function computeAdler32(bytes: Uint8Array): number {
  let [low, high] = [1, 0];
  for (const byte of bytes) {
    low = (low + byte) % ADLER_MODULUS;
    high = (high + low) % ADLER_MODULUS;
  }
  return high * 65_536 + low;
}
