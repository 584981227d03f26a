import { type Address, addressBytes } from '../address.ts';
import { ByteReader } from '../codec/byte-reader.ts';
import { ByteWriter } from '../codec/byte-writer.ts';
import { findProgramAddress } from '../pda.ts';
import { BPF_LOADER_UPGRADEABLE } from '../program-addresses.ts';

/** Tags of the loader's accounts (bincode of `UpgradeableLoaderState`). */
const PROGRAM = 2;
const PROGRAM_DATA = 3;
const PROGRAM_SIZE = 36;
/** Tag, slot of deployment, and the authority with its option byte; the code begins behind, whether there is one or not. */
export const PROGRAM_DATA_HEADER = 45;

/** Where the loader keeps the code of a program. */
export function programDataAddress(program: Address): Address {
  return findProgramAddress(BPF_LOADER_UPGRADEABLE, [addressBytes(program)]).address;
}

/** The data of the program's own account. */
export function encodeProgram(programData: Address): Uint8Array {
  return new ByteWriter(PROGRAM_SIZE).u32(PROGRAM).address(programData).finish();
}

/** The data of the account with its code, deployed in slot 0 and not to be changed. */
export function encodeProgramData(elf: Uint8Array): Uint8Array {
  return new ByteWriter(PROGRAM_DATA_HEADER + elf.length)
    .u32(PROGRAM_DATA)
    .zeros(PROGRAM_DATA_HEADER - 4)
    .bytes(elf)
    .finish();
}

/** Where the code of this program is; null when the data is not a program's. */
export function decodeProgram(data: Uint8Array): Address | null {
  if (data.length < PROGRAM_SIZE) return null;
  const reader = new ByteReader(data, 'program');
  return reader.u32() === PROGRAM ? reader.address() : null;
}

/** The code in a program's data, a view, with the zeros that may follow it; null when it is no such data. */
export function decodeProgramData(data: Uint8Array): Uint8Array | null {
  if (data.length < PROGRAM_DATA_HEADER) return null;
  return new ByteReader(data, 'program data').u32() === PROGRAM_DATA
    ? data.subarray(PROGRAM_DATA_HEADER)
    : null;
}
