import type { Address } from '../solana/address.ts';
import type { Trade } from './trades/trade.ts';

/** Called with a token whose price may have changed, and with the trade, if it was one. */
export type PriceWatcher = (mint: Address, trade: Trade | null) => void;

interface WatchedMint {
  readonly watchers: Set<PriceWatcher>;
  /** US dollars per atom when it was last looked at; null while it had no price. */
  dollarsPerAtom: number | null;
}

/** How many tokens `check` looks at. */
const CHECKS_AT_ONCE = 2_000;

/** The listeners to prices of tokens. */
export class PriceWatchers {
  readonly #dollarsPerAtom: (mint: Address) => number | null;
  /** In the order in which their prices are looked at. */
  readonly #watched = new Map<Address, WatchedMint>();
  /** As of which state of the market all prices are looked at, and how many are left. */
  #checked = { market: '', left: 0 };

  /** @param dollarsPerAtom - Returns the price of a token; null if it has none. */
  constructor(dollarsPerAtom: (mint: Address) => number | null) {
    this.#dollarsPerAtom = dollarsPerAtom;
  }

  /** Returns a function that ends it. */
  watch(mints: readonly Address[], onChange: PriceWatcher): () => void {
    const distinct = new Set(mints);
    // Wrapped, so that a function that is passed twice counts as two watchers.
    const watcher: PriceWatcher = (mint, trade) => onChange(mint, trade);
    for (const mint of distinct) {
      const known = this.#watched.get(mint);
      if (known !== undefined) known.watchers.add(watcher);
      else {
        this.#watched.set(mint, { watchers: new Set([watcher]), dollarsPerAtom: this.#dollarsPerAtom(mint) });
      }
    }
    return () => {
      for (const mint of distinct) {
        const watchers = this.#watched.get(mint)?.watchers;
        if (watchers?.delete(watcher) && watchers.size === 0) this.#watched.delete(mint);
      }
    };
  }

  notify(mint: Address, trade: Trade | null): void {
    for (const watcher of this.#watched.get(mint)?.watchers ?? []) watcher(mint, trade);
  }

  /**
   * Notifies the watchers of tokens whose price another token's price has moved, while their own pools stood still. Each
   * call looks at the next tokens, and at none if the market is the same as when all were looked at.
   *
   * @param market - Changes with everything that can change a price.
   */
  check(market: string): void {
    if (market !== this.#checked.market) this.#checked = { market, left: this.#watched.size };
    const count = Math.min(this.#checked.left, CHECKS_AT_ONCE);
    this.#checked.left -= count;
    for (const [mint, watched] of this.#first(count)) {
      this.#watched.delete(mint);
      this.#watched.set(mint, watched);
      const dollarsPerAtom = this.#dollarsPerAtom(mint);
      if (dollarsPerAtom === watched.dollarsPerAtom) continue;
      watched.dollarsPerAtom = dollarsPerAtom;
      this.notify(mint, null);
    }
  }

  #first(count: number): readonly [Address, WatchedMint][] {
    const first: [Address, WatchedMint][] = [];
    for (const entry of this.#watched) {
      if (first.length === count) break;
      first.push(entry);
    }
    return first;
  }
}
