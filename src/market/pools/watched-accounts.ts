import type { Account, AccountUpdate } from '../../chain/accounts.ts';
import type { Chain } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';

/** Changed in place, because accounts change far more often than they come and go. */
interface FollowedAccount<Dependent> {
  /** A number rather than a bigint, which would take another memory access. */
  slot: number;
  account: Account | null;
  readonly dependents: Dependent[];
}

/** The part of the chain that is used. */
export type WatchedAccountSource = Pick<Chain, 'watchAccounts' | 'getAccounts'>;

/** One subscription. It ends when none of its accounts is needed any more. */
interface Watch {
  readonly stop: () => void;
  readonly addresses: Set<Address>;
}

const NEVER = -1;
const NO_DEPENDENTS: readonly never[] = [];

/**
 * The last known state of every account that has dependents, each as of the newest slot received, and the subscriptions
 * that keep these states current. An account is dropped when its last dependent releases it.
 */
export class WatchedAccounts<Dependent> {
  readonly #chain: WatchedAccountSource;
  readonly #onChange: (updates: readonly AccountUpdate[]) => void;
  readonly #held = new Map<Address, FollowedAccount<Dependent>>();
  readonly #watches = new Map<Address, Watch>();

  constructor(chain: WatchedAccountSource, onChange: (updates: readonly AccountUpdate[]) => void) {
    this.#chain = chain;
    this.#onChange = onChange;
  }

  /** Returns null if the account is unknown or absent. */
  read(address: Address): Account | null {
    return this.#held.get(address)?.account ?? null;
  }

  /**
   * Adds a dependent that the account does not have yet.
   *
   * Whether it is the account's first one.
   */
  depend(dependent: Dependent, address: Address): boolean {
    const held = this.#held.get(address);
    held?.dependents.push(dependent);
    if (held === undefined) {
      this.#held.set(address, { slot: NEVER, account: null, dependents: [dependent] });
    }
    return held === undefined;
  }

  /** Removes one of the account's dependents. */
  release(dependent: Dependent, address: Address): void {
    const dependents = this.#held.get(address)?.dependents ?? [];
    dependents.splice(dependents.indexOf(dependent), 1);
    if (dependents.length === 0) this.#forget(address);
  }

  /**
   * Stores a state.
   *
   * Returns the dependents that it affects; none if a newer state is known that was not rolled back.
   */
  hold({ address, account, slot, isRollback }: AccountUpdate): readonly Dependent[] {
    const held = this.#held.get(address);
    const at = Number(slot);
    if (held === undefined || (held.slot > at && isRollback !== true)) return NO_DEPENDENTS;
    held.slot = at;
    held.account = account;
    return held.dependents;
  }

  /** Subscribes to the accounts. Call `refresh` afterwards to read their current state. */
  watch(addresses: readonly Address[]): void {
    if (addresses.length === 0) return;
    const stop = this.#chain.watchAccounts(addresses, this.#onChange);
    const watch = { stop, addresses: new Set(addresses) };
    for (const address of addresses) this.#watches.set(address, watch);
  }

  /** Reads the accounts and reports them like changes. */
  async refresh(addresses: readonly Address[]): Promise<void> {
    if (addresses.length > 0) this.#onChange(await this.#chain.getAccounts(addresses));
  }

  #forget(address: Address): void {
    this.#held.delete(address);
    const watch = this.#watches.get(address);
    if (watch === undefined) return;
    this.#watches.delete(address);
    watch.addresses.delete(address);
    if (watch.addresses.size === 0) watch.stop();
  }

  close(): void {
    for (const { stop } of new Set(this.#watches.values())) stop();
    this.#watches.clear();
  }
}
