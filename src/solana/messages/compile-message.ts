import { ADDRESS_BYTES, type Address, toAddressBytes } from '../address.ts';
import {
  collateAddresses,
  type LookupTableContents,
  MAX_SIGNERS,
  MessageAccounts,
  type Tally,
} from './message-accounts.ts';
import { MAX_COMPACT_U16, computeCompactU16Size, writeCompactU16 } from '../encoding/compact-u16.ts';
import type { Instruction } from './instruction.ts';
import { TransactionInvalid } from './transaction-invalid.ts';

const MAX_INSTRUCTIONS = 64;
const MAX_INSTRUCTION_ACCOUNTS = 255;

export interface MessageSource {
  readonly feePayer: Address;
  /** 32 bytes: a recent blockhash, or a durable nonce. */
  readonly blockhash: Uint8Array;
  readonly instructions: readonly Instruction[];
  /** Default 0. */
  readonly version?: 'legacy' | 0;
  /** Accounts in these tables are named by index; the first table with an account wins. Unused for `legacy`. */
  readonly lookupTables?: LookupTableContents | null;
}

const VERSION_0 = 0x80;

/** Shared by all calls, which is safe because compilation is synchronous. */
const accounts = new MessageAccounts();

/**
 * Compiles a message to the same bytes as `@solana/kit`. The size is not checked here, because the limit applies to the
 * transaction.
 *
 * Returns the bytes to sign.
 * @throws TransactionInvalid where `@solana/kit` would throw, for example for more than 64 accounts, 12 signers or 64
 *   instructions.
 *
 * @example
 * ```ts
 * import { address } from '../address.ts';
 * import { memo } from '../programs/memo.ts';
 * import { compileMessage } from './compile-message.ts';
 *
 * const feePayer = address('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM');
 * const blockhash = new Uint8Array(32);
 * const message = compileMessage({ feePayer, blockhash, instructions: [memo('hello')] });
 * ```
 */
export function compileMessage(source: MessageSource): Uint8Array {
  const { blockhash, instructions } = source;
  const versioned = source.version !== 'legacy';
  if (blockhash.length !== 32)
    throw new TransactionInvalid(`a blockhash has 32 bytes, got ${blockhash.length}`);
  collectAccounts(source);
  accounts.arrange(versioned ? (source.lookupTables ?? null) : null);
  return writeMessage(countAccounts(), versioned, blockhash, instructions);
}

/** The dimensions of a message, computed without compiling it. */
export interface MessageMeasure {
  readonly bytes: number;
  readonly signers: number;
  /** Static and looked-up accounts. */
  readonly accounts: number;
}

/**
 * Measures the version 0 message that `compileMessage` would return.
 *
 * @throws TransactionInvalid where `compileMessage` would throw.
 */
export function measureMessage(source: Omit<MessageSource, 'blockhash' | 'version'>): MessageMeasure {
  collectAccounts(source);
  const { statics, signers, lookedUp, tables } = accounts.tally(source.lookupTables ?? null);
  checkSigners(signers);
  const bytes = messageSize(statics, source.instructions, { tables, lookedUp });
  return { bytes, signers, accounts: accounts.count };
}

function collectAccounts({ feePayer, instructions }: Omit<MessageSource, 'blockhash'>): void {
  if (instructions.length > MAX_INSTRUCTIONS) {
    throw new TransactionInvalid(
      `a message takes at most ${MAX_INSTRUCTIONS} instructions, got ${instructions.length}`,
    );
  }
  accounts.reset(feePayer);
  for (const instruction of instructions) {
    checkInstruction(instruction);
    accounts.addInstruction(instruction);
  }
}

/** The number of accounts of each kind. */
interface AccountCounts {
  readonly statics: number;
  readonly signers: number;
  readonly readonlySigners: number;
  readonly readonlyNonSigners: number;
}

function countAccounts(): AccountCounts {
  let statics = 0;
  let signers = 0;
  let readonlySigners = 0;
  let readonlyNonSigners = 0;
  for (; statics < accounts.count && !accounts.isLookedUpAt(statics); statics++) {
    const isReadonly = !accounts.isWritableAt(statics);
    if (accounts.isSignerAt(statics)) {
      signers++;
      if (isReadonly) readonlySigners++;
    } else if (isReadonly) readonlyNonSigners++;
  }
  checkSigners(signers);
  return { statics, signers, readonlySigners, readonlyNonSigners };
}

function checkSigners(signers: number): void {
  if (signers > MAX_SIGNERS)
    throw new TransactionInvalid(`a message takes at most ${MAX_SIGNERS} signers, got ${signers}`);
}

function checkInstruction({ accounts: listed, data, programAddress }: Instruction): void {
  if (listed.length > MAX_INSTRUCTION_ACCOUNTS) {
    throw new TransactionInvalid(
      `an instruction takes at most ${MAX_INSTRUCTION_ACCOUNTS} accounts, got ${listed.length} for ${programAddress}`,
    );
  }
  if (data.length > MAX_COMPACT_U16) {
    throw new TransactionInvalid(
      `an instruction takes at most ${MAX_COMPACT_U16} bytes of data, got ${data.length} for ${programAddress}`,
    );
  }
}

function writeMessage(
  counts: AccountCounts,
  versioned: boolean,
  blockhash: Uint8Array,
  instructions: readonly Instruction[],
): Uint8Array {
  const tables = versioned ? tablesFrom(counts.statics) : null;
  const lookups =
    tables === null ? null : { tables: tables.length, lookedUp: accounts.count - counts.statics };
  const out = new Uint8Array(messageSize(counts.statics, instructions, lookups));
  let at = 0;
  if (versioned) out[at++] = VERSION_0;
  out[at++] = counts.signers;
  out[at++] = counts.readonlySigners;
  out[at++] = counts.readonlyNonSigners;
  at = writeCompactU16(out, at, counts.statics);
  for (let i = 0; i < counts.statics; i++, at += ADDRESS_BYTES)
    out.set(toAddressBytes(accounts.addressAt(i)), at);
  out.set(blockhash, at);
  at = writeCompactU16(out, at + blockhash.length, instructions.length);
  for (const instruction of instructions) at = writeInstruction(out, at, instruction);
  if (tables !== null) writeLookups(out, at, counts.statics, tables);
  return out;
}

/** Returns the tables of the looked-up accounts, which begin at `statics`, in collation order. */
function tablesFrom(statics: number): readonly Address[] {
  if (statics === accounts.count) return [];
  const tables = new Set<Address>();
  for (let i = statics; i < accounts.count; i++) tables.add(accounts.tableAt(i));
  return [...tables].sort(collateAddresses);
}

function messageSize(
  statics: number,
  instructions: readonly Instruction[],
  lookups: Pick<Tally, 'tables' | 'lookedUp'> | null,
): number {
  const header = lookups === null ? 3 : 4;
  let size =
    header +
    computeCompactU16Size(statics) +
    ADDRESS_BYTES * (statics + 1) +
    computeCompactU16Size(instructions.length);
  for (const { accounts: listed, data } of instructions) {
    size +=
      1 +
      computeCompactU16Size(listed.length) +
      listed.length +
      computeCompactU16Size(data.length) +
      data.length;
  }
  if (lookups === null) return size;
  const { tables, lookedUp } = lookups;
  // Counts of at most 64 accounts take one byte each.
  return size + computeCompactU16Size(tables) + (ADDRESS_BYTES + 2) * tables + lookedUp;
}

function writeInstruction(out: Uint8Array, offset: number, instruction: Instruction): number {
  let at = offset;
  out[at++] = accounts.indexOf(instruction.programAddress);
  const listed = instruction.accounts;
  at = writeCompactU16(out, at, listed.length);
  for (let i = 0; i < listed.length; i++) {
    const account = listed[i];
    if (account !== undefined) out[at++] = accounts.indexOf(account.address);
  }
  at = writeCompactU16(out, at, instruction.data.length);
  out.set(instruction.data, at);
  return at + instruction.data.length;
}

function writeLookups(out: Uint8Array, offset: number, statics: number, tables: readonly Address[]): void {
  let at = writeCompactU16(out, offset, tables.length);
  for (const table of tables) {
    out.set(toAddressBytes(table), at);
    at = writeTableIndexes(out, at + ADDRESS_BYTES, statics, table, true);
    at = writeTableIndexes(out, at, statics, table, false);
  }
}

function writeTableIndexes(
  out: Uint8Array,
  offset: number,
  statics: number,
  table: Address,
  writable: boolean,
): number {
  let at = offset + 1;
  for (let i = statics; i < accounts.count; i++) {
    if (accounts.isWritableAt(i) === writable && accounts.tableAt(i) === table)
      out[at++] = accounts.tableIndexAt(i);
  }
  out[offset] = at - offset - 1;
  return at;
}
