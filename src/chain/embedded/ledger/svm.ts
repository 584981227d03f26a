import * as litesvm from 'litesvm/dist/internal.js';
import { type Address, toAddressBytes, toAddress } from '../../../solana/address.ts';
import {
  BPF_LOADER,
  BPF_LOADER_DEPRECATED,
  BPF_LOADER_UPGRADEABLE,
  CONFIG_PROGRAM,
  LOADER_V4,
  NATIVE_LOADER,
  SYSTEM_PROGRAM,
  SYSVAR_OWNER,
} from '../../../solana/program-addresses.ts';
import { decodeProgram, decodeProgramData } from '../../../solana/programs/upgradeable-loader.ts';
import type { Account } from '../../accounts.ts';
import { SLOTS_PER_EPOCH } from '../blocks/blocks.ts';
import type { AddressedAccount } from '../../records/records.ts';

export type Svm = litesvm.LiteSvm;

const FEATURE_OWNER = 'Feature111111111111111111111111111111111111' as Address;

/** The owners of all accounts of a new LiteSVM. */
const OWNERS_AT_START = [
  NATIVE_LOADER,
  SYSVAR_OWNER,
  FEATURE_OWNER,
  BPF_LOADER_DEPRECATED,
  BPF_LOADER,
  BPF_LOADER_UPGRADEABLE,
  LOADER_V4,
  CONFIG_PROGRAM,
];

const ELF_MAGIC = 0x464c457f;

/**
 * Creates a LiteSVM that leaves blockhashes and duplicates to the bank, has no lamports of its own, and whose epochs are
 * all 432,000 slots long.
 */
export function createSvm(): Svm {
  const svm = new litesvm.LiteSvm();
  svm.setBlockhashCheck(false);
  svm.setTransactionHistory(0n);
  for (const { address } of svm.getProgramAccounts(toAddressBytes(SYSTEM_PROGRAM))) {
    svm.setAccount(
      address,
      new litesvm.Account(0n, new Uint8Array(0), toAddressBytes(SYSTEM_PROGRAM), false, 0n),
    );
  }
  svm.setEpochSchedule(new litesvm.EpochSchedule(SLOTS_PER_EPOCH, SLOTS_PER_EPOCH, false, 0n, 0n));
  return svm;
}

/** Returns the accounts of a new LiteSVM: built-in and SPL programs, sysvars and feature accounts. */
export function listStartAccounts(svm: Svm): AddressedAccount[] {
  return OWNERS_AT_START.flatMap((owner) =>
    svm.getProgramAccounts(toAddressBytes(owner)).map((entry) => ({
      address: toAddress(entry.address),
      account: toChainAccount(entry.account()),
    })),
  );
}

export function readAccount(svm: Svm, address: Address): Account | null {
  const account = svm.getAccount(toAddressBytes(address));
  return account === null ? null : toChainAccount(account);
}

/** Writes an account; null deletes it. Throws with LiteSVM's reason when a program or a sysvar's data is invalid. */
export function writeAccount(svm: Svm, address: Address, account: Account | null): void {
  if (account?.executable && account.owner === LOADER_V4) {
    throw new Error(`${address} is a program of ${LOADER_V4}, a loader that this network does not have`);
  }
  const { lamports, data, owner, executable, rentEpoch } = account ?? ABSENT;
  svm.setAccount(
    toAddressBytes(address),
    new litesvm.Account(lamports, data, toAddressBytes(owner), executable, rentEpoch),
  );
}

/** Writes accounts, program data first, because a program whose data is missing counts as closed. */
export function writeAccounts(svm: Svm, accounts: readonly AddressedAccount[]): void {
  for (const { address, account } of accounts) if (!account.executable) writeAccount(svm, address, account);
  for (const { address, account } of accounts) if (account.executable) writeAccount(svm, address, account);
}

/**
 * Whether LiteSVM can load `program` after a transaction. It aborts the process when a program's data account exists but
 * contains no program, which a transaction that closes a program can cause.
 */
export function isLoadable(program: Account, accountAt: (address: Address) => Account | null): boolean {
  if (program.owner !== BPF_LOADER_UPGRADEABLE) return true;
  const address = decodeProgram(program.data);
  if (address === null) return false;
  const programData = accountAt(address);
  if (programData === null) return true;
  const elf = decodeProgramData(programData.data);
  return (
    elf !== null && elf.length >= 4 && Buffer.from(elf.buffer, elf.byteOffset).readUInt32LE() === ELF_MAGIC
  );
}

const ABSENT: Account = {
  lamports: 0n,
  owner: SYSTEM_PROGRAM,
  data: new Uint8Array(0),
  executable: false,
  rentEpoch: 0n,
};

export function toChainAccount(account: litesvm.Account): Account {
  return {
    lamports: account.lamports(),
    owner: toAddress(account.owner()),
    data: account.data(),
    executable: account.executable(),
    rentEpoch: account.rentEpoch(),
  };
}
