import type { Account } from '../accounts.ts';
import { OperatorError } from '../../common/operator-error.ts';
import type { Address } from '../../solana/address.ts';
import { BPF_LOADER, BPF_LOADER_UPGRADEABLE } from '../../solana/program-addresses.ts';
import {
  decodeProgram,
  decodeProgramData,
  PROGRAM_DATA_HEADER,
} from '../../solana/programs/upgradeable-loader.ts';
import { MAX_ACCOUNT_DATA } from '../records/account-json.ts';

/** A program and its ELF file. */
export interface ProgramBinary {
  readonly address: Address;
  readonly elf: Uint8Array;
}

const ELF_HEADER = 64;
const ELF_MAGIC = 0x7f454c46;
const CLASS_64 = 2;
const LITTLE_ENDIAN = 1;
const SHARED_OBJECT = 3;
/** EM_BPF, and EM_SBPF of newer toolchains. */
const MACHINES = [247, 263];

/** The maximum size of a program's ELF file in bytes. */
export const MAX_PROGRAM = MAX_ACCOUNT_DATA - PROGRAM_DATA_HEADER;

/**
 * Checks that bytes are an ELF file for Solana's virtual machine. The virtual machine verifies the code when it loads.
 *
 * @param source - Where the bytes are from, for messages.
 * @throws OperatorError that says what is wrong.
 */
export function checkProgramBinary(bytes: Uint8Array, source: string): void {
  const refuse = (what: string) => new OperatorError(`${source} is no Solana program: ${what}`);
  if (bytes.length > MAX_PROGRAM) throw refuse(`${bytes.length} bytes, at most ${MAX_PROGRAM} are allowed`);
  if (bytes.length < ELF_HEADER) throw refuse(`${bytes.length} bytes are too few for an ELF header`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0) !== ELF_MAGIC) throw refuse('it does not begin as an ELF file (7f 45 4c 46)');
  if (bytes[4] !== CLASS_64 || bytes[5] !== LITTLE_ENDIAN)
    throw refuse('the ELF is not 64-bit little-endian');
  const type = view.getUint16(16, true);
  if (type !== SHARED_OBJECT) throw refuse(`the ELF's type is ${type}, not ${SHARED_OBJECT} (shared object)`);
  const machine = view.getUint16(18, true);
  if (!MACHINES.includes(machine)) {
    throw refuse(`the ELF is for machine ${machine}, not ${MACHINES.join(' or ')} (BPF)`);
  }
}

/** Where the code of a program is: in its own account, or in a programdata account. */
export type ProgramLocation =
  | { readonly kind: 'here'; readonly elf: Uint8Array }
  | { readonly kind: 'programdata'; readonly address: Address };

/**
 * Finds the code of a program.
 *
 * @param account - The program's own account.
 * @throws OperatorError for loaders whose programs cannot be copied.
 */
export function locateProgram(address: Address, account: Account): ProgramLocation {
  if (account.owner === BPF_LOADER) return { kind: 'here', elf: account.data };
  if (account.owner !== BPF_LOADER_UPGRADEABLE) {
    throw new OperatorError(
      `${address} is a program of the loader ${account.owner}; programs of ${BPF_LOADER_UPGRADEABLE} and ${BPF_LOADER} can be copied`,
    );
  }
  const programData = decodeProgram(account.data);
  if (programData === null) {
    throw new OperatorError(
      `${address} is executable, but its ${account.data.length} bytes name no programdata account`,
    );
  }
  return { kind: 'programdata', address: programData };
}

/**
 * Returns the ELF file in a programdata account, with any zeros that follow it.
 *
 * @throws OperatorError when the account is not a programdata account.
 */
export function getProgramElf(address: Address, account: Account | null): Uint8Array {
  const elf = account?.owner === BPF_LOADER_UPGRADEABLE ? decodeProgramData(account.data) : null;
  if (elf !== null) return elf;
  throw new OperatorError(`${address} is named as the home of a program, but is no programdata account`);
}
