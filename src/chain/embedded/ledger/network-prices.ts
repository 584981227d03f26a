import type { Address } from '../../../solana/address.ts';
import type { PriceWalk } from '../../../solana/programs/price-feed/walk.ts';

/** A price feed that the network keeps current. */
export interface KeptFeed {
  readonly symbol: string;
  readonly feed: Address;
  /** The symbol of the token whose price this one follows, and its worth in millionths of that token. Null for none. */
  readonly follows: { readonly symbol: string; readonly millionths: bigint } | null;
}

/** The current state of a price feed. */
export interface NetworkPrice {
  readonly symbol: string;
  readonly feed: Address;
  /** US dollars per whole token, as a decimal. */
  readonly price: string;
  /** The confidence interval in US dollars, as a decimal. */
  readonly confidence: string;
  /** Unix seconds. */
  readonly publishTime: bigint;
  readonly slot: bigint;
  /** The token whose price this one follows, or null. */
  readonly follows: string | null;
  /** How the price moves at random, or null while it is fixed. */
  readonly walk: PriceWalk | null;
}

/** The parameters of a random walk. */
export type WalkTerms = Pick<PriceWalk, 'seed' | 'deviation' | 'drift' | 'seconds'>;
