import type { Address } from '../../solana/address.ts';

/** A token of a pair, as described by its mint on chain. */
export interface BookToken {
  readonly mint: Address;
  readonly decimals: number;
  readonly tokenProgram: Address;
}

/** A price level. `price` is quote atoms per whole base token; `volume` is base atoms. Both are u64 and above zero. */
export interface BookLevel {
  readonly price: bigint;
  readonly volume: bigint;
}

/**
 * An accepted snapshot: immutable, sorted, covered by the maker's balance, with at most five levels per side. The best
 * bid may be above the best ask.
 */
export interface LiveBook {
  /** Higher for each book that enters the market, over all makers and pairs. Equal versions are the same book. */
  readonly version: number;
  readonly makerId: string;
  /** Signs fills and owns the inventory. */
  readonly makerAddress: Address;
  readonly base: BookToken;
  readonly quote: BookToken;
  /** Highest price first: the prices that the maker pays for base. */
  readonly bids: readonly BookLevel[];
  /** Lowest price first: the prices that the maker asks for base. */
  readonly asks: readonly BookLevel[];
  /** Unix milliseconds when the book expires. */
  readonly expiresAt: number;
}

/** Read access to the makers' order books. Reads neither copy books nor access the network. */
export interface LiveBooks {
  /**
   * @param now - Unix milliseconds.
   * @returns the live books of the two mints, in either direction
   */
  between(mintA: Address, mintB: Address, now: number): readonly LiveBook[];
  /**
   * @param now - Unix milliseconds.
   * @returns all live books
   */
  all(now: number): Iterable<LiveBook>;
  /**
   * Calls `changed` after a book entered the market, or with null after one left it.
   * Returns a function that stops it.
   */
  watch(changed: (makerId: string, book: LiveBook | null) => void): () => void;
}
