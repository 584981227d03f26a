import { type Address, toAddress } from '../../../solana/address.ts';
import { isTokenProgram } from '../../../solana/program-addresses.ts';
import { isTokenAccount } from '../../../solana/programs/token/account.ts';
import type { Account } from '../../accounts.ts';

/** The fields of a token account that it is indexed by. */
export interface TokenAccountKeys {
  readonly mint: Address;
  readonly owner: Address;
  readonly delegate: Address | null;
}

const MINT = 0;
const OWNER = 32;
const PAIR_BYTES = 64;
const DELEGATE_TAG = 72;
const DELEGATE = 76;
const STATE = 108;

/** Whether `account` is an initialized token account of either token program. */
function isIndexed({ data, owner }: Account): boolean {
  return isTokenProgram(owner) && isTokenAccount(data);
}

/** Returns null when `account` is not an initialized token account. */
export function findTokenAccountKeys(account: Account): TokenAccountKeys | null {
  if (!isIndexed(account)) return null;
  const { data } = account;
  return {
    mint: toAddress(data, MINT),
    owner: toAddress(data, OWNER),
    delegate: data[DELEGATE_TAG] === 1 ? toAddress(data, DELEGATE) : null,
  };
}

/** Whether `account` is an initialized token account of the owner. Comparing bytes is cheaper than encoding addresses. */
export function isOwnedTokenAccount(account: Account, owner: Uint8Array): boolean {
  if (!isIndexed(account)) return false;
  for (let i = 0; i < owner.length; i++) if (account.data[OWNER + i] !== owner[i]) return false;
  return true;
}

/** A map from keys to sets of addresses. Keys without addresses are removed. */
export class AddressSets {
  readonly #sets = new Map<Address, Set<Address>>();

  add(key: Address, member: Address): void {
    const set = this.#sets.get(key);
    if (set === undefined) this.#sets.set(key, new Set([member]));
    else set.add(member);
  }

  delete(key: Address, member: Address): void {
    const set = this.#sets.get(key);
    if (set?.delete(member) && set.size === 0) this.#sets.delete(key);
  }

  get(key: Address): Iterable<Address> {
    return this.#sets.get(key) ?? [];
  }
}

/** Counts the token accounts of each pair of a mint and an owner, which are the first 64 bytes of an account. */
export class HeldPairs {
  readonly #counts = new Map<string, number>();

  add({ data }: Account, amount: 1 | -1): void {
    const key = pairKey(data);
    const count = (this.#counts.get(key) ?? 0) + amount;
    if (count === 0) this.#counts.delete(key);
    else this.#counts.set(key, count);
  }

  has(pair: Uint8Array): boolean {
    return this.#counts.has(pairKey(pair));
  }
}

/** Cheaper to compute than the texts of two addresses. */
function pairKey(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, PAIR_BYTES).toString('latin1');
}

/** Finds token accounts by owner, delegate and mint, as of the newest state. */
export class TokenIndex {
  readonly owner = new AddressSets();
  readonly delegate = new AddressSets();
  readonly mint = new AddressSets();
  readonly pairs = new HeldPairs();

  /** Updates the index. It has to be called with every change, because `before` selects the entries to remove. */
  update(address: Address, before: Account | null, after: Account | null): void {
    if (before !== null && after !== null && sameKeys(before, after)) return;
    const old = before === null ? null : findTokenAccountKeys(before);
    if (before !== null && old !== null) {
      this.owner.delete(old.owner, address);
      this.mint.delete(old.mint, address);
      this.pairs.add(before, -1);
      if (old.delegate !== null) this.delegate.delete(old.delegate, address);
    }
    const now = after === null ? null : findTokenAccountKeys(after);
    if (after === null || now === null) return;
    this.owner.add(now.owner, address);
    this.mint.add(now.mint, address);
    this.pairs.add(after, 1);
    if (now.delegate !== null) this.delegate.add(now.delegate, address);
  }
}

/** Whether the keys are unchanged. Most changes only affect the amount, and comparing bytes is cheaper than reindexing. */
function sameKeys(before: Account, after: Account): boolean {
  if (before.owner !== after.owner || before.data.length !== after.data.length) return false;
  if (!isTokenProgram(before.owner)) return true;
  return (
    sameBytes(before.data, after.data, MINT, OWNER + 32) &&
    sameBytes(before.data, after.data, DELEGATE_TAG, STATE + 1)
  );
}

function sameBytes(left: Uint8Array, right: Uint8Array, from: number, to: number): boolean {
  const end = Math.min(to, left.length);
  for (let i = from; i < end; i++) if (left[i] !== right[i]) return false;
  return true;
}
