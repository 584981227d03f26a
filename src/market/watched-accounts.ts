import type { Account, AccountUpdate, Chain } from '../chain/chain.ts';
import type { Address } from '../solana/address.ts';

interface Held {
  readonly slot: bigint;
  readonly account: Account | null;
}

/** One call to the chain's watch, which ends when none of its accounts is asked for any more. */
interface Watch {
  readonly stop: () => void;
  readonly addresses: Set<Address>;
}

/** Accounts as last seen, each at the newest slot that was heard of, and the watches that keep them current. */
export class WatchedAccounts {
  readonly #chain: Chain;
  readonly #onChange: (updates: readonly AccountUpdate[]) => void;
  readonly #held = new Map<Address, Held>();
  readonly #watches = new Map<Address, Watch>();

  constructor(chain: Chain, onChange: (updates: readonly AccountUpdate[]) => void) {
    this.#chain = chain;
    this.#onChange = onChange;
  }

  /** Null when unknown or absent. */
  read(address: Address): Account | null {
    return this.#held.get(address)?.account ?? null;
  }

  /** False when a newer state is held already. */
  hold({ address, account, slot }: AccountUpdate): boolean {
    const held = this.#held.get(address);
    if (held !== undefined && held.slot > slot) return false;
    this.#held.set(address, { slot, account });
    return true;
  }

  /** Watches the accounts, then reads them and reports what was read like a change. */
  async watch(addresses: readonly Address[]): Promise<void> {
    if (addresses.length === 0) return;
    const stop = this.#chain.watchAccounts(addresses, this.#onChange);
    const watch = { stop, addresses: new Set(addresses) };
    for (const address of addresses) this.#watches.set(address, watch);
    this.#onChange(await this.#chain.getAccounts(addresses));
  }

  forget(address: Address): void {
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
