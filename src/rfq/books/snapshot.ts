import type { BookLevel } from './live-book.ts';

export type Cluster = 'unspecified' | 'mainnet' | 'devnet';

/** A token as the maker names it; nothing of it is checked yet. */
export interface StreamedToken {
  readonly mint: string;
  readonly decimals: number;
  readonly symbol: string;
  readonly tokenProgram: string;
}

/** A book as a maker streams it: of the right types, and nothing more. All numbers are u64. */
export interface Snapshot {
  /** Unix microseconds. */
  readonly timestamp: bigint;
  readonly sequence: bigint;
  /** A duration. */
  readonly expirySeconds: bigint;
  readonly makerId: string;
  readonly makerAddress: string;
  readonly lotSizeBase: bigint;
  readonly cluster: Cluster;
  readonly base: StreamedToken;
  readonly quote: StreamedToken;
  /** In no order; of any price and volume. */
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
}
