import type { Account } from '../chain.ts';
import type { AddressedAccount } from '../embedded/records/records.ts';
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
import { checkProgramBinary, elfOfProgramData, locateProgram, type ProgramBinary } from './program-binary.ts';

/** Accounts and programs from outside that go into the network in place of, or beside, the genesis' own. */
export interface Loaded {
  readonly accounts: readonly AddressedAccount[];
  readonly programs: readonly ProgramBinary[];
}

/** A bound on what one start copies, so that a slip does not ask a public RPC for everything. */
export const MAX_CLONES = 1000;

/**
 * Copies accounts, and programs with the code that they point to. What data refers to (mints, vaults, ...) is not
 * followed: name each account that is needed.
 *
 * @throws OperatorError for an address that does not exist at the source or cannot stand in another network.
 */
export async function cloneFrom(source: AccountSource, addresses: readonly Address[]): Promise<Loaded> {
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
    const elf = elfOfProgramData(program.programData, programData[index] ?? null);
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

/** The code of a program stands in accounts of these: it is loaded with the program, or not at all. */
const LOADERS: readonly Address[] = [BPF_LOADER_DEPRECATED, BPF_LOADER, BPF_LOADER_UPGRADEABLE, LOADER_V4];

/** @throws OperatorError for what a network makes by itself, which nothing from outside can stand in for */
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
