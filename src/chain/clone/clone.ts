import type { Account } from '../accounts.ts';
import type { AddressedAccount } from '../records/records.ts';
import { OperatorError } from '../../common/operator-error.ts';
import type { Address } from '../../solana/address.ts';
import {
  BPF_LOADER,
  BPF_LOADER_DEPRECATED,
  BPF_LOADER_UPGRADEABLE,
  LOADER_V4,
  NATIVE_LOADER,
  SYSVAR_OWNER,
} from '../../solana/program-addresses.ts';
import type { AccountSource } from './account-source.ts';
import { checkProgramBinary, getProgramElf, locateProgram, type ProgramBinary } from './program-binary.ts';

/** Accounts and programs from outside, which the embedded network has in addition to its genesis or in its place. */
export interface ClonedAccounts {
  readonly accounts: readonly AddressedAccount[];
  readonly programs: readonly ProgramBinary[];
}

/** The maximum number of accounts that one start copies, to protect public RPCs from a mistaken setting. */
export const MAX_CLONES = 1000;

/**
 * Copies accounts, and programs with their code. Accounts that the data refers to, such as mints and vaults, are not
 * copied: list each account that is needed.
 *
 * @throws OperatorError for an address that does not exist at the source or cannot be copied to another network.
 */
export async function cloneFrom(
  source: AccountSource,
  addresses: readonly Address[],
): Promise<ClonedAccounts> {
  if (addresses.length > MAX_CLONES) {
    throw new OperatorError(
      `${addresses.length} accounts are to be copied; at most ${MAX_CLONES} can be at once`,
    );
  }
  const unique = [...new Set(addresses)];
  const found = await source.read(unique);
  const accounts: AddressedAccount[] = [];
  const programs: ProgramBinary[] = [];
  const elsewhere: { readonly address: Address; readonly programData: Address }[] = [];
  unique.forEach((address, index) => {
    const account = cloneable(address, found[index] ?? null, source.origin);
    if (!account.executable) {
      accounts.push({ address, account });
      return;
    }
    const location = locateProgram(address, account);
    if (location.kind === 'here') programs.push({ address, elf: location.elf });
    else elsewhere.push({ address, programData: location.address });
  });
  const programData = await source.read(elsewhere.map((program) => program.programData));
  elsewhere.forEach((program, index) => {
    const elf = getProgramElf(program.programData, programData[index] ?? null);
    programs.push({ address: program.address, elf });
  });
  for (const { address, elf } of programs) checkProgramBinary(elf, `${address} from ${source.origin}`);
  return { accounts, programs };
}

function cloneable(address: Address, account: Account | null, origin: string): Account {
  if (account === null) throw new OperatorError(`there is no account ${address} at ${origin}`);
  refuseRuntimeAccount(address, account);
  return account;
}

/** Accounts of these owners hold the code of programs, which is only loaded together with the program. */
const LOADERS: readonly Address[] = [BPF_LOADER_DEPRECATED, BPF_LOADER, BPF_LOADER_UPGRADEABLE, LOADER_V4];

/**
 * Refuses accounts that every network creates itself.
 *
 * @throws OperatorError for built-in programs, sysvars and accounts with a program's code.
 */
export function refuseRuntimeAccount(address: Address, { owner, executable }: Account): void {
  if (owner === NATIVE_LOADER) {
    throw new OperatorError(`${address} is built into the runtime: every network has it already`);
  }
  if (owner === SYSVAR_OWNER) {
    throw new OperatorError(`${address} is a sysvar: every network writes its own`);
  }
  if (!executable && LOADERS.includes(owner)) {
    throw new OperatorError(`${address} holds the code of a program: load the program instead`);
  }
}
