import { ADDRESS_BYTES, type Address, toAddressBytes } from '../address.ts';
import { ByteReader } from '../codec/byte-reader.ts';
import { ByteWriter } from '../codec/byte-writer.ts';
import {
  type AccountMeta,
  type Instruction,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from './instruction.ts';
import { findProgramAddress, type ProgramAddress } from '../pda.ts';
import { ADDRESS_LOOKUP_TABLE_PROGRAM, SYSTEM_PROGRAM } from '../program-addresses.ts';
import { U64_MAX } from '../units.ts';

/** An account that lists addresses. A version 0 message names each of them with one byte. */
export interface LookupTable {
  /** `U64_MAX` while the table is active. */
  readonly deactivationSlot: bigint;
  /** Addresses that were added in this slot can be used from the next slot on. */
  readonly lastExtendedSlot: bigint;
  /** The index of the first address that was added in `lastExtendedSlot`. */
  readonly lastExtendedStartIndex: number;
  /** Null when the table is frozen. */
  readonly authority: Address | null;
  readonly addresses: readonly Address[];
}

export const MAX_LOOKUP_TABLE_ADDRESSES = 256;
const LOOKUP_TABLE_META_SIZE = 56;
const INITIALIZED = 1;

/**
 * Decodes the data of a lookup table.
 *
 * @throws LayoutInvalid when the data is not an initialized lookup table's.
 */
export function decodeLookupTable(data: Uint8Array): LookupTable {
  const reader = new ByteReader(data, 'lookup table');
  const state = reader.u32();
  if (state !== INITIALIZED) reader.fail(`its type must be ${INITIALIZED}, got ${state}`);
  const deactivationSlot = reader.u64();
  const lastExtendedSlot = reader.u64();
  const lastExtendedStartIndex = reader.u8();
  const authority = reader.bool() ? reader.address() : null;
  reader.skip(LOOKUP_TABLE_META_SIZE - reader.offset);
  const count = reader.remaining / ADDRESS_BYTES;
  if (!Number.isInteger(count) || count > MAX_LOOKUP_TABLE_ADDRESSES) {
    reader.fail(`${reader.remaining} bytes are not 0 to ${MAX_LOOKUP_TABLE_ADDRESSES} addresses`);
  }
  const addresses = Array.from({ length: count }, () => reader.address());
  return { deactivationSlot, lastExtendedSlot, lastExtendedStartIndex, authority, addresses };
}

/**
 * Encodes the data of a lookup table.
 *
 * @throws RangeError for more than 256 addresses.
 */
export function encodeLookupTable(table: LookupTable): Uint8Array {
  checkCount(table.addresses.length);
  const writer = new ByteWriter(LOOKUP_TABLE_META_SIZE + table.addresses.length * ADDRESS_BYTES);
  writer
    .u32(INITIALIZED)
    .u64(table.deactivationSlot)
    .u64(table.lastExtendedSlot)
    .u8(table.lastExtendedStartIndex);
  writer.bool(table.authority !== null);
  if (table.authority !== null) writer.address(table.authority);
  writer.zeros(LOOKUP_TABLE_META_SIZE - writer.length);
  for (const each of table.addresses) writer.address(each);
  return writer.finish();
}

/** Returns an active table whose addresses were all added in `slot`. */
export function createActiveLookupTable(
  addresses: readonly Address[],
  authority: Address | null,
  slot: bigint,
): LookupTable {
  const lastExtendedStartIndex = 0;
  return { deactivationSlot: U64_MAX, lastExtendedSlot: slot, lastExtendedStartIndex, authority, addresses };
}

const Tag = { CREATE: 0, FREEZE: 1, EXTEND: 2, DEACTIVATE: 3, CLOSE: 4 } as const;

/** Derives the address of the table that `authority` creates with `recentSlot`. */
export function deriveLookupTableAddress(authority: Address, recentSlot: bigint): ProgramAddress {
  const slot = new ByteWriter(8).u64(recentSlot).finish();
  return findProgramAddress(ADDRESS_LOOKUP_TABLE_PROGRAM, [toAddressBytes(authority), slot]);
}

/**
 * Creates a lookup table at `deriveLookupTableAddress(authority, recentSlot)`.
 *
 * @param recentSlot - A slot of the slot-hashes sysvar.
 */
export function createLookupTable(authority: Address, payer: Address, recentSlot: bigint): Instruction {
  const { address, bump } = deriveLookupTableAddress(authority, recentSlot);
  return instruction(
    [writable(address), readonlySigner(authority), writableSigner(payer), readonly(SYSTEM_PROGRAM)],
    tag(Tag.CREATE).u64(recentSlot).u8(bump),
  );
}

export interface LookupTableExtension {
  readonly table: Address;
  readonly authority: Address;
  readonly payer: Address;
  /** A transaction has room for about 30. */
  readonly addresses: readonly Address[];
}

export function extendLookupTable({ table, authority, payer, addresses }: LookupTableExtension): Instruction {
  checkCount(addresses.length);
  const data = tag(Tag.EXTEND).u64(BigInt(addresses.length));
  for (const each of addresses) data.address(each);
  const accounts = [
    writable(table),
    readonlySigner(authority),
    writableSigner(payer),
    readonly(SYSTEM_PROGRAM),
  ];
  return instruction(accounts, data);
}

export function freezeLookupTable(table: Address, authority: Address): Instruction {
  return instruction([writable(table), readonlySigner(authority)], tag(Tag.FREEZE));
}

export function deactivateLookupTable(table: Address, authority: Address): Instruction {
  return instruction([writable(table), readonlySigner(authority)], tag(Tag.DEACTIVATE));
}

/** Closes a table. The program allows it once the slot of deactivation has left the slot-hashes sysvar. */
export function closeLookupTable(table: Address, authority: Address, recipient: Address): Instruction {
  return instruction([writable(table), readonlySigner(authority), writable(recipient)], tag(Tag.CLOSE));
}

function checkCount(count: number): void {
  if (count > MAX_LOOKUP_TABLE_ADDRESSES) {
    throw new RangeError(
      `a lookup table takes at most ${MAX_LOOKUP_TABLE_ADDRESSES} addresses, got ${count}`,
    );
  }
}

function tag(value: number): ByteWriter {
  return new ByteWriter(16).u32(value);
}

function instruction(accounts: readonly AccountMeta[], data: ByteWriter): Instruction {
  return { programAddress: ADDRESS_LOOKUP_TABLE_PROGRAM, accounts, data: data.finish() };
}
