import type { Account } from '../../../chain/accounts.ts';
import type { AccountType, ProgramAccounts } from '../../../protocol/accounts/program-accounts.ts';
import type { Address } from '../../../solana/address.ts';
import { LayoutInvalid } from '../../../solana/codec/byte-reader.ts';
import { IDL_ACCOUNT, NATIVE_ACCOUNTS } from './native-accounts.ts';

/** An account whose type is known. */
export interface ReadAccount {
  readonly type: AccountType;
  readonly value: object;
}

/** Finds the types of accounts, and reads them. */
export interface AccountTypeReader {
  /** Returns the name of a program whose accounts are declared, or null. */
  readonly findLabel: (program: Address) => string | null;
  /** Returns null for an account of a type that is not known, or whose data is invalid. */
  readonly read: (address: Address, account: Account) => ReadAccount | null;
}

/** An account may have 10 MB. The longest that is decoded has 20 kB, and of a program's code only the head is. */
const MAX_DECODED_BYTES = 131_072;

/** @param programs - The accounts that programs declare. Those of native programs are known without it. */
export function createAccountTypeReader(programs: readonly ProgramAccounts[]): AccountTypeReader {
  const types = new Map<Address, AccountType[]>();
  const labels = new Map<Address, string>();
  for (const { program, label, types: declared } of [...NATIVE_ACCOUNTS, ...programs]) {
    types.set(program, [...(types.get(program) ?? []), ...declared]);
    if (label !== undefined) labels.set(program, label);
  }
  return {
    findLabel: (program) => labels.get(program) ?? null,
    read: (address, { owner, data: whole }) => {
      if (whole.length === 0) return null;
      const data = whole.subarray(0, MAX_DECODED_BYTES);
      for (const type of [...(types.get(owner) ?? []), IDL_ACCOUNT]) {
        const value = readOrNull(type, data, address);
        if (value !== null) return { type, value };
      }
      return null;
    },
  };
}

function readOrNull(type: AccountType, data: Uint8Array, address: Address): object | null {
  try {
    return type.read(data, address);
  } catch (error) {
    if (error instanceof LayoutInvalid) return null;
    throw error;
  }
}
