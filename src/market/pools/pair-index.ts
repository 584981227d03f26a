import type { Address } from '../../solana/address.ts';
import type { PoolHandle } from './liquidity.ts';

const HUBS = 32;
const NO_MARKETS: readonly PoolHandle[] = [];
const NO_PAIRS: ReadonlyMap<Address, readonly PoolHandle[]> = new Map();

/** An index of the mints that are traded for each other, and of the pools that trade them. */
export class PairIndex {
  readonly #pairs = new Map<Address, Map<Address, PoolHandle[]>>();
  #version = 0;
  /** Null if pools were listed or unlisted since it was computed. */
  #hubs: ReadonlySet<Address> | null = null;

  /** Changes whenever a pool is listed or unlisted. */
  get version(): number {
    return this.#version;
  }

  /** Returns the mints that `mint` is traded for, each with its pools. */
  counterparts(mint: Address): ReadonlyMap<Address, readonly PoolHandle[]> {
    return this.#pairs.get(mint) ?? NO_PAIRS;
  }

  between(one: Address, other: Address): readonly PoolHandle[] {
    return this.#pairs.get(one)?.get(other) ?? NO_MARKETS;
  }

  /** Returns the mints with the most counterparts, at most 32. Pairs with very many routes only use routes over these. */
  hubs(): ReadonlySet<Address> {
    this.#hubs ??= new Set(
      [...this.#pairs]
        .sort(([, one], [, other]) => other.size - one.size)
        .slice(0, HUBS)
        .map(([mint]) => mint),
    );
    return this.#hubs;
  }

  list(handle: PoolHandle): void {
    const [one, other] = handle.pool.mints;
    this.#handlesOf(one, other).push(handle);
    this.#handlesOf(other, one).push(handle);
    this.#hubs = null;
    this.#version++;
  }

  unlist(handle: PoolHandle): void {
    const [one, other] = handle.pool.mints;
    this.#remove(handle, one, other);
    this.#remove(handle, other, one);
    this.#hubs = null;
    this.#version++;
  }

  #remove(handle: PoolHandle, one: Address, other: Address): void {
    const handles = this.#handlesOf(one, other);
    handles.splice(handles.indexOf(handle), 1);
    if (handles.length > 0) return;
    const counterparts = this.#pairs.get(one);
    counterparts?.delete(other);
    if (counterparts?.size === 0) this.#pairs.delete(one);
  }

  #handlesOf(one: Address, other: Address): PoolHandle[] {
    let counterparts = this.#pairs.get(one);
    if (counterparts === undefined) {
      counterparts = new Map();
      this.#pairs.set(one, counterparts);
    }
    let handles = counterparts.get(other);
    if (handles === undefined) {
      handles = [];
      counterparts.set(other, handles);
    }
    return handles;
  }
}
