import type { Address } from '../../../solana/address.ts';
import type { AccountUpdate } from '../../accounts.ts';
import type { ChangeBatch } from './protocol.ts';

/** Collects the changes of watched accounts in batches, each account once, with its newest state. */
export class Watches {
  /** The number of watches of each account. */
  readonly #accounts = new Map<Address, number>();
  readonly #programs = new Map<Address, WatchedProgram>();
  #changed = new Map<Address, AccountUpdate>();

  watchAccounts(addresses: readonly Address[]): void {
    for (const address of addresses) this.#accounts.set(address, (this.#accounts.get(address) ?? 0) + 1);
  }

  unwatchAccounts(addresses: readonly Address[]): void {
    for (const address of addresses) {
      const count = (this.#accounts.get(address) ?? 0) - 1;
      if (count > 0) this.#accounts.set(address, count);
      else this.#accounts.delete(address);
    }
  }

  /** Watches a program. `members` are the current addresses of its accounts, whose closing is reported. */
  watchProgram(program: Address, members: Iterable<Address>): void {
    const watched = this.#programs.get(program);
    if (watched !== undefined) watched.count++;
    else this.#programs.set(program, { count: 1, members: new Set(members), changed: new Map() });
  }

  unwatchProgram(program: Address): void {
    const watched = this.#programs.get(program);
    if (watched === undefined) return;
    watched.count--;
    if (watched.count === 0) this.#programs.delete(program);
  }

  /** Adds changes. Returns whether there is something to send. */
  add(changes: readonly AccountUpdate[]): boolean {
    for (const change of changes) {
      if (this.#accounts.has(change.address)) putLast(this.#changed, change);
      for (const [program, watched] of this.#programs) addToProgram(program, watched, change);
    }
    if (this.#changed.size > 0) return true;
    for (const { changed } of this.#programs.values()) if (changed.size > 0) return true;
    return false;
  }

  /** Returns the changes since the last call. */
  take(): ChangeBatch[] {
    const batches: ChangeBatch[] = [];
    if (this.#changed.size > 0) batches.push({ kind: 'accounts', updates: [...this.#changed.values()] });
    this.#changed = new Map();
    for (const [program, watched] of this.#programs) {
      if (watched.changed.size === 0) continue;
      batches.push({ kind: 'program', program, updates: [...watched.changed.values()] });
      watched.changed = new Map();
    }
    return batches;
  }
}

interface WatchedProgram {
  count: number;
  readonly members: Set<Address>;
  changed: Map<Address, AccountUpdate>;
}

function addToProgram(program: Address, watched: WatchedProgram, change: AccountUpdate): void {
  if (change.account?.owner === program) {
    watched.members.add(change.address);
    putLast(watched.changed, change);
  } else if (watched.members.delete(change.address)) {
    putLast(watched.changed, { ...change, account: null });
  }
}

function putLast(changed: Map<Address, AccountUpdate>, change: AccountUpdate): void {
  changed.delete(change.address);
  changed.set(change.address, change);
}
