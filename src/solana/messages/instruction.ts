import type { Address } from '../address.ts';

/** Bit 0: writable, bit 1: signer. The numbers are those of `AccountRole` in `@solana/kit`. */
export const Role = { READONLY: 0, WRITABLE: 1, READONLY_SIGNER: 2, WRITABLE_SIGNER: 3 } as const;
export type Role = (typeof Role)[keyof typeof Role];

export interface AccountMeta {
  readonly address: Address;
  readonly role: Role;
  /** By its address in the message, though a lookup table has it: for who reads the message without its tables. */
  readonly named?: true;
}

/** The shape that `@solana/kit` calls `Instruction`, so that its clients' instructions can be passed in. */
export interface Instruction {
  readonly programAddress: Address;
  readonly accounts: readonly AccountMeta[];
  readonly data: Uint8Array;
}

export function isSigner(role: Role): boolean {
  return (role & 2) !== 0;
}

export function isWritable(role: Role): boolean {
  return (role & 1) !== 0;
}

export function readonly(address: Address): AccountMeta {
  return { address, role: Role.READONLY };
}

export function writable(address: Address): AccountMeta {
  return { address, role: Role.WRITABLE };
}

export function namedReadonly(address: Address): AccountMeta {
  return { address, role: Role.READONLY, named: true };
}

export function namedWritable(address: Address): AccountMeta {
  return { address, role: Role.WRITABLE, named: true };
}

export function readonlySigner(address: Address): AccountMeta {
  return { address, role: Role.READONLY_SIGNER };
}

export function writableSigner(address: Address): AccountMeta {
  return { address, role: Role.WRITABLE_SIGNER };
}
