import type { Address } from '../../address.ts';
import { ByteWriter } from '../../codec/byte-writer.ts';
import {
  type AccountMeta,
  type Instruction,
  readonly,
  readonlySigner,
  writable,
} from '../../messages/instruction.ts';

// Instructions that the token program and Token-2022 share; `tokenProgram` selects the program to call.
// Amounts are in atoms. Multisig authorities are not supported: each authority signs the transaction itself.

const Tag = {
  TRANSFER: 3,
  APPROVE: 4,
  REVOKE: 5,
  SET_AUTHORITY: 6,
  MINT_TO: 7,
  BURN: 8,
  CLOSE_ACCOUNT: 9,
  FREEZE_ACCOUNT: 10,
  THAW_ACCOUNT: 11,
  TRANSFER_CHECKED: 12,
  SYNC_NATIVE: 17,
  INITIALIZE_ACCOUNT_3: 18,
  INITIALIZE_MINT_2: 20,
  INITIALIZE_IMMUTABLE_OWNER: 22,
  UNWRAP_LAMPORTS: 45,
} as const;

export interface MintSetup {
  readonly mint: Address;
  readonly decimals: number;
  readonly mintAuthority: Address;
  readonly freezeAuthority: Address | null;
}

export function initializeMint(tokenProgram: Address, setup: MintSetup): Instruction {
  const data = new ByteWriter(67).u8(Tag.INITIALIZE_MINT_2).u8(setup.decimals).address(setup.mintAuthority);
  writeOption(data, setup.freezeAuthority);
  return instruction(tokenProgram, [writable(setup.mint)], data);
}

export interface AccountSetup {
  readonly account: Address;
  readonly mint: Address;
  readonly owner: Address;
}

export function initializeAccount(
  tokenProgram: Address,
  { account, mint, owner }: AccountSetup,
): Instruction {
  const data = new ByteWriter(33).u8(Tag.INITIALIZE_ACCOUNT_3).address(owner);
  return instruction(tokenProgram, [writable(account), readonly(mint)], data);
}

export function initializeImmutableOwner(tokenProgram: Address, account: Address): Instruction {
  return instruction(tokenProgram, [writable(account)], tag(Tag.INITIALIZE_IMMUTABLE_OWNER));
}

export interface Transfer {
  readonly source: Address;
  readonly destination: Address;
  readonly authority: Address;
  readonly amount: bigint;
}

/** Moves tokens. Token-2022 refuses this instruction for mints with a transfer fee or hook: use `transferChecked`. */
export function transfer(
  tokenProgram: Address,
  { source, destination, authority, amount }: Transfer,
): Instruction {
  const accounts = [writable(source), writable(destination), readonlySigner(authority)];
  return instruction(tokenProgram, accounts, tag(Tag.TRANSFER).u64(amount));
}

export interface CheckedTransfer extends Transfer {
  readonly mint: Address;
  readonly decimals: number;
}

/** Moves tokens, and fails when the mint or its decimals are not the expected ones. */
export function transferChecked(tokenProgram: Address, checked: CheckedTransfer): Instruction {
  const { source, mint, destination, authority, amount, decimals } = checked;
  const accounts = [writable(source), readonly(mint), writable(destination), readonlySigner(authority)];
  return instruction(tokenProgram, accounts, tag(Tag.TRANSFER_CHECKED).u64(amount).u8(decimals));
}

export interface Approval {
  readonly account: Address;
  readonly delegate: Address;
  readonly owner: Address;
  readonly amount: bigint;
}

export function approve(tokenProgram: Address, { account, delegate, owner, amount }: Approval): Instruction {
  const accounts = [writable(account), readonly(delegate), readonlySigner(owner)];
  return instruction(tokenProgram, accounts, tag(Tag.APPROVE).u64(amount));
}

export function revoke(tokenProgram: Address, account: Address, owner: Address): Instruction {
  return instruction(tokenProgram, [writable(account), readonlySigner(owner)], tag(Tag.REVOKE));
}

export interface Supply {
  readonly mint: Address;
  readonly account: Address;
  /** The mint authority when minting; the account's owner or delegate when burning. */
  readonly authority: Address;
  readonly amount: bigint;
}

export function mintTo(tokenProgram: Address, { mint, account, authority, amount }: Supply): Instruction {
  const accounts = [writable(mint), writable(account), readonlySigner(authority)];
  return instruction(tokenProgram, accounts, tag(Tag.MINT_TO).u64(amount));
}

export function burn(tokenProgram: Address, { mint, account, authority, amount }: Supply): Instruction {
  const accounts = [writable(account), writable(mint), readonlySigner(authority)];
  return instruction(tokenProgram, accounts, tag(Tag.BURN).u64(amount));
}

const BURN_BYTES = 9;

/** Returns the atoms that an instruction of a token program with this data burns; null for any other instruction. */
export function findBurnedAmount(data: Uint8Array): bigint | null {
  if (data.length !== BURN_BYTES || data[0] !== Tag.BURN) return null;
  return new DataView(data.buffer, data.byteOffset).getBigUint64(1, true);
}

export interface AccountClosing {
  readonly account: Address;
  /** Receives the account's lamports. */
  readonly destination: Address;
  readonly authority: Address;
}

export function closeAccount(
  tokenProgram: Address,
  { account, destination, authority }: AccountClosing,
): Instruction {
  const accounts = [writable(account), writable(destination), readonlySigner(authority)];
  return instruction(tokenProgram, accounts, tag(Tag.CLOSE_ACCOUNT));
}

/** Whether an instruction of a token program with this data closes an account. */
export function isCloseAccount(data: Uint8Array): boolean {
  return data.length === 1 && data[0] === Tag.CLOSE_ACCOUNT;
}

/** Whether an instruction of a token program with this data counts an account's lamports as wrapped SOL. */
export function isSyncNative(data: Uint8Array): boolean {
  return data.length === 1 && data[0] === Tag.SYNC_NATIVE;
}

/** Sets the balance of a wrapped-SOL account to its lamports without the rent. */
export function syncNative(tokenProgram: Address, account: Address): Instruction {
  return instruction(tokenProgram, [writable(account)], tag(Tag.SYNC_NATIVE));
}

export interface Unwrapping {
  /** An account of wrapped SOL. */
  readonly account: Address;
  /** Receives the lamports. */
  readonly destination: Address;
  readonly owner: Address;
}

/** Turns all tokens of an account of wrapped SOL into lamports of another address. The rent stays, and the account open. */
export function unwrapLamports(
  tokenProgram: Address,
  { account, destination, owner }: Unwrapping,
): Instruction {
  const accounts = [writable(account), writable(destination), readonlySigner(owner)];
  const everything = 0;
  return instruction(tokenProgram, accounts, tag(Tag.UNWRAP_LAMPORTS).u8(everything));
}

export interface Freezing {
  readonly account: Address;
  readonly mint: Address;
  readonly freezeAuthority: Address;
}

export function freezeAccount(tokenProgram: Address, freezing: Freezing): Instruction {
  return instruction(tokenProgram, freezingAccounts(freezing), tag(Tag.FREEZE_ACCOUNT));
}

export function thawAccount(tokenProgram: Address, freezing: Freezing): Instruction {
  return instruction(tokenProgram, freezingAccounts(freezing), tag(Tag.THAW_ACCOUNT));
}

/** The authority types that both token programs know. */
export const Authority = { MINT_TOKENS: 0, FREEZE_ACCOUNT: 1, ACCOUNT_OWNER: 2, CLOSE_ACCOUNT: 3 } as const;
export type Authority = (typeof Authority)[keyof typeof Authority];

export interface AuthorityChange {
  /** The mint or token account. */
  readonly of: Address;
  readonly authority: Authority;
  readonly current: Address;
  /** Null removes the authority for good. */
  readonly next: Address | null;
}

export function setAuthority(tokenProgram: Address, change: AuthorityChange): Instruction {
  const data = tag(Tag.SET_AUTHORITY).u8(change.authority);
  writeOption(data, change.next);
  return instruction(tokenProgram, [writable(change.of), readonlySigner(change.current)], data);
}

function freezingAccounts({ account, mint, freezeAuthority }: Freezing): AccountMeta[] {
  return [writable(account), readonly(mint), readonlySigner(freezeAuthority)];
}

/** In instructions an absent address takes one zero byte, unlike in accounts, which use `COption`. */
function writeOption(data: ByteWriter, address: Address | null): void {
  if (address === null) data.u8(0);
  else data.u8(1).address(address);
}

function tag(value: number): ByteWriter {
  return new ByteWriter(16).u8(value);
}

function instruction(
  programAddress: Address,
  accounts: readonly AccountMeta[],
  data: ByteWriter,
): Instruction {
  return { programAddress, accounts, data: data.finish() };
}
