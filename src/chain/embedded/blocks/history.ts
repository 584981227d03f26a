import { OldestFirst } from '../../../common/collections/oldest-first.ts';
import type { Address } from '../../../solana/address.ts';
import type { TransactionError } from '../records/transaction-error.ts';

export const DEFAULT_HISTORY_CAPACITY = 20_000;

/** A transaction in the history: what lists show of it, and the record in its encoded form, which is a third of the size. */
export interface HistoryEntry {
  readonly signature: string;
  readonly slot: bigint;
  /** Position among the transactions of its slot. */
  readonly index: number;
  readonly blockTime: bigint;
  readonly error: TransactionError | null;
  readonly memo: string | null;
  /** Every address that the transaction names or loads. */
  readonly addresses: readonly Address[];
  /** For `decodeRecord`. */
  readonly encoded: Uint8Array;
}

/** Entries of one address, oldest first; those before `first` were forgotten. */
interface AddressEntries {
  entries: HistoryEntry[];
  first: number;
}

/** The last transactions, by signature and by address. */
export class TransactionHistory {
  readonly #capacity: number;
  /** In the order in which they were included. */
  readonly #bySignature = new OldestFirst<string, HistoryEntry>();
  readonly #byAddress = new Map<Address, AddressEntries>();
  /** Whole slots only: one whose first transaction was forgotten is forgotten. */
  readonly #bySlot = new Map<bigint, HistoryEntry[]>();
  #completeFrom = 0n;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#bySignature.size;
  }

  /** The slot from which on no transaction was forgotten. */
  get completeFrom(): bigint {
    return this.#completeFrom;
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

  /** In the order in which they were included; null when some of them were forgotten, or there are none. */
  ofSlot(slot: bigint): readonly HistoryEntry[] | null {
    return this.#bySlot.get(slot) ?? null;
  }

  /** Newest first, at most `limit`, at or before `slot`; strictly older than `before` and newer than `until`. */
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

  /** The oldest transaction of all is the oldest of each of its addresses. */
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
