import { type Address, toAddressBytes } from '../address.ts';
import { ByteReader } from '../codec/byte-reader.ts';
import { ByteWriter } from '../codec/byte-writer.ts';
import { findProgramAddress } from '../pda.ts';
import { BPF_LOADER_UPGRADEABLE } from '../program-addresses.ts';

/** Tags of the loader's accounts (bincode of `UpgradeableLoaderState`). */
const PROGRAM = 2;
const PROGRAM_DATA = 3;
const PROGRAM_SIZE = 36;
/** The size of the tag, the slot of deployment and the optional authority. The code always begins after it. */
export const PROGRAM_DATA_HEADER = 45;

/** Where the optional authority begins, after the tag and the slot: 0 says that there is none. */
const AUTHORITY_AT = 12;

/** Derives the address of the account that holds a program's code. */
export function deriveProgramDataAddress(program: Address): Address {
  return findProgramAddress(BPF_LOADER_UPGRADEABLE, [toAddressBytes(program)]).address;
}

/** Encodes the data of the program's own account, which points to the account with its code. */
export function encodeProgram(programData: Address): Uint8Array {
  return new ByteWriter(PROGRAM_SIZE).u32(PROGRAM).address(programData).finish();
}

/** Encodes the data of the account with a program's code: deployed in slot 0 and without an upgrade authority. */
export function encodeProgramData(elf: Uint8Array): Uint8Array {
  return new ByteWriter(PROGRAM_DATA_HEADER + elf.length)
    .u32(PROGRAM_DATA)
    .zeros(PROGRAM_DATA_HEADER - 4)
    .bytes(elf)
    .finish();
}

/** Returns the address of the account with the program's code, or null when `data` is not a program account's. */
export function decodeProgram(data: Uint8Array): Address | null {
  if (data.length < PROGRAM_SIZE) return null;
  const reader = new ByteReader(data, 'program');
  return reader.u32() === PROGRAM ? reader.address() : null;
}

/** Whether nobody can upgrade the program any more. `data` is that of a program-data account. */
export function isUpgradeAuthorityGone(data: Uint8Array): boolean {
  return data[AUTHORITY_AT] === 0;
}

/**
 * Returns the program's code.
 *
 * Returns a view of `data`, with any zeros that follow the code, or null when `data` is not a program-data account's.
 */
export function decodeProgramData(data: Uint8Array): Uint8Array | null {
  if (data.length < PROGRAM_DATA_HEADER) return null;
  return new ByteReader(data, 'program data').u32() === PROGRAM_DATA
    ? data.subarray(PROGRAM_DATA_HEADER)
    : null;
}
