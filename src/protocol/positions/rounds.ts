import type { Account, AccountView } from '../../chain/accounts.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { createUnaccountedWork, type Work } from '../../common/work/work.ts';
import type { Address } from '../../solana/address.ts';

/** A requested account. */
interface PendingAccount {
  /** The account, or undefined until it was read. */
  account: Account | null | undefined;
  readonly read: Promise<Account | null>;
  readonly resolve: (account: Account | null) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * How long accounts wait for other reads of a round in milliseconds, because the follow-up reads of those fit into one
 * call.
 */
const MAX_WAIT_MS = 30;

/**
 * Reads a view in rounds: reads that are requested in one turn of the event loop are made together. Accounts also wait
 * for reads that are in flight, within limits. The fetchers of an answer therefore need about as many calls as the
 * longest chain of dependent reads. Each account is read once.
 */
export class ReadRounds {
  readonly #view: AccountView;
  readonly #timers: Pick<Timers, 'after'>;
  readonly #work: Work;
  readonly #accounts = new Map<Address, PendingAccount>();
  /** The addresses of each request, so that one that cannot be read does not fail the others. */
  #asked: (readonly Address[])[] = [];
  #searches: (() => void)[] = [];
  #lookups: (() => void)[] = [];
  #isScheduled = false;
  #inFlight = 0;
  #hasWaited = false;
  #cancelWait: (() => void) | null = null;

  constructor(view: AccountView, timers: Pick<Timers, 'after'>, work: Work = createUnaccountedWork()) {
    this.#view = view;
    this.#work = work;
    this.#timers = timers;
  }

  /** Reads accounts, in the order of `addresses`. */
  accounts(addresses: readonly Address[]): Promise<readonly (Account | null)[]> {
    const unread: Address[] = [];
    const pending = addresses.map((address) => this.#pending(address, unread));
    if (unread.length > 0) {
      this.#asked.push(unread);
      this.#schedule();
    }
    const known = pending.flatMap(({ account }) => (account === undefined ? [] : [account]));
    if (known.length === pending.length) return Promise.resolve(known);
    return droppable(Promise.all(pending.map((each) => each.read)));
  }

  /**
   * Returns the requested accounts so far. Those that exist come first, because the others are mostly addresses at
   * which there might have been a position.
   */
  addresses(): readonly Address[] {
    const asked = [...this.#accounts];
    const exists = ([, { account }]: (typeof asked)[number]) => account != null;
    const [existing, absent] = [asked.filter(exists), asked.filter((each) => !exists(each))];
    return [...existing, ...absent].map(([address]) => address);
  }

  /** Makes a search in the next round. */
  search<T>(run: (view: AccountView) => Promise<T>): Promise<T> {
    const found = new Promise<T>((resolve, reject) => {
      this.#searches.push(() => void this.#counted(run(this.#view)).then(resolve, reject));
      this.#schedule();
    });
    return droppable(found);
  }

  /**
   * Makes a search that the view answers by reading accounts whose addresses it knows. It runs in the same turn as the
   * next read of accounts, so that both take one call of an outside RPC.
   */
  lookup<T>(run: (view: AccountView) => Promise<T>): Promise<T> {
    const found = new Promise<T>((resolve, reject) => {
      this.#lookups.push(() => void this.#counted(run(this.#view)).then(resolve, reject));
      this.#schedule();
    });
    return droppable(found);
  }

  /** @param unread - Receives the address if it was not requested before. */
  #pending(address: Address, unread: Address[]): PendingAccount {
    const known = this.#accounts.get(address);
    if (known !== undefined) return known;
    let resolve!: (account: Account | null) => void;
    let reject!: (error: unknown) => void;
    const read = new Promise<Account | null>((resolves, rejects) => {
      resolve = resolves;
      reject = rejects;
    });
    const pending = { account: undefined, read: droppable(read), resolve, reject };
    this.#accounts.set(address, pending);
    unread.push(address);
    return pending;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#run());
  }

  #run(): void {
    this.#isScheduled = false;
    if (this.#isAsked()) {
      if (this.#inFlight === 0 || this.#hasWaited) this.#readAsked();
      else this.#cancelWait ??= this.#timers.after(MAX_WAIT_MS, () => this.#endWait());
    }
    const searches = this.#searches;
    this.#searches = [];
    for (const search of searches) search();
  }

  #endWait(): void {
    this.#hasWaited = true;
    this.#run();
  }

  #readAsked(): void {
    this.#cancelWait?.();
    this.#cancelWait = null;
    this.#hasWaited = false;
    const asked = this.#asked;
    this.#asked = [];
    for (const addresses of asked) void this.#counted(this.#read(addresses));
    const lookups = this.#lookups;
    this.#lookups = [];
    for (const lookup of lookups) lookup();
  }

  #isAsked(): boolean {
    return this.#asked.length > 0 || this.#lookups.length > 0;
  }

  async #counted<T>(read: Promise<T>): Promise<T> {
    this.#inFlight++;
    try {
      return await read;
    } finally {
      this.#inFlight--;
      if (this.#inFlight === 0 && this.#isAsked()) this.#schedule();
    }
  }

  async #read(addresses: readonly Address[]): Promise<void> {
    try {
      for (const { address, account } of await this.#view.getAccounts(addresses, this.#work)) {
        const pending = this.#accounts.get(address);
        if (pending === undefined) continue;
        pending.account = account;
        pending.resolve(account);
      }
    } catch (error) {
      for (const address of addresses) this.#accounts.get(address)?.reject(error);
    }
  }
}

/** Lets a fetcher that has timed out, or failed with another of its reads, drop this one: its failure is not unhandled. */
function droppable<T>(read: Promise<T>): Promise<T> {
  read.catch(() => undefined);
  return read;
}
