import { ADDRESS_BYTES, type Address, toAddress } from '../address.ts';
import { readCompactU16 } from '../encoding/compact-u16.ts';
import { type AccountMeta, type Instruction, AccountRole } from './instruction.ts';
import { TransactionInvalid } from './transaction-invalid.ts';

/** An instruction with account indexes. Static accounts come first, then looked-up ones, writable before readonly. */
export interface CompiledInstruction {
  readonly programIndex: number;
  readonly accounts: Uint8Array;
  readonly data: Uint8Array;
}

export interface TableLookup {
  readonly table: Address;
  readonly writable: Uint8Array;
  readonly readonly: Uint8Array;
}

/** A parsed message. Its byte arrays are views of the bytes it was parsed from. */
export interface Message {
  readonly version: 'legacy' | 0;
  /** The number of signers. They are the first static accounts, and the fee payer is the very first. */
  readonly signers: number;
  readonly readonlySigners: number;
  readonly readonlyNonSigners: number;
  readonly staticAccounts: readonly Address[];
  /** A recent blockhash, or a durable nonce. */
  readonly blockhash: Address;
  readonly instructions: readonly CompiledInstruction[];
  /** Always empty for `legacy`. */
  readonly lookups: readonly TableLookup[];
}

/** The addresses that a message looks up, in message order. */
export interface LoadedAddresses {
  readonly writable: readonly Address[];
  readonly readonly: readonly Address[];
}

/**
 * Parses a legacy or version 0 message, and makes the checks that the chain makes before it loads accounts.
 *
 * @param bytes - Untrusted bytes. The message contains views of them.
 * @param options - With `allowsMore`, bytes after the message are ignored.
 * @throws TransactionInvalid with a text that says what is wrong.
 *
 * @example
 * ```ts
 * import { parseMessage } from './message.ts';
 *
 * function feePayer(bytes: Uint8Array) {
 *   return parseMessage(bytes).staticAccounts[0];
 * }
 * ```
 */
export function parseMessage(bytes: Uint8Array, { allowsMore = false } = {}): Message {
  const { message, length } = parseLeadingMessage(bytes);
  if (length !== bytes.length && !allowsMore) {
    throw new TransactionInvalid(`the message ends at byte ${length}, but there are ${bytes.length}`);
  }
  checkMessage(message);
  return message;
}

/**
 * Parses the message that the bytes begin with, like `parseMessage` with `allowsMore`, and says where it ends.
 *
 * @throws TransactionInvalid with a text that says what is wrong.
 */
export function measureMessage(bytes: Uint8Array): { readonly message: Message; readonly length: number } {
  const measured = parseLeadingMessage(bytes);
  checkMessage(measured.message);
  return measured;
}

function parseLeadingMessage(bytes: Uint8Array): { readonly message: Message; readonly length: number } {
  const cursor = { bytes, at: 0 };
  const first = byte(cursor, 'the header');
  const versioned = first >= 0x80;
  if (versioned && first !== 0x80)
    throw new TransactionInvalid(`version ${first & 0x7f} of messages is not supported`);
  const message: Message = {
    version: versioned ? 0 : 'legacy',
    signers: versioned ? byte(cursor, 'the header') : first,
    readonlySigners: byte(cursor, 'the header'),
    readonlyNonSigners: byte(cursor, 'the header'),
    staticAccounts: list(cursor, 'the accounts', ADDRESS_BYTES, address),
    blockhash: address(cursor),
    instructions: list(cursor, 'the instructions', 3, compiledInstruction),
    lookups: versioned ? list(cursor, 'the table lookups', ADDRESS_BYTES + 2, tableLookup) : [],
  };
  return { message, length: cursor.at };
}

export function isSignerIndex(message: Message, index: number): boolean {
  return index < message.signers;
}

/** Whether the message marks the account as writable. The runtime demotes sysvars and invoked programs to readonly. */
export function isWritableIndex(message: Message, index: number): boolean {
  const statics = message.staticAccounts.length;
  if (index < message.signers) return index < message.signers - message.readonlySigners;
  if (index < statics) return index < statics - message.readonlyNonSigners;
  return index < statics + loadedCount(message.lookups, 'writable');
}

/** Returns all accounts of the message, in the order of their indexes. */
export function listMessageAccounts(message: Message, loaded: LoadedAddresses): readonly Address[] {
  return [...message.staticAccounts, ...loaded.writable, ...loaded.readonly];
}

/**
 * Resolves the addresses that the message looks up.
 *
 * @param contents - Called once for each lookup. Returns the table's addresses, or null if there is no such table.
 * @throws TransactionInvalid when a table or an index in it does not exist.
 */
export function loadAddresses(
  message: Message,
  contents: (table: Address) => readonly Address[] | null,
): LoadedAddresses {
  const writable: Address[] = [];
  const readonly: Address[] = [];
  for (const lookup of message.lookups) {
    const addresses = contents(lookup.table);
    if (addresses === null) throw new TransactionInvalid(`there is no lookup table ${lookup.table}`);
    for (const index of lookup.writable) writable.push(getLookupTableEntry(addresses, lookup.table, index));
    for (const index of lookup.readonly) readonly.push(getLookupTableEntry(addresses, lookup.table, index));
  }
  return { writable, readonly };
}

/** Returns the instructions with addresses and roles, as they were before compilation. */
export function listMessageInstructions(message: Message, loaded: LoadedAddresses): readonly Instruction[] {
  const accounts = listMessageAccounts(message, loaded);
  const metas = accounts.map(
    (address, index): AccountMeta => ({ address, role: getAccountRole(message, index) }),
  );
  return message.instructions.map(({ programIndex, accounts: indexes, data }) => ({
    programAddress: at(accounts, programIndex),
    accounts: Array.from(indexes, (index) => at(metas, index)),
    data,
  }));
}

function getAccountRole(message: Message, index: number): AccountRole {
  const writable = isWritableIndex(message, index);
  if (isSignerIndex(message, index))
    return writable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER;
  return writable ? AccountRole.WRITABLE : AccountRole.READONLY;
}

function at<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined)
    throw new TransactionInvalid(`account ${index} is not among the ${items.length} accounts`);
  return item;
}

function getLookupTableEntry(addresses: readonly Address[], table: Address, index: number): Address {
  const address = addresses[index];
  if (address === undefined) {
    throw new TransactionInvalid(
      `the lookup table ${table} has ${addresses.length} addresses, none at ${index}`,
    );
  }
  return address;
}

/** Makes the checks of the chain's `sanitize`, in the same order. */
function checkMessage(message: Message): void {
  const { signers, readonlySigners, readonlyNonSigners, staticAccounts, lookups } = message;
  const statics = staticAccounts.length;
  if (signers + readonlyNonSigners > statics) {
    throw new TransactionInvalid(
      `${signers} signers and ${readonlyNonSigners} readonly accounts, but ${statics} accounts`,
    );
  }
  if (readonlySigners >= signers) {
    throw new TransactionInvalid(
      `the fee payer must be a writable signer: ${readonlySigners} of ${signers} are readonly`,
    );
  }
  for (const { table, writable, readonly } of lookups) {
    if (writable.length + readonly.length === 0)
      throw new TransactionInvalid(`nothing is looked up in the table ${table}`);
  }
  const accounts = statics + loadedCount(lookups, 'writable') + loadedCount(lookups, 'readonly');
  if (accounts > 256) throw new TransactionInvalid(`${accounts} accounts do not fit indexes of one byte`);
  for (const [i, { programIndex, accounts: indexes }] of message.instructions.entries()) {
    if (programIndex === 0 || programIndex >= statics) {
      throw new TransactionInvalid(
        `instruction ${i} calls account ${programIndex}, which is not a program of the message`,
      );
    }
    for (const index of indexes) {
      if (index >= accounts) {
        throw new TransactionInvalid(
          `instruction ${i} names account ${index}, but the message has ${accounts}`,
        );
      }
    }
  }
}

function loadedCount(lookups: readonly TableLookup[], kind: 'writable' | 'readonly'): number {
  return lookups.reduce((sum, lookup) => sum + lookup[kind].length, 0);
}

interface MessageCursor {
  readonly bytes: Uint8Array;
  at: number;
}

/** Advances the cursor by `length` bytes and returns where they begin. */
function advance(cursor: MessageCursor, length: number, what: string): number {
  const from = cursor.at;
  const end = from + length;
  if (end > cursor.bytes.length) {
    throw new TransactionInvalid(
      `the message ends within ${what}: ${cursor.bytes.length} bytes, ${end} needed`,
    );
  }
  cursor.at = end;
  return from;
}

function byte(cursor: MessageCursor, what: string): number {
  return cursor.bytes[advance(cursor, 1, what)] ?? 0;
}

function length(cursor: MessageCursor, what: string): number {
  const read = readCompactU16(cursor.bytes, cursor.at);
  if (read === null)
    throw new TransactionInvalid(`the length of ${what} at byte ${cursor.at} is not a compact u16`);
  cursor.at = read.end;
  return read.value;
}

/** Reads a list. An item takes at least `minItemBytes`, which bounds the count before any item is read. */
function list<T>(
  cursor: MessageCursor,
  what: string,
  minItemBytes: number,
  read: (cursor: MessageCursor) => T,
): readonly T[] {
  const count = length(cursor, what);
  const left = cursor.bytes.length - cursor.at;
  if (count * minItemBytes > left)
    throw new TransactionInvalid(`${what} are said to be ${count}, but ${left} bytes are left`);
  const items: T[] = [];
  for (let i = 0; i < count; i++) items.push(read(cursor));
  return items;
}

function address(cursor: MessageCursor): Address {
  return toAddress(cursor.bytes, advance(cursor, ADDRESS_BYTES, 'an address'));
}

function bytes(cursor: MessageCursor, what: string): Uint8Array {
  const size = length(cursor, what);
  const from = advance(cursor, size, what);
  return cursor.bytes.subarray(from, from + size);
}

function compiledInstruction(cursor: MessageCursor): CompiledInstruction {
  return {
    programIndex: byte(cursor, 'an instruction'),
    accounts: bytes(cursor, "an instruction's accounts"),
    data: bytes(cursor, "an instruction's data"),
  };
}

function tableLookup(cursor: MessageCursor): TableLookup {
  return {
    table: address(cursor),
    writable: bytes(cursor, "a lookup's writable indexes"),
    readonly: bytes(cursor, "a lookup's readonly indexes"),
  };
}
