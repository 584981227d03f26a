import type { Address } from '../../../solana/address.ts';
import type { PriceWalk } from '../../../solana/programs/price-feed/walk.ts';

/** A feed that the network keeps current. */
export interface KeptFeed {
  readonly symbol: string;
  readonly feed: Address;
  /** For a token that is worth so many millionths of another one: that one's symbol, whose price it follows. */
  readonly follows: { readonly symbol: string; readonly millionths: bigint } | null;
}

/** A price of the network, as it stands in its feed. */
export interface NetworkPrice {
  readonly symbol: string;
  readonly feed: Address;
  /** US dollars for a whole token, as a decimal. */
  readonly price: string;
  /** By how many dollars the true price may differ. */
  readonly confidence: string;
  /** Unix seconds. */
  readonly publishTime: bigint;
  readonly slot: bigint;
  /** The token whose price this one follows, or null. */
  readonly follows: string | null;
  /** How the price moves at random, or null while it is fixed. */
  readonly walk: PriceWalk | null;
}

/** The terms on which a price moves. */
export type WalkTerms = Pick<PriceWalk, 'seed' | 'deviation' | 'drift' | 'seconds'>;
