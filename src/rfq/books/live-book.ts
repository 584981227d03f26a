import type { Address } from '../../solana/address.ts';

/** One token of a pair, as its mint on the chain says. */
export interface BookToken {
  readonly mint: Address;
  readonly decimals: number;
  readonly tokenProgram: Address;
}

/** `price` is quote atoms per one whole base token; `volume` is base atoms. Both are u64 and above zero. */
export interface BookLevel {
  readonly price: bigint;
  readonly volume: bigint;
}

/** An accepted snapshot: immutable, sorted, uncrossed, covered by the maker's balance, five levels a side at most. */
export interface LiveBook {
  /** Rises with every book that goes live, over all makers and pairs: equal versions are the same book. */
  readonly version: number;
  readonly makerId: string;
  /** Signs fills and owns the inventory. */
  readonly makerAddress: Address;
  readonly base: BookToken;
  readonly quote: BookToken;
  /** Highest price first: what the maker pays for base. */
  readonly bids: readonly BookLevel[];
  /** Lowest price first: what the maker wants for base. */
  readonly asks: readonly BookLevel[];
  /** Unix milliseconds at which the book leaves the market by itself. */
  readonly expiresAt: number;
}

/** What the market may know of the makers' books. A read costs no copy and no look at the network. */
export interface LiveBooks {
  /** Books that trade the two mints, in either direction, at `now` (Unix milliseconds). */
  between(mintA: Address, mintB: Address, now: number): readonly LiveBook[];
  /** Every live book. */
  all(now: number): Iterable<LiveBook>;
  /** Calls back after a book went live (`book`) or left the market (null); returns what ends it. */
  watch(changed: (makerId: string, book: LiveBook | null) => void): () => void;
}
