import type { Address } from '../../../solana/address.ts';
import { type AccountFilter, type AccountUpdate, matchesAccountFilter } from '../../accounts.ts';
import type { ChangeBatch } from '../worker/protocol.ts';
import type { WorkerLink } from './worker-link.ts';

type OnWatchedChange = (updates: readonly AccountUpdate[]) => void;

interface AccountsWatcher {
  readonly addresses: ReadonlySet<Address>;
  readonly onChange: OnWatchedChange;
}

/** The watchers of accounts in the main thread. */
export class AccountWatchers {
  readonly #link: Pick<WorkerLink, 'call'>;
  readonly #accounts = new Set<AccountsWatcher>();
  readonly #programs = new Map<Address, Set<OnWatchedChange>>();

  constructor(link: Pick<WorkerLink, 'call'>) {
    this.#link = link;
  }

  watchAccounts(addresses: readonly Address[], onChange: OnWatchedChange): () => void {
    const watched = [...new Set(addresses)];
    const watcher = { addresses: new Set(watched), onChange };
    this.#accounts.add(watcher);
    this.#link.call('watchAccounts', watched).catch(unanswered);
    return () => {
      if (this.#accounts.delete(watcher)) this.#link.call('unwatchAccounts', watched).catch(unanswered);
    };
  }

  watchProgram(program: Address, onChange: OnWatchedChange, filter: AccountFilter): () => void {
    // Wrapped, so that a function that is passed twice counts as two watchers.
    const watcher: OnWatchedChange = (updates) => {
      const wanted = updates.filter(
        ({ account }) => account === null || matchesAccountFilter(filter, account.data),
      );
      if (wanted.length > 0) onChange(wanted);
    };
    const watchers = this.#programs.get(program) ?? new Set();
    this.#programs.set(program, watchers.add(watcher));
    this.#link.call('watchProgram', program).catch(unanswered);
    return () => {
      if (watchers.delete(watcher)) this.#link.call('unwatchProgram', program).catch(unanswered);
    };
  }

  handle(batch: ChangeBatch): void {
    if (batch.kind === 'program') {
      for (const onChange of this.#programs.get(batch.program) ?? []) onChange(batch.updates);
      return;
    }
    for (const { addresses, onChange } of this.#accounts) {
      const updates = batch.updates.filter(({ address }) => addresses.has(address));
      if (updates.length > 0) onChange(updates);
    }
  }
}

/** Ignores the error of a thread that has ended, which changes no accounts and which `unhealthy` reports. */
function unanswered(): void {}
