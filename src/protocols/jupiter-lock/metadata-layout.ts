import { type Address, toAddressBytes } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import type { ByteWriter } from '../../solana/codec/byte-writer.ts';
import { findProgramAddress } from '../../solana/pda.ts';
import { LOCK_PROGRAM } from './layout.ts';

const TAG = Uint8Array.of(0x18, 0xcc, 0xa6, 0x68, 0x57, 0x9e, 0x4c, 0x0d);

/** The texts that the creator of an escrow writes. The program checks only that they are valid UTF-8. */
export interface VestingTexts {
  readonly name: string;
  readonly description: string;
  readonly creatorEmail: string;
  readonly recipientEmail: string;
}

export interface VestingEscrowMetadata extends VestingTexts {
  readonly escrow: Address;
}

export function deriveVestingEscrowMetadata(escrow: Address): Address {
  return findProgramAddress(LOCK_PROGRAM, [Buffer.from('escrow_metadata'), toAddressBytes(escrow)]).address;
}

/**
 * Decodes `VestingEscrowMetadata` of the program's public IDL.
 *
 * @throws LayoutInvalid when the data is not that of metadata.
 */
export function decodeVestingEscrowMetadata(data: Uint8Array): VestingEscrowMetadata {
  const from = new ByteReader(data, 'metadata of a vesting escrow');
  from.expect(TAG, 'discriminator');
  return {
    escrow: from.address(),
    name: readText(from),
    description: readText(from),
    creatorEmail: readText(from),
    recipientEmail: readText(from),
  };
}

/** Writes a text as borsh has it: its length in bytes, and the bytes. */
export function writeVestingText(to: ByteWriter, text: string): ByteWriter {
  const bytes = new TextEncoder().encode(text);
  return to.u32(bytes.length).bytes(bytes);
}

function readText(from: ByteReader): string {
  return Buffer.from(from.bytes(from.u32())).toString('utf8');
}
