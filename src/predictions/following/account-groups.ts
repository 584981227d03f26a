import type { Address } from '../../solana/address.ts';

/** Accounts in groups, such as those of one owner. A list of a group is made when somebody asks for it. */
export class AccountGroups<Key, Item extends { readonly address: Address }> {
  readonly #groups = new Map<Key, Map<Address, Item>>();
  readonly #lists = new Map<Key, readonly Item[]>();

  add(key: Key, item: Item): void {
    const group = this.#groups.get(key) ?? new Map<Address, Item>();
    this.#groups.set(key, group.set(item.address, item));
    this.#lists.delete(key);
  }

  remove(key: Key, { address }: Item): void {
    const group = this.#groups.get(key);
    if (group?.delete(address) !== true) return;
    if (group.size === 0) this.#groups.delete(key);
    this.#lists.delete(key);
  }

  /** Returns the items of a group, in the order of their addresses. */
  list(key: Key): readonly Item[] {
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    const group = this.#groups.get(key);
    if (group === undefined) return [];
    const list = [...group.values()].sort((one, other) => (one.address < other.address ? -1 : 1));
    this.#lists.set(key, list);
    return list;
  }
}
