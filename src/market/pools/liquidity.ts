import type { Address } from '../../solana/address.ts';
import type { PoolState, Trading } from '../../protocol/venue/venue.ts';

/** A pool that can be quoted now, with its venue. */
export interface PoolHandle {
  readonly venue: Trading;
  /** The current state. Only `Pools` replaces it, and never while a search for routes runs. */
  pool: PoolState;
}

/** A pool that routes cannot use now, and a sentence that says why. */
export interface UnusablePool {
  readonly address: Address;
  /** The venue's label. */
  readonly venue: string;
  readonly reason: string;
}

/** A set of mints, which may be very large. */
export interface Counterparts {
  readonly size: number;
  has(mint: Address): boolean;
  keys(): Iterable<Address>;
}

/**
 * The pools that a search for routes may use: all pools of the chain, or those together with liquidity that is not an
 * account of the chain.
 */
export interface Liquidity {
  /** The mints that `mint` is traded for now. */
  counterparts(mint: Address): Counterparts;
  /** Pools that trade the two mints and can be used now. */
  between(one: Address, other: Address): readonly PoolHandle[];
  /** The mints that most others are traded for. */
  hubs(): ReadonlySet<Address>;
  /**
   * Changes whenever the set of trading pools changes, so that callers can cache what they find out about pairs. If
   * absent, nothing may be cached.
   */
  readonly listing?: number;
}
