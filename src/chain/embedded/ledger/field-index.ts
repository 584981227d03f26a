import type { Address } from '../../../solana/address.ts';
import type { Account, AccountFilter } from '../../accounts.ts';

/** Bytes of an address, which is what fields are looked up by. */
const FIELD_BYTES = 32;
/** How many fields are indexed. A further one is found by reading every account of its program. */
const MAX_FIELDS = 32;

/** The accounts of one program by the 32 bytes at one offset of their data. */
interface IndexedField {
  readonly program: Address;
  readonly offset: number;
  readonly members: Map<string, Set<Address>>;
}

/**
 * Finds the accounts of a program that hold an address at an offset, without reading the program's other accounts. The
 * index of a field is built when the field is first asked for, and kept current from then on.
 */
export class FieldIndex {
  readonly #fields = new Map<string, IndexedField>();
  readonly #byProgram = new Map<Address, IndexedField[]>();

  /**
   * @param accountsOf - Returns every account of the program. Called when a field is indexed for the first time.
   * @returns Null if the filter compares no address, or if no further field can be indexed.
   */
  find(
    program: Address,
    { memcmp }: AccountFilter,
    accountsOf: () => Iterable<readonly [Address, Account]>,
  ): Iterable<Address> | null {
    if (memcmp === undefined || memcmp.bytes.length !== FIELD_BYTES) return null;
    const key = `${program} ${memcmp.offset}`;
    let field = this.#fields.get(key);
    if (field === undefined) {
      if (this.#fields.size >= MAX_FIELDS) return null;
      field = { program, offset: memcmp.offset, members: new Map() };
      for (const [address, account] of accountsOf()) add(field, address, account);
      this.#fields.set(key, field);
      this.#byProgram.set(program, [...(this.#byProgram.get(program) ?? []), field]);
    }
    return field.members.get(toFieldKey(memcmp.bytes, 0)) ?? [];
  }

  /** Updates the index. It has to be called with every change, because `before` selects the entries to remove. */
  update(address: Address, before: Account | null, after: Account | null): void {
    if (this.#fields.size === 0) return;
    if (before !== null) {
      for (const field of this.#byProgram.get(before.owner) ?? []) {
        if (after === null || !sameField(field, before, after)) remove(field, address, before);
      }
    }
    if (after === null) return;
    for (const field of this.#byProgram.get(after.owner) ?? []) {
      if (before === null || !sameField(field, before, after)) add(field, address, after);
    }
  }
}

function sameField({ offset }: IndexedField, before: Account, after: Account): boolean {
  if (before.owner !== after.owner) return false;
  const end = offset + FIELD_BYTES;
  if (before.data.length < end || after.data.length < end) return false;
  for (let at = offset; at < end; at++) if (before.data[at] !== after.data[at]) return false;
  return true;
}

function add({ offset, members }: IndexedField, address: Address, { data }: Account): void {
  if (data.length < offset + FIELD_BYTES) return;
  const key = toFieldKey(data, offset);
  const known = members.get(key);
  if (known === undefined) members.set(key, new Set([address]));
  else known.add(address);
}

function remove({ offset, members }: IndexedField, address: Address, { data }: Account): void {
  if (data.length < offset + FIELD_BYTES) return;
  const key = toFieldKey(data, offset);
  const known = members.get(key);
  if (known?.delete(address) && known.size === 0) members.delete(key);
}

function toFieldKey(bytes: Uint8Array, offset: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + offset, FIELD_BYTES).toString('latin1');
}
