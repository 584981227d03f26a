import type { Address } from '../address.ts';
import { type Instruction, isSigner, isWritable, AccountRole } from './instruction.ts';
import { TransactionInvalid } from './transaction-invalid.ts';

/** The addresses in each lookup table. The arrays must not change, because an index of each is cached. */
export type LookupTableContents = Readonly<Record<Address, readonly Address[]>>;

/** The most accounts that one transaction can lock. */
export const MAX_ACCOUNTS = 64;
export const MAX_SIGNERS = 12;

/** The section of the message that an account belongs to. Within a section, addresses are in collation order. */
const Place = {
  FEE_PAYER: 0,
  WRITABLE_SIGNER: 1,
  READONLY_SIGNER: 2,
  WRITABLE: 3,
  READONLY: 4,
  LOOKED_UP_WRITABLE: 5,
  LOOKED_UP_READONLY: 6,
} as const;

const BUCKETS = 256;

/** The number of accounts of a message, by kind. */
export interface Tally {
  /** Accounts that the message contains as addresses. */
  readonly statics: number;
  /** Static accounts that sign. */
  readonly signers: number;
  /** Accounts that the message contains as indexes into lookup tables. */
  readonly lookedUp: number;
  /** Lookup tables that the message uses. */
  readonly tables: number;
}

/**
 * Collects the accounts of a message and puts them in order. One instance serves all messages, so that compiling
 * allocates nothing per account. `reset` starts the next message.
 */
export class MessageAccounts {
  count = 0;
  readonly #addresses: Address[] = [];
  readonly #roles = new Uint8Array(MAX_ACCOUNTS);
  readonly #invoked = new Uint8Array(MAX_ACCOUNTS);
  readonly #named = new Uint8Array(MAX_ACCOUNTS);
  readonly #places = new Uint8Array(MAX_ACCOUNTS);
  readonly #tables: Address[] = [];
  readonly #tableIndexes = new Uint8Array(MAX_ACCOUNTS);
  #lookups: readonly TableIndexes[] = [];
  /** Entry numbers in message order, and the inverse mapping. */
  readonly #order = new Uint8Array(MAX_ACCOUNTS);
  readonly #indexes = new Uint8Array(MAX_ACCOUNTS);
  /** A hash table with open addressing: an entry's number plus one, or 0 for an empty bucket. */
  readonly #buckets = new Uint8Array(BUCKETS);

  reset(feePayer: Address): void {
    this.count = 0;
    this.#buckets.fill(0);
    this.#places[this.#add(feePayer, AccountRole.WRITABLE_SIGNER)] = Place.FEE_PAYER;
  }

  addInstruction({ programAddress, accounts }: Instruction): void {
    this.#invoked[this.#add(programAddress, AccountRole.READONLY)] = 1;
    for (let i = 0; i < accounts.length; i++) {
      const account = accounts[i];
      if (account === undefined) continue;
      const entry = this.#add(account.address, account.role);
      if (account.named === true) this.#named[entry] = 1;
    }
  }

  /** Decides each account's place and index. The methods that take or return an index need it. */
  arrange(lookupTables: LookupTableContents | null): void {
    this.#place(lookupTables);
    for (let entry = 0; entry < this.count; entry++) this.#insert(entry);
    for (let i = 0; i < this.count; i++) this.#indexes[this.#order[i] ?? 0] = i;
  }

  /** Counts the accounts of each kind without putting them in order. */
  tally(lookupTables: LookupTableContents | null): Tally {
    this.#place(lookupTables);
    let [signers, lookedUp] = [0, 0];
    const tables: Address[] = [];
    for (let entry = 0; entry < this.count; entry++) {
      const place = this.#places[entry] ?? 0;
      if (place <= Place.READONLY_SIGNER) signers++;
      if (place < Place.LOOKED_UP_WRITABLE) continue;
      lookedUp++;
      const table = this.#tableOf(entry);
      if (!tables.includes(table)) tables.push(table);
    }
    return { statics: this.count - lookedUp, signers, lookedUp, tables: tables.length };
  }

  #place(lookupTables: LookupTableContents | null): void {
    this.#lookups = lookupTables === null ? [] : listTableIndexes(lookupTables);
    for (let entry = 0; entry < this.count; entry++) {
      this.#checkInvoked(entry);
      this.#places[entry] = entry === 0 ? Place.FEE_PAYER : this.#placeOf(entry);
    }
  }

  /** Returns the index of `address`, which must have been added. */
  indexOf(address: Address): number {
    return this.#indexes[(this.#buckets[this.#bucketOf(address)] ?? 1) - 1] ?? 0;
  }

  addressAt(index: number): Address {
    const address = this.#addresses[this.#order[index] ?? 0];
    if (address === undefined)
      throw new RangeError(`the message has ${this.count} accounts, none at ${index}`);
    return address;
  }

  isLookedUpAt(index: number): boolean {
    return this.#placeAt(index) >= Place.LOOKED_UP_WRITABLE;
  }

  isSignerAt(index: number): boolean {
    return this.#placeAt(index) <= Place.READONLY_SIGNER;
  }

  isWritableAt(index: number): boolean {
    const place = this.#placeAt(index);
    return place !== Place.READONLY_SIGNER && place !== Place.READONLY && place !== Place.LOOKED_UP_READONLY;
  }

  /** Returns the table of a looked-up account. */
  tableAt(index: number): Address {
    return this.#tableOf(this.#order[index] ?? 0);
  }

  /** Returns the index in its table of a looked-up account. */
  tableIndexAt(index: number): number {
    return this.#tableIndexes[this.#order[index] ?? 0] ?? 0;
  }

  /** Adds `address` unless it is there already, merges `role` into its role, and returns its entry number. */
  #add(address: Address, role: AccountRole): number {
    const bucket = this.#bucketOf(address);
    const found = this.#buckets[bucket] ?? 0;
    if (found !== 0) {
      this.#roles[found - 1] = (this.#roles[found - 1] ?? 0) | role;
      return found - 1;
    }
    const entry = this.count;
    if (entry === MAX_ACCOUNTS)
      throw new TransactionInvalid(`a message takes at most ${MAX_ACCOUNTS} accounts`);
    this.count++;
    this.#buckets[bucket] = entry + 1;
    this.#addresses[entry] = address;
    this.#roles[entry] = role;
    this.#invoked[entry] = 0;
    this.#named[entry] = 0;
    return entry;
  }

  /** Returns the bucket that holds `address`, or the empty bucket where it belongs. */
  #bucketOf(address: Address): number {
    const a = address.charCodeAt(3) | (address.charCodeAt(11) << 8);
    const b = address.charCodeAt(19) | (address.charCodeAt(27) << 8);
    const hash = Math.imul((a << 16) ^ b ^ (address.charCodeAt(31) << 4), 0x9e3779b1);
    for (let bucket = hash >>> 24; ; bucket = (bucket + 1) % BUCKETS) {
      const found = this.#buckets[bucket] ?? 0;
      if (found === 0 || this.#addresses[found - 1] === address) return bucket;
    }
  }

  #checkInvoked(entry: number): void {
    if (this.#invoked[entry] === 0 || !isWritable(this.#roleOf(entry))) return;
    const address = this.#addresses[entry];
    if (entry === 0)
      throw new TransactionInvalid(`the fee payer ${address} is invoked as a program`, 'misplaced-program');
    throw new TransactionInvalid(
      `the program ${address} is invoked and also listed as a writable account`,
      'misplaced-program',
    );
  }

  #placeOf(entry: number): number {
    const role = this.#roleOf(entry);
    if (isSigner(role)) return isWritable(role) ? Place.WRITABLE_SIGNER : Place.READONLY_SIGNER;
    if (this.#invoked[entry] === 0 && this.#named[entry] === 0 && this.#lookUp(entry)) {
      return isWritable(role) ? Place.LOOKED_UP_WRITABLE : Place.LOOKED_UP_READONLY;
    }
    return isWritable(role) ? Place.WRITABLE : Place.READONLY;
  }

  /** Records the first table that contains the entry's address. Returns false when no table does. */
  #lookUp(entry: number): boolean {
    const address = this.#addresses[entry];
    if (address === undefined) return false;
    for (const { table, indexes } of this.#lookups) {
      const index = indexes.get(address);
      if (index === undefined) continue;
      this.#tables[entry] = table;
      this.#tableIndexes[entry] = index;
      return true;
    }
    return false;
  }

  #insert(entry: number): void {
    let at = entry;
    for (; at > 0; at--) {
      const before = this.#order[at - 1] ?? 0;
      if (this.#compare(before, entry) <= 0) break;
      this.#order[at] = before;
    }
    this.#order[at] = entry;
  }

  #compare(left: number, right: number): number {
    const place = this.#places[left] ?? 0;
    const byPlace = place - (this.#places[right] ?? 0);
    if (byPlace !== 0) return byPlace;
    if (place >= Place.LOOKED_UP_WRITABLE && this.#tableOf(left) !== this.#tableOf(right)) {
      return collateAddresses(this.#tableOf(left), this.#tableOf(right));
    }
    return collateAddresses(this.#addresses[left] as Address, this.#addresses[right] as Address);
  }

  #roleOf(entry: number): AccountRole {
    return (this.#roles[entry] ?? 0) as AccountRole;
  }

  #tableOf(entry: number): Address {
    return this.#tables[entry] as Address;
  }

  #placeAt(index: number): number {
    return this.#places[this.#order[index] ?? 0] ?? 0;
  }
}

/** A lookup table with the first index of each of its addresses. */
interface TableIndexes {
  readonly table: Address;
  readonly indexes: ReadonlyMap<Address, number>;
}

const cachedIndexes = new WeakMap<readonly Address[], ReadonlyMap<Address, number>>();

function listTableIndexes(lookupTables: LookupTableContents): readonly TableIndexes[] {
  const lookups: TableIndexes[] = [];
  for (const table in lookupTables) {
    const contents = lookupTables[table as Address];
    if (contents !== undefined) lookups.push({ table: table as Address, indexes: getTableIndexes(contents) });
  }
  return lookups;
}

function getTableIndexes(contents: readonly Address[]): ReadonlyMap<Address, number> {
  let indexes = cachedIndexes.get(contents);
  if (indexes === undefined) {
    // In reverse order, because a map keeps the last value of a key and the first index has to win.
    indexes = new Map([...contents.entries()].reverse().map(([index, address]) => [address, index]));
    cachedIndexes.set(contents, indexes);
  }
  return indexes;
}

/** Primary sort keys of base58 characters in English collation: digits first, then letters regardless of case. */
const PRIMARY = new Uint8Array(128);
for (let code = 0x30; code <= 0x39; code++) PRIMARY[code] = code;
for (let code = 0x61; code <= 0x7a; code++) {
  PRIMARY[code] = code;
  PRIMARY[code - 0x20] = code;
}

/**
 * Compares two addresses in the order that `@solana/kit` uses when it compiles a message: alphabetical, with lower
 * case before upper case as the tie-breaker. The result is that of `Intl.Collator` on base58 text, at a lower cost.
 *
 * Returns a negative number when `left` comes first, a positive one when `right` does, and 0 when they are equal.
 */
export function collateAddresses(left: Address, right: Address): number {
  const length = Math.min(left.length, right.length);
  let byCase = 0;
  for (let i = 0; i < length; i++) {
    const a = left.charCodeAt(i);
    const b = right.charCodeAt(i);
    if (a === b) continue;
    const difference = (PRIMARY[a] ?? 0) - (PRIMARY[b] ?? 0);
    if (difference !== 0) return difference;
    if (byCase === 0) byCase = b - a;
  }
  return left.length - right.length || byCase;
}
