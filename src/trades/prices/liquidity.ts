import { poolDepth } from '../../market/prices/pool-depth.ts';
import type { Pools } from '../../market/pools/pools.ts';
import type { Address } from '../../solana/address.ts';

/** How long a sum is used, in milliseconds. A token may be in very many pools, and each of their changes changes it. */
const LIFETIME_MS = 1_000;

interface Summed {
  readonly dollars: number;
  readonly at: number;
}

/** Adds up what the pools of tokens could pay out, in dollars. */
export class Liquidity {
  readonly #pools: Pools;
  readonly #dollarsPerAtom: (mint: Address) => number | null;
  /** Returns milliseconds. */
  readonly #now: () => number;
  /** Only tokens with a price, which are in pools. */
  readonly #sums = new Map<Address, Summed>();

  constructor(pools: Pools, dollarsPerAtom: (mint: Address) => number | null, now: () => number) {
    this.#pools = pools;
    this.#dollarsPerAtom = dollarsPerAtom;
    this.#now = now;
  }

  /**
   * @returns US dollars in all pools of the token; both sides count, as far as they have a price. At most a second old.
   */
  of(mint: Address): number {
    const now = this.#now();
    const known = this.#sums.get(mint);
    if (known !== undefined && now - known.at < LIFETIME_MS && now >= known.at) return known.dollars;
    const price = this.#dollarsPerAtom(mint);
    if (price === null) {
      this.#sums.delete(mint);
      return 0;
    }
    let dollars = 0;
    for (const [counterpart, handles] of this.#pools.counterparts(mint)) {
      const other = this.#dollarsPerAtom(counterpart) ?? 0;
      for (const handle of handles) {
        const { held } = poolDepth(handle, mint, counterpart);
        dollars += held[0] * price + held[1] * other;
      }
    }
    this.#sums.set(mint, { dollars, at: now });
    return dollars;
  }
}
