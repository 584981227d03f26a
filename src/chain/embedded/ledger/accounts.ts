import { ADDRESS_BYTES, type Address, toAddressBytes } from '../../../solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import {
  type Account,
  type AccountFilter,
  type AccountUpdate,
  type HeldToken,
  matchesAccountFilter,
} from '../../accounts.ts';
import type { AddressedAccount } from '../../records/records.ts';
import { FieldIndex } from './field-index.ts';
import {
  AddressSets,
  HeldPairs,
  isOwnedTokenAccount,
  TokenIndex,
  findTokenAccountKeys,
} from './token-index.ts';

/** Selects the token accounts of an owner, a delegate or a mint, optionally of one mint or one token program. */
export type TokenAccountFilter =
  | { readonly by: 'owner'; readonly address: Address }
  | { readonly by: 'owner' | 'delegate'; readonly address: Address; readonly mint: Address }
  | { readonly by: 'owner' | 'delegate'; readonly address: Address; readonly program: Address }
  | { readonly by: 'mint'; readonly mint: Address };

/** The previous states of the accounts that a slot changed. */
interface Layer {
  readonly slot: bigint;
  readonly previous: Map<Address, Account | null>;
  readonly lamportsBefore: bigint;
}

/**
 * All accounts as of the newest change, and their previous states for each of the latest slots. Reads at a slot see the
 * end of that slot, and are possible for every slot that was not dropped by `forgetBefore`.
 */
export class AccountStore {
  readonly #accounts = new Map<Address, Account>();
  readonly #byProgram = new AddressSets();
  readonly #tokens = new TokenIndex();
  readonly #fields = new FieldIndex();
  #oldestReadable = 0n;
  /** In slot order. The last one belongs to the open slot. */
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

  /** Begins a slot. The current states stay readable at the previous slot. */
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
    this.#fields.update(address, before, account);
  }

  /** The oldest slot at which accounts can still be read. */
  get oldestReadable(): bigint {
    return this.#oldestReadable;
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

  /** Selects the accounts of a program. A filter by an address costs what it selects, not what the program owns. */
  programAccountsAt(program: Address, slot: bigint, filter: AccountFilter = {}): AddressedAccount[] {
    return [...this.eachProgramAccountAt(program, slot, filter)];
  }

  /** Finds them one by one, like `eachTokenAccountAt`. */
  eachProgramAccountAt(
    program: Address,
    slot: bigint,
    filter: AccountFilter = {},
  ): Generator<AddressedAccount> {
    const all = this.#byProgram.get(program);
    const candidates = this.#fields.find(program, filter, () => this.#entriesOf(all)) ?? all;
    return this.#selectEach(
      candidates,
      slot,
      (account) => account.owner === program && matchesAccountFilter(filter, account.data),
    );
  }

  /** Finds them one by one. The accounts may change in between: what is found is as of `slot`, while that is kept. */
  eachTokenAccountAt(filter: TokenAccountFilter, slot: bigint): Generator<AddressedAccount> {
    const key = filter.by === 'mint' ? filter.mint : filter.address;
    if (filter.by === 'owner' && !('mint' in filter || 'program' in filter)) {
      const owner = toAddressBytes(key);
      return this.#selectEach(this.#tokens.owner.get(key), slot, (account) =>
        isOwnedTokenAccount(account, owner),
      );
    }
    return this.#selectEach(this.#tokens[filter.by].get(key), slot, (account) => {
      const keys = findTokenAccountKeys(account);
      if (keys === null || keys[filter.by] !== key) return false;
      if ('mint' in filter) return keys.mint === filter.mint;
      return 'program' in filter && account.owner === filter.program;
    });
  }

  /**
   * Returns the associated accounts of an owner, in the order of the tokens, with null for those that are no token accounts
   * of the owner. Addresses are derived only of tokens of which the owner has some account, which an index tells.
   */
  associatedAccountsAt(
    owner: Address,
    tokens: readonly HeldToken[],
    slot: bigint,
  ): (AddressedAccount | null)[] {
    const ownerBytes = toAddressBytes(owner);
    const earlier = this.#pairsChangedAfter(slot, ownerBytes);
    const pair = new Uint8Array(2 * ADDRESS_BYTES);
    pair.set(ownerBytes, ADDRESS_BYTES);
    return tokens.map(({ mint, program }) => {
      pair.set(toAddressBytes(mint));
      if (!(this.#tokens.pairs.has(pair) || earlier.has(pair))) return null;
      const address = deriveAssociatedTokenAddress(owner, mint, program);
      const account = this.getAt(address, slot);
      if (account === null || !isOwnedTokenAccount(account, ownerBytes)) return null;
      return matchesAccountFilter({ memcmp: { offset: 0, bytes: pair } }, account.data)
        ? { address, account }
        : null;
    });
  }

  /** The pairs of token accounts of an owner as they were before they were changed in later slots. */
  #pairsChangedAfter(slot: bigint, owner: Uint8Array): HeldPairs {
    const pairs = new HeldPairs();
    for (const layer of this.#layers) {
      if (layer.slot <= slot) continue;
      for (const previous of layer.previous.values()) {
        if (previous !== null && isOwnedTokenAccount(previous, owner)) pairs.add(previous, 1);
      }
    }
    return pairs;
  }

  /** Returns the `count` accounts with the most lamports, in descending order. It reads every account once. */
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

  /** Returns the accounts that `slot` changed, with their states at its end. */
  changesOf(slot: bigint): AccountUpdate[] {
    return this.changedAddresses(slot).map((address) => ({
      address,
      slot,
      account: this.getAt(address, slot),
    }));
  }

  /** Drops the states before `slot`. */
  forgetBefore(slot: bigint): void {
    if (slot > this.#oldestReadable) this.#oldestReadable = slot;
    if ((this.#layers[0]?.slot ?? slot) <= slot)
      this.#layers = this.#layers.filter((layer) => layer.slot > slot);
  }

  *#entriesOf(addresses: Iterable<Address>): Iterable<readonly [Address, Account]> {
    for (const address of addresses) {
      const account = this.#accounts.get(address);
      if (account !== undefined) yield [address, account];
    }
  }

  /** Selects the accounts in an index, and those that matched at `slot` but were changed later. */
  *#selectEach(
    now: Iterable<Address>,
    slot: bigint,
    matches: (account: Account) => boolean,
  ): Generator<AddressedAccount> {
    const indexed = [...now];
    const changed = new Set<Address>();
    for (const layer of this.#layers) {
      if (layer.slot <= slot) continue;
      for (const [address, previous] of layer.previous) {
        if (previous !== null && matches(previous)) changed.add(address);
      }
    }
    for (const address of indexed) {
      changed.delete(address);
      const account = this.getAt(address, slot);
      if (account !== null && matches(account)) yield { address, account };
    }
    for (const address of changed) {
      const account = this.getAt(address, slot);
      if (account !== null && matches(account)) yield { address, account };
    }
  }
}

export function isEqualAccount(left: Account | null, right: Account | null): boolean {
  if (left === null || right === null) return left === right;
  return (
    left.lamports === right.lamports &&
    left.owner === right.owner &&
    left.executable === right.executable &&
    left.rentEpoch === right.rentEpoch &&
    (left.data === right.data || Buffer.compare(left.data, right.data) === 0)
  );
}
