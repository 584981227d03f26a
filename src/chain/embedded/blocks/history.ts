import { OldestFirst } from '../../../common/collections/oldest-first.ts';
import type { Address } from '../../../solana/address.ts';
import type { TransactionError } from '../../records/transaction-error.ts';

export const DEFAULT_HISTORY_CAPACITY = 20_000;

/** A transaction in the history: the fields that lists show, and the record, encoded to take a third of the memory. */
export interface HistoryEntry {
  readonly signature: string;
  readonly slot: bigint;
  /** Position among the transactions of its slot. */
  readonly index: number;
  readonly blockTime: bigint;
  readonly error: TransactionError | null;
  readonly memo: string | null;
  /** All static and loaded addresses of the transaction. */
  readonly addresses: readonly Address[];
  /** For `decodeRecord`. */
  readonly encoded: Uint8Array;
}

/** The entries of one address, oldest first. Those before `first` were dropped. */
interface AddressEntries {
  entries: HistoryEntry[];
  first: number;
}

/** The newest transactions, by signature, slot and address. */
export class TransactionHistory {
  readonly #capacity: number;
  /** In the order in which they were included. */
  readonly #bySignature = new OldestFirst<string, HistoryEntry>();
  readonly #byAddress = new Map<Address, AddressEntries>();
  /** Complete slots only. A slot is dropped together with its first transaction. */
  readonly #bySlot = new Map<bigint, HistoryEntry[]>();
  #completeFrom = 0n;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#bySignature.size;
  }

  /** The slot from which on all transactions are kept. */
  get completeFrom(): bigint {
    return this.#completeFrom;
  }

  /**
   * Takes over the entries of an earlier history of the same capacity. If they fill it, older ones may have been dropped.
   *
   * @param entries - Oldest first.
   */
  restore(entries: Iterable<HistoryEntry>): void {
    for (const entry of entries) this.add(entry);
    const [, oldest] = this.#bySignature.oldest() ?? [];
    if (oldest === undefined || this.#bySignature.size < this.#capacity) return;
    if (oldest.slot > this.#completeFrom) this.#completeFrom = oldest.slot;
  }

  add(entry: HistoryEntry): void {
    this.#bySignature.set(entry.signature, entry);
    this.#addToSlot(entry);
    for (const address of entry.addresses) {
      const list = this.#byAddress.get(address);
      if (list === undefined) this.#byAddress.set(address, { entries: [entry], first: 0 });
      else list.entries.push(entry);
    }
    if (this.#bySignature.size > this.#capacity) this.#forgetOldest();
  }

  get(signature: string): HistoryEntry | null {
    return this.#bySignature.get(signature) ?? null;
  }

  /** Oldest first. */
  entries(): IterableIterator<HistoryEntry> {
    return this.#bySignature.values();
  }

  /** Returns the entries in order of inclusion, or null when there are none or some were dropped. */
  ofSlot(slot: bigint): readonly HistoryEntry[] | null {
    return this.#bySlot.get(slot) ?? null;
  }

  /** Returns at most `limit` entries at or before `slot`, newest first, older than `before` and newer than `until`. */
  ofAddress(
    address: Address,
    query: { slot: bigint; limit: number; before: HistoryEntry | null; until: HistoryEntry | null },
  ): HistoryEntry[] {
    const list = this.#byAddress.get(address);
    const found: HistoryEntry[] = [];
    if (list === undefined) return found;
    for (let i = list.entries.length - 1; i >= list.first && found.length < query.limit; i--) {
      const entry = list.entries[i];
      if (entry === undefined || entry.slot > query.slot) continue;
      if (query.before !== null && !isOlder(entry, query.before)) continue;
      if (query.until !== null && !isOlder(query.until, entry)) break;
      found.push(entry);
    }
    return found;
  }

  #addToSlot(entry: HistoryEntry): void {
    const { slot, index } = entry;
    const list = this.#bySlot.get(slot);
    if (list !== undefined) list.push(entry);
    else if (index === 0) this.#bySlot.set(slot, [entry]);
    else this.#completeFrom = slot + 1n;
  }

  #forgetOldest(): void {
    const [, oldest] = this.#bySignature.oldest() ?? [];
    if (oldest === undefined) return;
    this.#bySignature.delete(oldest.signature);
    this.#bySlot.delete(oldest.slot);
    this.#completeFrom = oldest.slot + 1n;
    for (const address of oldest.addresses) this.#forgetOldestOf(address);
  }

  /** Drops the oldest entry of an address, which is the oldest of all when the history is full. */
  #forgetOldestOf(address: Address): void {
    const list = this.#byAddress.get(address);
    if (list === undefined) return;
    list.first++;
    if (list.first === list.entries.length) this.#byAddress.delete(address);
    else if (list.first * 2 > list.entries.length) {
      list.entries = list.entries.slice(list.first);
      list.first = 0;
    }
  }
}

function isOlder(left: HistoryEntry, right: HistoryEntry): boolean {
  return left.slot === right.slot ? left.index < right.index : left.slot < right.slot;
}
