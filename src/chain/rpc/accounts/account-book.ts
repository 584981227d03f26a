import { runAs } from '../../../common/party.ts';
import type { Address } from '../../../solana/address.ts';
import type { Account, AccountUpdate } from '../../accounts.ts';

export type OnAccountChange = (updates: readonly AccountUpdate[]) => void;

/** A watched account and its listeners. */
export interface WatchedAccount {
  readonly address: Address;
  /** The last known state. Null before the first read or notification. */
  known: { readonly slot: bigint; readonly account: Account | null; readonly wasNotified: boolean } | null;
  readonly listeners: Set<OnAccountChange>;
  /** The number of active subscriptions that report it: its own, and those of programs. */
  activeSubscriptions: number;
  /**
   * Set when the account may have changed without a notification. It then has to be read, by a call that begins later and
   * answers as of this slot or a newer one.
   */
  requiredRead: RequiredRead | null;
  /** Whether the known state is of a slot that was rolled back. Listeners then receive the next state in any case. */
  isRolledBack: boolean;
}

export interface RequiredRead {
  /** Required reads are numbered in order, to tell whether a call began before or after. */
  readonly number: number;
  readonly slot: bigint;
}

/**
 * The last known states of the watched accounts. Only a newer state replaces a known one, however it arrived. Listeners
 * are called at most once per turn of the event loop, with changes in slot order.
 */
export class AccountBook {
  readonly #watched = new Map<Address, WatchedAccount>();
  #changed = new Map<Address, AccountUpdate>();
  #isNotifying = false;

  get size(): number {
    return this.#watched.size;
  }

  all(): IterableIterator<WatchedAccount> {
    return this.#watched.values();
  }

  get(address: Address): WatchedAccount | undefined {
    return this.#watched.get(address);
  }

  watch(address: Address, listener: OnAccountChange): WatchedAccount {
    let watched = this.#watched.get(address);
    if (watched === undefined) {
      watched = {
        address,
        known: null,
        listeners: new Set(),
        activeSubscriptions: 0,
        requiredRead: null,
        isRolledBack: false,
      };
      this.#watched.set(address, watched);
    }
    watched.listeners.add(listener);
    return watched;
  }

  /** Removes a listener, and forgets the account when it was the last one. Returns whether it was. */
  unwatch(address: Address, listener: OnAccountChange): boolean {
    const watched = this.#watched.get(address);
    if (watched === undefined || !watched.listeners.delete(listener) || watched.listeners.size > 0)
      return false;
    this.#watched.delete(address);
    this.#changed.delete(address);
    return true;
  }

  /** Applies a notification. Those of one slot arrive in order, so the later one wins. */
  applyNotification(update: AccountUpdate): void {
    const watched = this.#watched.get(update.address);
    if (watched === undefined || (watched.known !== null && watched.known.slot > update.slot)) return;
    this.#put(watched, update, true);
  }

  /**
   * Applies the result of a read. It may be older than a notification of the same slot, which then wins.
   *
   * Returns the newest known state.
   */
  applyRead(update: AccountUpdate): AccountUpdate {
    const watched = this.#watched.get(update.address);
    if (watched === undefined) return update;
    const { known } = watched;
    const isOlder =
      known !== null && (known.slot > update.slot || (known.slot === update.slot && known.wasNotified));
    if (isOlder) return { address: update.address, slot: known.slot, account: known.account };
    return this.#put(watched, update, false);
  }

  /** Returns the known state of a watched account, or `update` itself for others. */
  newest(update: AccountUpdate): AccountUpdate {
    const { address } = update;
    const known = this.#watched.get(address)?.known;
    return known == null ? update : { address, slot: known.slot, account: known.account };
  }

  /** Lets any other state replace those of slots after `slot`. */
  rollBack(slot: bigint): void {
    for (const watched of this.#watched.values()) {
      if (watched.known === null || watched.known.slot <= slot) continue;
      watched.known = { slot: 0n, account: watched.known.account, wasNotified: false };
      watched.isRolledBack = true;
    }
  }

  #put(
    watched: WatchedAccount,
    { address, slot, account }: AccountUpdate,
    wasNotified: boolean,
  ): AccountUpdate {
    const { known, isRolledBack: isTakenBack } = watched;
    const isSame = known !== null && isSameAccount(known.account, account);
    const update = { address, slot, account: isSame ? known.account : account };
    watched.known = { slot, account: update.account, wasNotified };
    watched.isRolledBack = false;
    if (isTakenBack) this.#notifyLater({ address, slot, account: update.account, isRollback: true });
    else if (!isSame) this.#notifyLater(update);
    return update;
  }

  #notifyLater({ address, slot, account, isRollback }: AccountUpdate): void {
    const isFirst = (isRollback ?? this.#changed.get(address)?.isRollback) === true;
    this.#changed.delete(address);
    this.#changed.set(
      address,
      isFirst ? { address, slot, account, isRollback: true } : { address, slot, account },
    );
    if (this.#isNotifying) return;
    this.#isNotifying = true;
    // What follows from the change is Sluice's own work, no matter which caller's read showed it.
    setImmediate(() => runAs('own', () => this.#notify()));
  }

  #notify(): void {
    this.#isNotifying = false;
    const updates = [...this.#changed.values()].sort((one, other) => Number(one.slot - other.slot));
    this.#changed = new Map();
    const batches = new Map<OnAccountChange, AccountUpdate[]>();
    for (const update of updates) {
      for (const listener of this.#watched.get(update.address)?.listeners ?? []) {
        const batch = batches.get(listener);
        if (batch === undefined) batches.set(listener, [update]);
        else batch.push(update);
      }
    }
    for (const [listener, batch] of batches) listener(batch);
  }
}

function isSameAccount(one: Account | null, other: Account | null): boolean {
  if (one === null || other === null) return one === other;
  return (
    one.lamports === other.lamports &&
    one.owner === other.owner &&
    one.executable === other.executable &&
    Buffer.compare(one.data, other.data) === 0
  );
}
