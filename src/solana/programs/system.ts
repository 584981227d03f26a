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

const Tag = {
  CREATE_ACCOUNT: 0,
  ASSIGN: 1,
  TRANSFER: 2,
  CREATE_ACCOUNT_WITH_SEED: 3,
  ADVANCE_NONCE: 4,
  ALLOCATE: 8,
} as const;
const TRANSFER_SIZE = 12;

export interface AccountCreation {
  readonly payer: Address;
  readonly account: Address;
  readonly lamports: bigint;
  /** The length of the account's data in bytes. The data is zeroed. */
  readonly space: bigint;
  readonly owner: Address;
}

/** Creates an account. Both the payer and the new account sign. */
export function createAccount({ payer, account, lamports, space, owner }: AccountCreation): Instruction {
  const data = tag(Tag.CREATE_ACCOUNT).u64(lamports).u64(space).address(owner);
  return instruction([writableSigner(payer), writableSigner(account)], data);
}

export interface SeededAccountCreation extends AccountCreation {
  /** Signs in place of the new account. The address is `deriveSeededAddress(base, seed, owner)`. */
  readonly base: Address;
  /** At most 32 bytes of text. */
  readonly seed: string;
}

/** Creates an account whose address follows from another one, which signs in its place. The payer signs too. */
export function createAccountWithSeed(creation: SeededAccountCreation): Instruction {
  const { payer, account, base, seed, lamports, space, owner } = creation;
  const text = new TextEncoder().encode(seed);
  const data = tag(Tag.CREATE_ACCOUNT_WITH_SEED, 92 + text.length)
    .address(base)
    .u64(BigInt(text.length));
  data.bytes(text).u64(lamports).u64(space).address(owner);
  const accounts = [writableSigner(payer), writable(account)];
  return instruction(base === payer ? accounts : [...accounts, readonlySigner(base)], data);
}

export function transferLamports(from: Address, to: Address, lamports: bigint): Instruction {
  return instruction([writableSigner(from), writable(to)], tag(Tag.TRANSFER, TRANSFER_SIZE).u64(lamports));
}

/** Returns the lamports that a system instruction with this data transfers, or null if it is not a plain transfer. */
export function findTransferredLamports(data: Uint8Array): bigint | null {
  if (data.length !== TRANSFER_SIZE) return null;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return view.getUint32(0, true) === Tag.TRANSFER ? view.getBigUint64(4, true) : null;
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
 * Whether an instruction of the system program with this data advances a nonce. If such an instruction is the first of
 * a transaction, the message's blockhash is a durable nonce. Like the chain, it ignores bytes after the tag.
 */
export function isAdvanceNonce(data: Uint8Array): boolean {
  return data.length >= 4 && data[0] === Tag.ADVANCE_NONCE && data[1] === 0 && data[2] === 0 && data[3] === 0;
}

export interface NonceAccount {
  readonly authority: Address;
  /** The value that a message carries in place of a recent blockhash. */
  readonly nonce: Address;
  readonly lamportsPerSignature: bigint;
}

export const NONCE_ACCOUNT_SIZE = 80;

/**
 * Decodes the data of a nonce account.
 *
 * Returns null when the account is not initialized.
 * @throws LayoutInvalid when the data is not that of a nonce account.
 */
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
