import type { Pools } from '../../market/pools/pools.ts';
import type { Address } from '../../solana/address.ts';
import type { Trade, TradedAmount } from '../trades/trade.ts';
import { type AnchorPrice, findDirectMid, type FoundMid, findFurtherMid, type Mid } from './mids.ts';

/**
 * How far a trade's price may be from the pools' price, as a fraction. So whoever wants to move the price by one percent
 * has to move the pools that hold half of the depth by at least half a percent.
 */
export const MAX_DEVIATION = 0.005;
/** The part of a token's depth that a pool must have for its trades to be a price. */
export const MIN_SHARE_OF_DEPTH = 0.1;
/** Smaller trades are no price, in dollars: rounding and fees weigh too much in them. */
export const MIN_TRADE_DOLLARS = 1;

/** The price of a token that validation lets through. */
export interface ValidatedPrice {
  readonly dollarsPerAtom: number;
  /** The slot of the trade, or of the last change of the token's pools; null before one was seen. */
  readonly slot: bigint | null;
  /** Whether it is the price of a trade. Otherwise it is that of the pools. */
  readonly isTrade: boolean;
  /** What can be traded for about one percent of loss over all pools that count, in dollars. */
  readonly depth: number;
}

interface LastTrade {
  readonly dollarsPerAtom: number;
  readonly slot: bigint;
}

/** A mid that holds while neither the pools of the token nor the prices of its anchors change. */
interface KnownMid {
  readonly listing: number;
  readonly version: number;
  readonly found: FoundMid;
}

/** The price of a token in a trade. */
export interface PricedToken {
  readonly mint: Address;
  readonly dollarsPerAtom: number;
}

/**
 * Prices of tokens: the last trade that agrees with what the pools would pay, and otherwise what the pools would pay.
 *
 * A trade is a price when it is at most half a percent away from the median of the pools' prices, weighted by depth; when
 * its pool has a tenth of the depth; and when it risked something: trades back within a transaction do not count. It stays
 * the price until the pools have moved away from it.
 *
 * @example
 * ```ts
 * import type { Pools } from '../../market/pools/pools.ts';
 * import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
 * import { TokenPrices } from './token-prices.ts';
 *
 * // US dollars for one SOL.
 * function solPrice(pools: Pools): number | null {
 *   const prices = new TokenPrices(pools, () => 0n);
 *   const price = prices.price(WRAPPED_SOL_MINT);
 *   prices.close();
 *   return price === null ? null : price.dollarsPerAtom * 1e9;
 * }
 * ```
 */
export class TokenPrices {
  readonly #pools: Pools;
  /** By pools against stablecoins and SOL. */
  readonly #directMids = new Map<Address, KnownMid>();
  /** By all pools that count. */
  readonly #mids = new Map<Address, KnownMid>();
  /** Changes with each change of a pool of the token. Holds only tokens that are in pools. */
  readonly #versions = new Map<Address, number>();
  readonly #changedAt = new Map<Address, bigint>();
  readonly #trades = new Map<Address, LastTrade>();
  readonly #slot: () => bigint;
  readonly #stop: () => void;

  /** @param slot - Returns the slot that is processed now. */
  constructor(pools: Pools, slot: () => bigint) {
    this.#pools = pools;
    this.#slot = slot;
    this.#stop = pools.onChange(({ pool }) => {
      const now = slot();
      for (const mint of pool.mints) {
        this.#versions.set(mint, (this.#versions.get(mint) ?? 0) + 1);
        this.#changedAt.set(mint, now);
      }
    });
  }

  /** Returns null if no pool that is deep enough prices the token. */
  price(mint: Address): ValidatedPrice | null {
    const mid = this.mid(mint);
    if (mid === null) return null;
    const { depth } = mid;
    const trade = this.#tradeNear(mint, mid);
    if (trade !== null) return { ...trade, isTrade: true, depth };
    const slot = this.#trades.get(mint)?.slot ?? null;
    const changed = this.#changedAt.get(mint) ?? null;
    const newest = slot !== null && (changed === null || slot > changed) ? slot : changed;
    return { dollarsPerAtom: mid.dollarsPerAtom, slot: newest, isTrade: false, depth };
  }

  /** Returns what the pools would pay; null if no pool that is deep enough prices the token. */
  mid(mint: Address): Mid | null {
    const known = this.#known(this.#mids, mint);
    if (known !== null) return known.mid;
    const found = findFurtherMid(this.#pools, mint, this.#directMid(mint), (other) =>
      this.#anchorPrice(other),
    );
    return this.#keep(this.#mids, mint, found)?.mid ?? null;
  }

  /** Returns US dollars of an amount; null for a token without a price. */
  dollarsOf({ mint, amount }: TradedAmount): number | null {
    const price = this.price(mint);
    return price === null ? null : Number(amount) * price.dollarsPerAtom;
  }

  /**
   * Values a swap: by the token that is closer to the stablecoins, and among equals by the lower value, so that nobody makes
   * volume with a token that only its own pool prices.
   *
   * Returns US dollars; null when neither token has a price.
   */
  valueOf(paid: TradedAmount, received: TradedAmount): number | null {
    const [one, other] = [this.dollarsOf(paid), this.dollarsOf(received)];
    if (one === null || other === null) return one ?? other;
    const [distance, otherDistance] = [this.#distance(paid.mint), this.#distance(received.mint)];
    if (distance === otherDistance) return Math.min(one, other);
    return distance < otherDistance ? one : other;
  }

  /**
   * Considers a trade as the price of the token that is further from the stablecoins. A trade that comes after a later one
   * is not the token's price now.
   *
   * Returns that token and its price in the trade; null if validation does not let the price through.
   */
  addTrade(trade: Trade): PricedToken | null {
    const { paid, received, dollars, slot } = trade;
    if (trade.pool === null || trade.isRoundTrip === true || trade.isSandwich === true) return null;
    if (dollars === null || dollars < MIN_TRADE_DOLLARS) return null;
    const [distance, otherDistance] = [this.#distance(paid.mint), this.#distance(received.mint)];
    if (distance === otherDistance) return null;
    const [priced, by] = distance < otherDistance ? [received, paid] : [paid, received];
    const mid = this.mid(priced.mint);
    const value = this.dollarsOf(by);
    if (mid === null || value === null || priced.amount === 0n) return null;
    if ((mid.depths.get(trade.pool) ?? 0) < mid.depth * MIN_SHARE_OF_DEPTH) return null;
    const dollarsPerAtom = value / Number(priced.amount);
    if (!isNear(dollarsPerAtom, mid.dollarsPerAtom)) return null;
    if (!this.#hasLater(priced.mint, slot)) this.#trades.set(priced.mint, { dollarsPerAtom, slot });
    return { mint: priced.mint, dollarsPerAtom };
  }

  close(): void {
    this.#stop();
  }

  /** The slots of a network that was restored begin again, so a trade after the present slot says nothing. */
  #hasLater(mint: Address, slot: bigint): boolean {
    const last = this.#trades.get(mint)?.slot ?? slot;
    return last > slot && last <= this.#slot();
  }

  #directMid(mint: Address): FoundMid | null {
    const known = this.#known(this.#directMids, mint);
    if (known !== null) return known;
    const found = findDirectMid(
      this.#pools,
      mint,
      (other) => this.#anchorPrice(other)?.dollarsPerAtom ?? null,
    );
    return this.#keep(this.#directMids, mint, found);
  }

  /** Returns the price of a token by its pools against stablecoins and SOL; null if it has none. */
  #anchorPrice(mint: Address): AnchorPrice | null {
    const found = this.#directMid(mint);
    if (found === null) return null;
    const { dollarsPerAtom } = this.#tradeNear(mint, found.mid) ?? found.mid;
    return { dollarsPerAtom, maxDepth: found.mid.depth };
  }

  /** Returns the last trade that was a price, if the pools have not moved away from it. */
  #tradeNear(mint: Address, mid: Mid): LastTrade | null {
    const trade = this.#trades.get(mint);
    return trade !== undefined && isNear(trade.dollarsPerAtom, mid.dollarsPerAtom) ? trade : null;
  }

  /** Returns null if it has to be computed again. */
  #known(mids: ReadonlyMap<Address, KnownMid>, mint: Address): FoundMid | null {
    const known = mids.get(mint);
    if (known === undefined || known.listing !== this.#pools.listing) return null;
    if (known.version !== this.#version(mint)) return null;
    for (const anchor of known.found.anchors) {
      const price = this.#anchorPrice(anchor.mint);
      if (price?.dollarsPerAtom !== anchor.dollarsPerAtom) return null;
      if (anchor.maxDepth !== Number.POSITIVE_INFINITY && anchor.maxDepth !== price.maxDepth) return null;
    }
    return known.found;
  }

  #keep(mids: Map<Address, KnownMid>, mint: Address, found: FoundMid | null): FoundMid | null {
    // Tokens without a price are not kept: a request may name any token, so there would be no bound.
    if (found === null) mids.delete(mint);
    else mids.set(mint, { listing: this.#pools.listing, version: this.#version(mint), found });
    return found;
  }

  #version(mint: Address): number {
    return this.#versions.get(mint) ?? 0;
  }

  #distance(mint: Address): number {
    return this.mid(mint)?.distance ?? Number.POSITIVE_INFINITY;
  }
}

function isNear(price: number, mid: number): boolean {
  return Math.abs(price / mid - 1) <= MAX_DEVIATION;
}
