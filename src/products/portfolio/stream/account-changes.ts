import { PartyShares } from '../../../common/collections/fair-shares.ts';
import { getCurrentWorker } from '../../../common/party.ts';
import type { Timers } from '../../../common/ports/timers.ts';
import type { Chain } from '../../../chain/chain.ts';
import { SYSVAR_CLOCK } from '../../../solana/program-addresses.ts';
import type { Address } from '../../../solana/address.ts';

/** How many accounts of one wallet are watched, and of all wallets together, of which each caller has a share. */
const MAX_OF_WALLET = 100;
const MAX_IN_ALL = 5_000;
/**
 * The minimum milliseconds between two events of a stream, because a pool that trades in every slot need not be shown
 * in every slot.
 */
const MIN_INTERVAL_MS = 1_000;
/** The interval at which a slot with a change is checked for confirmation. */
const CONFIRM_MS = 200;

export interface AccountChangesOptions {
  readonly chain: Pick<Chain, 'slot' | 'watchAccounts'>;
  readonly timers: Pick<Timers, 'after'>;
  /** Milliseconds after which a wallet is evaluated again even without a change. */
  readonly refreshMs: number;
}

/** Waits for changes of accounts as of confirmed slots. The number of watched accounts is bounded. */
export class AccountChanges {
  readonly #options: AccountChangesOptions;
  readonly #watched = new PartyShares(MAX_IN_ALL);

  constructor(options: AccountChangesOptions) {
    this.#options = options;
  }

  /** The number of accounts that are watched now. */
  get watched(): number {
    return this.#watched.held;
  }

  /** Opens a watch for whoever the work is, which the caller must close. */
  watch(): AccountWatch {
    const worker = getCurrentWorker();
    return new AccountWatch(this.#options, (wanted) => {
      const taken: (() => void)[] = [];
      while (taken.length < Math.min(wanted, MAX_OF_WALLET)) {
        const giveBack = this.#watched.take(worker);
        if (giveBack === null) break;
        taken.push(giveBack);
      }
      return {
        reserved: taken.length,
        giveBack: () => {
          for (const giveBack of taken.splice(0)) giveBack();
        },
      };
    });
  }
}

type ReserveAddresses = (wanted: number) => { readonly reserved: number; readonly giveBack: () => void };

/** A watch of the accounts of one answer. */
export class AccountWatch {
  readonly #options: AccountChangesOptions;
  readonly #reserve: ReserveAddresses;
  #addresses = '';
  #stop: () => void = () => undefined;
  /** The newest slot with a change that `next` has not returned for yet. */
  #changedAt: bigint | null = null;
  #wake: () => void = () => undefined;

  constructor(options: AccountChangesOptions, reserve: ReserveAddresses) {
    this.#options = options;
    this.#reserve = reserve;
  }

  /**
   * Watches these accounts from now on; only the first ones if there are too many. The clock is excluded, because it
   * changes in every slot.
   */
  follow(accounts: readonly Address[]): void {
    const wanted = accounts.filter((address) => address !== SYSVAR_CLOCK).slice(0, MAX_OF_WALLET);
    const key = [...wanted].sort().join(' ');
    if (key === this.#addresses) return;
    this.close();
    this.#addresses = key;
    const { reserved, giveBack } = this.#reserve(wanted.length);
    const { chain } = this.#options;
    const stop = chain.watchAccounts(wanted.slice(0, reserved), (updates) => {
      for (const { slot } of updates) this.#note(slot);
    });
    this.#stop = () => {
      stop();
      giveBack();
    };
    // Changes between the answer and the start of the watch were not reported.
    this.#note(chain.slot('processed'));
  }

  /** Resolves when the slot of a change is confirmed, when it is time to look again, or when the signal aborts. */
  async next(signal: AbortSignal): Promise<void> {
    const { chain, timers, refreshMs } = this.#options;
    await this.#rest(signal);
    let isDue = false;
    const cancelRefresh = timers.after(refreshMs, () => {
      isDue = true;
      this.#wake();
    });
    const onAbort = () => this.#wake();
    signal.addEventListener('abort', onAbort);
    while (!signal.aborted && !isDue && !this.#isConfirmed(chain.slot('confirmed'))) await this.#sleep();
    signal.removeEventListener('abort', onAbort);
    cancelRefresh();
    this.#changedAt = null;
  }

  close(): void {
    this.#stop();
    this.#stop = () => undefined;
    this.#addresses = '';
  }

  #rest(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#options.timers.after(MIN_INTERVAL_MS, () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      });
      const onAbort = () => {
        cancel();
        resolve();
      };
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  #isConfirmed(slot: bigint): boolean {
    return this.#changedAt !== null && this.#changedAt <= slot;
  }

  /** Without a change there is nothing to check, so no timer runs. */
  #sleep(): Promise<void> {
    return new Promise((resolve) => {
      const cancel =
        this.#changedAt === null ? () => undefined : this.#options.timers.after(CONFIRM_MS, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }

  #note(slot: bigint): void {
    if (this.#changedAt === null || slot > this.#changedAt) this.#changedAt = slot;
    this.#wake();
  }
}
