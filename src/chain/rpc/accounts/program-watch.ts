import type { Address } from '../../../solana/address.ts';
import { passesFilter } from '../../account-filter.ts';
import type { AccountFilter, AccountUpdate } from '../../chain.ts';
import type { AccountBook, OnChange, Watched } from './account-book.ts';
import type { Follower } from '../client/pubsub.ts';
import { accountConfig, readKeyed } from './read-accounts.ts';
import { asInContext } from '../client/read-json.ts';

/** Accounts of one program that are kept; whatever an RPC tells beyond it is passed over. */
const MAX_MEMBERS = 1_000_000;

/** The accounts of a program that pass a filter, as far as they were heard of, and who is to be told of them. */
export class ProgramWatch implements Follower {
  readonly kind = 'program';
  readonly program: Address;
  readonly filter: AccountFilter;
  readonly listeners = new Set<OnChange>();
  readonly #book: AccountBook;
  readonly #members = new Set<Address>();
  readonly #onUp: (members: Iterable<Watched>) => void;
  readonly #requirePossible: (slot: bigint) => void;
  #isUp = false;
  /** Whether there may be accounts that were not heard of. */
  needsScan = true;
  /** How often scans failed in a row, and when the next may begin, in Unix milliseconds. */
  failedScans = 0;
  scanAt = 0;

  /** `onUp` is called with what may have changed unseen; `requirePossible` throws at slots that cannot be. */
  constructor(
    book: AccountBook,
    program: Address,
    filter: AccountFilter,
    onUp: (members: Iterable<Watched>) => void,
    requirePossible: (slot: bigint) => void,
  ) {
    this.#book = book;
    this.program = program;
    this.filter = filter;
    this.#onUp = onUp;
    this.#requirePossible = requirePossible;
  }

  get params(): readonly unknown[] {
    return [this.program, accountConfig('processed', this.filter)];
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  onActive(): void {
    this.#isUp = true;
    this.needsScan = true;
    const members = [...this.#watched()];
    for (const watched of members) watched.followedBy++;
    this.#onUp(members);
  }

  onLost(): void {
    if (!this.#isUp) return;
    this.#isUp = false;
    for (const watched of this.#watched()) watched.followedBy--;
  }

  onTold(result: unknown): void {
    const { slot, value } = asInContext(result);
    this.#requirePossible(slot);
    const update = readKeyed(value, 'result.value', slot, this.program);
    if (this.#take(update)) this.#book.told(update);
  }

  /** Takes in what a scan found, and returns the newest state of each. */
  scanned(found: readonly AccountUpdate[]): AccountUpdate[] {
    return found.filter((update) => this.#take(update)).map((update) => this.#book.read(update));
  }

  close(): void {
    this.onLost();
    for (const address of this.#members) this.#book.unwatch(address, this.#onMembers);
    this.#members.clear();
  }

  /** Whether the account is one of these. */
  #take({ address, account }: AccountUpdate): boolean {
    if (account === null) return this.#members.has(address);
    if (!passesFilter(this.filter, account.data)) return false;
    if (this.#members.has(address)) return true;
    if (this.#members.size >= MAX_MEMBERS) return false;
    this.#members.add(address);
    const watched = this.#book.watch(address, this.#onMembers);
    if (this.#isUp) watched.followedBy++;
    return true;
  }

  readonly #onMembers: OnChange = (updates) => {
    const told = updates.flatMap((update): AccountUpdate[] => {
      const { account, address, slot, takesBack } = update;
      if (account === null || account.owner !== this.program) {
        return [{ address, slot, account: null, takesBack }];
      }
      return passesFilter(this.filter, account.data) ? [update] : [];
    });
    if (told.length > 0) for (const listener of this.listeners) listener(told);
  };

  *#watched(): Iterable<Watched> {
    for (const address of this.#members) {
      const watched = this.#book.get(address);
      if (watched !== undefined) yield watched;
    }
  }
}
