import type { Address } from '../../../solana/address.ts';
import {
  type AccountFilter,
  type AccountUpdate,
  type AddressField,
  matchesAccountFilter,
} from '../../accounts.ts';
import type { AccountBook, OnAccountChange, WatchedAccount } from './account-book.ts';
import type { Subscriber } from '../client/pubsub.ts';
import { FieldCandidates } from './field-candidates.ts';
import { createAccountConfig, readKeyed } from './read-accounts.ts';
import { requireInContext } from '../client/read-json.ts';

/** The maximum number of accounts that are kept for one program. Further ones are ignored. */
const MAX_MEMBERS = 1_000_000;

/** The known accounts of a program that pass a filter, and the listeners for their changes. */
export class ProgramWatch implements Subscriber {
  readonly kind = 'program';
  readonly program: Address;
  readonly filter: AccountFilter;
  readonly listeners = new Set<OnAccountChange>();
  readonly #book: AccountBook;
  readonly #members = new Set<Address>();
  /** By their offset. */
  readonly #fields = new Map<number, FieldCandidates>();
  readonly #onUp: (members: Iterable<WatchedAccount>) => void;
  readonly #requirePlausible: (slot: bigint) => void;
  #isUp = false;
  #hasScanned = false;
  /** Whether the program may have accounts that are not known yet. */
  needsScan = true;
  /** The number of failed scans in a row. */
  failedScans = 0;
  /** The earliest time of the next scan, in Unix milliseconds. */
  scanAt = 0;

  /**
   * @param onUp - Called when the subscription is active, with the accounts that may have changed before.
   * @param requirePlausible - Throws `OperatorError` for a slot that the network cannot have reached.
   */
  constructor(
    book: AccountBook,
    program: Address,
    filter: AccountFilter,
    onUp: (members: Iterable<WatchedAccount>) => void,
    requirePlausible: (slot: bigint) => void,
  ) {
    this.#book = book;
    this.program = program;
    this.filter = filter;
    this.#onUp = onUp;
    this.#requirePlausible = requirePlausible;
  }

  get params(): readonly unknown[] {
    return [this.program, createAccountConfig('processed', this.filter)];
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  onActive(): void {
    this.#isUp = true;
    this.needsScan = true;
    const members = [...this.#watched()];
    for (const watched of members) watched.activeSubscriptions++;
    this.#onUp(members);
  }

  onLost(): void {
    if (!this.#isUp) return;
    this.#isUp = false;
    for (const watched of this.#watched()) watched.activeSubscriptions--;
  }

  onNotification(result: unknown): void {
    const { slot, value } = requireInContext(result);
    this.#requirePlausible(slot);
    const update = readKeyed(value, 'result.value', slot, this.program);
    if (this.#admit(update)) this.#book.applyNotification(update);
  }

  /** Applies the result of a scan, and returns the newest known state of each account. */
  scanned(found: readonly AccountUpdate[]): AccountUpdate[] {
    const newest = found
      .filter((update) => this.#admit(update))
      .map((update) => this.#book.applyRead(update));
    this.#hasScanned = true;
    return newest;
  }

  /** Whether the watch knows every account with this field: it selects them, is active, and has read the program. */
  knowsAllOf({ dataSize, startsWith }: AddressField): boolean {
    const { filter, needsScan } = this;
    if (!this.#isUp || needsScan || !this.#hasScanned) return false;
    if (filter.dataSize !== undefined && filter.dataSize !== dataSize) return false;
    const { memcmp } = filter;
    return (
      memcmp === undefined ||
      (memcmp.offset === 0 && startsWith !== undefined && beginsWith(startsWith, memcmp.bytes))
    );
  }

  /** Returns the accounts whose field holds, or once held, one of the addresses. */
  candidates({ offset }: AddressField, addresses: readonly Address[]): Address[] {
    let field = this.#fields.get(offset);
    if (field === undefined) {
      field = new FieldCandidates(offset);
      for (const { address, known } of this.#watched()) field.note(address, known?.account ?? null);
      this.#fields.set(offset, field);
    }
    return field.of(addresses);
  }

  close(): void {
    this.onLost();
    for (const address of this.#members) this.#book.unwatch(address, this.#onMemberChange);
    this.#members.clear();
  }

  /** Adds an account that passes the filter. Returns whether it is one of the known accounts now. */
  #admit({ address, account }: AccountUpdate): boolean {
    if (account === null) return this.#members.has(address);
    if (!matchesAccountFilter(this.filter, account.data)) return false;
    for (const field of this.#fields.values()) field.note(address, account);
    if (this.#members.has(address)) return true;
    if (this.#members.size >= MAX_MEMBERS) return false;
    this.#members.add(address);
    const watched = this.#book.watch(address, this.#onMemberChange);
    if (this.#isUp) watched.activeSubscriptions++;
    return true;
  }

  readonly #onMemberChange: OnAccountChange = (updates) => {
    const changes = updates.flatMap((update): AccountUpdate[] => {
      const { account, address, slot, isRollback } = update;
      for (const field of this.#fields.values()) field.note(address, account);
      if (account === null || account.owner !== this.program) {
        return [{ address, slot, account: null, isRollback }];
      }
      return matchesAccountFilter(this.filter, account.data) ? [update] : [];
    });
    if (changes.length > 0) for (const listener of this.listeners) listener(changes);
  };

  *#watched(): Iterable<WatchedAccount> {
    for (const address of this.#members) {
      const watched = this.#book.get(address);
      if (watched !== undefined) yield watched;
    }
  }
}

function beginsWith(bytes: Uint8Array, first: Uint8Array): boolean {
  return bytes.length >= first.length && first.every((byte, index) => bytes[index] === byte);
}
