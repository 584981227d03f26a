import type { Account, AccountUpdate, Chain } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';

/** Written in place: accounts change far more often than they come and go. */
interface Held<Dependent> {
  /** A number, as a bigint would be one more thing in memory to go to. */
  slot: number;
  account: Account | null;
  readonly dependents: Dependent[];
}

/** What of the chain it takes. */
export type AccountSource = Pick<Chain, 'watchAccounts' | 'getAccounts'>;

/** One call to the chain's watch, which ends when none of its accounts is asked for any more. */
interface Watch {
  readonly stop: () => void;
  readonly addresses: Set<Address>;
}

const NEVER = -1;
const NOBODY: readonly never[] = [];

/**
 * Accounts that somebody depends on, as last seen, each at the newest slot that was heard of, and the watches that
 * keep them current. An account is forgotten when its last dependent lets it go.
 */
export class WatchedAccounts<Dependent> {
  readonly #chain: AccountSource;
  readonly #onChange: (updates: readonly AccountUpdate[]) => void;
  readonly #held = new Map<Address, Held<Dependent>>();
  readonly #watches = new Map<Address, Watch>();

  constructor(chain: AccountSource, onChange: (updates: readonly AccountUpdate[]) => void) {
    this.#chain = chain;
    this.#onChange = onChange;
  }

  /** Null when unknown or absent. */
  read(address: Address): Account | null {
    return this.#held.get(address)?.account ?? null;
  }

  /** Adds a dependent that the account does not have yet; whether it is the first. */
  depend(dependent: Dependent, address: Address): boolean {
    const held = this.#held.get(address);
    held?.dependents.push(dependent);
    if (held === undefined) {
      this.#held.set(address, { slot: NEVER, account: null, dependents: [dependent] });
    }
    return held === undefined;
  }

  /** Takes away one of the account's dependents. */
  release(dependent: Dependent, address: Address): void {
    const dependents = this.#held.get(address)?.dependents ?? [];
    dependents.splice(dependents.indexOf(dependent), 1);
    if (dependents.length === 0) this.#forget(address);
  }

  /** Takes in a state and returns whom it concerns; nobody when a newer one is held that was not taken back. */
  hold({ address, account, slot, takesBack }: AccountUpdate): readonly Dependent[] {
    const held = this.#held.get(address);
    const at = Number(slot);
    if (held === undefined || (held.slot > at && takesBack !== true)) return NOBODY;
    held.slot = at;
    held.account = account;
    return held.dependents;
  }

  /** What they are now is told only by `refresh`, which must come after. */
  watch(addresses: readonly Address[]): void {
    if (addresses.length === 0) return;
    const stop = this.#chain.watchAccounts(addresses, this.#onChange);
    const watch = { stop, addresses: new Set(addresses) };
    for (const address of addresses) this.#watches.set(address, watch);
  }

  /** Reads the accounts and reports what was read like a change. */
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
