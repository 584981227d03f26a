import type { Address } from '../address.ts';
import { ByteReader } from '../codec/byte-reader.ts';
import { ByteWriter } from '../codec/byte-writer.ts';
import {
  type AccountMeta,
  type Instruction,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../messages/instruction.ts';
import { SYSTEM_PROGRAM, SYSVAR_RECENT_BLOCKHASHES } from '../program-addresses.ts';

const Tag = { CREATE_ACCOUNT: 0, ASSIGN: 1, TRANSFER: 2, ADVANCE_NONCE: 4, ALLOCATE: 8 } as const;

export interface AccountCreation {
  readonly payer: Address;
  readonly account: Address;
  readonly lamports: bigint;
  /** Bytes of data, zeroed. */
  readonly space: bigint;
  readonly owner: Address;
}

/** Both payer and new account sign. */
export function createAccount({ payer, account, lamports, space, owner }: AccountCreation): Instruction {
  const data = tag(Tag.CREATE_ACCOUNT).u64(lamports).u64(space).address(owner);
  return instruction([writableSigner(payer), writableSigner(account)], data);
}

export function transferLamports(from: Address, to: Address, lamports: bigint): Instruction {
  return instruction([writableSigner(from), writable(to)], tag(Tag.TRANSFER, 12).u64(lamports));
}

export function allocate(account: Address, space: bigint): Instruction {
  return instruction([writableSigner(account)], tag(Tag.ALLOCATE).u64(space));
}

export function assign(account: Address, owner: Address): Instruction {
  return instruction([writableSigner(account)], tag(Tag.ASSIGN).address(owner));
}

export function advanceNonce(nonceAccount: Address, authority: Address): Instruction {
  const accounts = [writable(nonceAccount), readonly(SYSVAR_RECENT_BLOCKHASHES), readonlySigner(authority)];
  return instruction(accounts, tag(Tag.ADVANCE_NONCE));
}

/**
 * Whether an instruction to the system program with this data advances a nonce: as the first of a transaction it
 * makes the message's blockhash a durable nonce. Bytes after the tag are ignored, as the chain does.
 */
export function isAdvanceNonce(data: Uint8Array): boolean {
  return data.length >= 4 && data[0] === Tag.ADVANCE_NONCE && data[1] === 0 && data[2] === 0 && data[3] === 0;
}

export interface NonceAccount {
  readonly authority: Address;
  /** Stands where a recent blockhash would in the message. */
  readonly nonce: Address;
  readonly lamportsPerSignature: bigint;
}

export const NONCE_ACCOUNT_SIZE = 80;

/** Null when the nonce account is not initialized; throws `LayoutInvalid` when the data is no nonce account. */
export function decodeNonceAccount(data: Uint8Array): NonceAccount | null {
  const reader = new ByteReader(data, 'nonce account');
  const version = reader.u32();
  if (version > 1) reader.fail(`its version must be 0 or 1, got ${version}`);
  const state = reader.u32();
  if (state > 1) reader.fail(`its state must be 0 or 1, got ${state}`);
  if (state === 0) return null;
  return { authority: reader.address(), nonce: reader.address(), lamportsPerSignature: reader.u64() };
}

function tag(value: number, capacity = 52): ByteWriter {
  return new ByteWriter(capacity).u32(value);
}

function instruction(accounts: readonly AccountMeta[], data: ByteWriter): Instruction {
  return { programAddress: SYSTEM_PROGRAM, accounts, data: data.finish() };
}
