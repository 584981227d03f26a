import type { Address } from '../address.ts';

/** The role of an account in an instruction, numbered like `AccountRole` of `@solana/kit`: bit 0 writable, bit 1 signer. */
export const AccountRole = { READONLY: 0, WRITABLE: 1, READONLY_SIGNER: 2, WRITABLE_SIGNER: 3 } as const;
export type AccountRole = (typeof AccountRole)[keyof typeof AccountRole];

export interface AccountMeta {
  readonly address: Address;
  readonly role: AccountRole;
  /**
   * Keeps the account among the message's static accounts even if a lookup table contains it, so that it can be read
   * from the message without the tables.
   */
  readonly named?: true;
}

/** An instruction in the shape of `@solana/kit`, so that instructions of its clients can be used. */
export interface Instruction {
  readonly programAddress: Address;
  readonly accounts: readonly AccountMeta[];
  readonly data: Uint8Array;
}

export function isSigner(role: AccountRole): boolean {
  return (role & 2) !== 0;
}

export function isWritable(role: AccountRole): boolean {
  return (role & 1) !== 0;
}

export function readonly(address: Address): AccountMeta {
  return { address, role: AccountRole.READONLY };
}

export function writable(address: Address): AccountMeta {
  return { address, role: AccountRole.WRITABLE };
}

/** A readonly account that is never looked up in a table: see `AccountMeta.named`. */
export function namedReadonly(address: Address): AccountMeta {
  return { address, role: AccountRole.READONLY, named: true };
}

/** A writable account that is never looked up in a table: see `AccountMeta.named`. */
export function namedWritable(address: Address): AccountMeta {
  return { address, role: AccountRole.WRITABLE, named: true };
}

export function readonlySigner(address: Address): AccountMeta {
  return { address, role: AccountRole.READONLY_SIGNER };
}

export function writableSigner(address: Address): AccountMeta {
  return { address, role: AccountRole.WRITABLE_SIGNER };
}

/** Returns the instruction with a further signer at its end, which most programs do not look at. */
export function addSigner(instruction: Instruction, signer: Address): Instruction {
  return { ...instruction, accounts: [...instruction.accounts, readonlySigner(signer)] };
}
