import { ByteReader } from '../../../../../solana/codec/byte-reader.ts';
import { nameAccounts, type ParsedInstruction, type PlainInstruction } from './instruction.ts';

const TABLE = ['lookupTableAccount', 'lookupTableAuthority'] as const;

/** Parses the instructions of the address-lookup-table program: bincode, with the kind as u32. */
export function parseLookupTableInstruction(instruction: PlainInstruction): ParsedInstruction {
  const reader = new ByteReader(instruction.data, 'lookup table instruction');
  const kind = reader.u32();
  switch (kind) {
    case 0: {
      const accounts = nameAccounts(instruction, ...TABLE, 'payerAccount', 'systemProgram');
      return {
        type: 'createLookupTable',
        info: { ...accounts, recentSlot: reader.u64(), bumpSeed: reader.u8() },
      };
    }
    case 1:
      return { type: 'freezeLookupTable', info: nameAccounts(instruction, ...TABLE) };
    case 2:
      return { type: 'extendLookupTable', info: extended(instruction, reader) };
    case 3:
      return { type: 'deactivateLookupTable', info: nameAccounts(instruction, ...TABLE) };
    case 4:
      return { type: 'closeLookupTable', info: nameAccounts(instruction, ...TABLE, 'recipient') };
    default:
      return reader.fail(`unknown kind ${kind}`);
  }
}

function extended(instruction: PlainInstruction, reader: ByteReader) {
  const count = reader.u64();
  if (count > BigInt(Math.floor(reader.remaining / 32))) reader.fail(`${count} addresses`);
  const newAddresses = Array.from({ length: Number(count) }, () => reader.address());
  const paid = instruction.accounts.length >= 4 ? ['payerAccount', 'systemProgram'] : [];
  return { ...nameAccounts(instruction, ...TABLE, ...paid), newAddresses };
}
