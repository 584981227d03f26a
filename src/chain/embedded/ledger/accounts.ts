import type { Address } from '../../../solana/address.ts';
import type { Account, AccountUpdate } from '../../chain.ts';
import type { AddressedAccount } from '../records/records.ts';
import { AddressSets, TokenIndex, tokenAccountKeys } from './token-index.ts';

/** Which token accounts: of one owner, one delegate, or one mint; narrowed by mint or by token program. */
export type TokenAccountFilter =
  | { readonly by: 'owner' | 'delegate'; readonly address: Address; readonly mint: Address }
  | { readonly by: 'owner' | 'delegate'; readonly address: Address; readonly program: Address }
  | { readonly by: 'mint'; readonly mint: Address };

/** What the accounts that a slot changed were before it. */
interface Layer {
  readonly slot: bigint;
  readonly previous: Map<Address, Account | null>;
  readonly lamportsBefore: bigint;
}

/**
 * All accounts as of the newest change, and what they were before each of the latest slots. Reads at a slot see the
 * end of that slot; they are right for every slot from the last one forgotten on.
 */
export class AccountStore {
  readonly #accounts = new Map<Address, Account>();
  readonly #byProgram = new AddressSets();
  readonly #tokens = new TokenIndex();
  /** In slot order; the last one is the open slot's. */
  #layers: Layer[] = [];
  #lamports = 0n;

  get size(): number {
    return this.#accounts.size;
  }

  get(address: Address): Account | null {
    return this.#accounts.get(address) ?? null;
  }

  entries(): IterableIterator<[Address, Account]> {
    return this.#accounts.entries();
  }

  /** Begins a slot: what changes from now on can be read as it is now. */
  openSlot(slot: bigint): void {
    this.#layers.push({ slot, previous: new Map(), lamportsBefore: this.#lamports });
  }

  /** Writes the newest state of an account; null deletes it. */
  set(address: Address, account: Account | null): void {
    const before = this.#accounts.get(address) ?? null;
    const layer = this.#layers[this.#layers.length - 1];
    if (layer !== undefined && !layer.previous.has(address)) layer.previous.set(address, before);
    if (account === null) this.#accounts.delete(address);
    else this.#accounts.set(address, account);
    this.#lamports += (account?.lamports ?? 0n) - (before?.lamports ?? 0n);
    if (before?.owner !== account?.owner) {
      if (before !== null) this.#byProgram.delete(before.owner, address);
      if (account !== null) this.#byProgram.add(account.owner, address);
    }
    this.#tokens.update(address, before, account);
  }

  getAt(address: Address, slot: bigint): Account | null {
    for (const layer of this.#layers) {
      if (layer.slot <= slot || layer.previous.size === 0) continue;
      const previous = layer.previous.get(address);
      if (previous !== undefined) return previous;
    }
    return this.get(address);
  }

  lamportsAt(slot: bigint): bigint {
    for (const layer of this.#layers) if (layer.slot > slot) return layer.lamportsBefore;
    return this.#lamports;
  }

  programAccountsAt(program: Address, slot: bigint): AddressedAccount[] {
    return this.#select(this.#byProgram.get(program), slot, (account) => account.owner === program);
  }

  tokenAccountsAt(filter: TokenAccountFilter, slot: bigint): AddressedAccount[] {
    const key = filter.by === 'mint' ? filter.mint : filter.address;
    return this.#select(this.#tokens[filter.by].get(key), slot, (account) => {
      const keys = tokenAccountKeys(account);
      if (keys === null || keys[filter.by] !== key) return false;
      return 'mint' in filter ? keys.mint === filter.mint : account.owner === filter.program;
    });
  }

  /** The `count` accounts with the most lamports, most first. Looks at every account once. */
  largestAt(count: number, slot: bigint): AddressedAccount[] {
    const later = new Set<Address>();
    for (const layer of this.#layers) {
      if (layer.slot > slot) for (const address of layer.previous.keys()) later.add(address);
    }
    const largest: AddressedAccount[] = [];
    const consider = (address: Address, account: Account) => {
      const least = largest[count - 1];
      if (least !== undefined && account.lamports <= least.account.lamports) return;
      const at = largest.findIndex((other) => other.account.lamports < account.lamports);
      largest.splice(at < 0 ? largest.length : at, 0, { address, account });
      if (largest.length > count) largest.pop();
    };
    for (const [address, account] of this.#accounts) if (!later.has(address)) consider(address, account);
    for (const address of later) {
      const account = this.getAt(address, slot);
      if (account !== null) consider(address, account);
    }
    return largest;
  }

  changedAddresses(slot: bigint): Address[] {
    const layer = this.#layers.find((candidate) => candidate.slot === slot);
    return layer === undefined ? [] : [...layer.previous.keys()];
  }

  /** What `slot` changed, with the values at its end. */
  changesOf(slot: bigint): AccountUpdate[] {
    return this.changedAddresses(slot).map((address) => ({
      address,
      slot,
      account: this.getAt(address, slot),
    }));
  }

  /** Forgets how to read before `slot`. */
  forgetBefore(slot: bigint): void {
    if ((this.#layers[0]?.slot ?? slot) <= slot)
      this.#layers = this.#layers.filter((layer) => layer.slot > slot);
  }

  /** The accounts that the index names now, and those that a later slot changed and that matched before it. */
  #select(now: Iterable<Address>, slot: bigint, matches: (account: Account) => boolean): AddressedAccount[] {
    const candidates = new Set(now);
    for (const layer of this.#layers) {
      if (layer.slot <= slot) continue;
      for (const [address, previous] of layer.previous) {
        if (previous !== null && matches(previous)) candidates.add(address);
      }
    }
    const selected: AddressedAccount[] = [];
    for (const address of candidates) {
      const account = this.getAt(address, slot);
      if (account !== null && matches(account)) selected.push({ address, account });
    }
    return selected;
  }
}

export function sameAccount(left: Account | null, right: Account | null): boolean {
  if (left === null || right === null) return left === right;
  return (
    left.lamports === right.lamports &&
    left.owner === right.owner &&
    left.executable === right.executable &&
    left.rentEpoch === right.rentEpoch &&
    (left.data === right.data || Buffer.compare(left.data, right.data) === 0)
  );
}
