import type { BookLevel } from './live-book.ts';

export type SnapshotCluster = 'unspecified' | 'mainnet' | 'devnet';

/** A token as the maker describes it, unchecked. */
export interface StreamedToken {
  readonly mint: string;
  readonly decimals: number;
  readonly symbol: string;
  readonly tokenProgram: string;
}

/** An order book as a maker streams it. The types are checked, the values are not. All numbers are u64. */
export interface Snapshot {
  /** Unix microseconds. */
  readonly timestamp: bigint;
  readonly sequence: bigint;
  /** A duration in seconds. */
  readonly expirySeconds: bigint;
  readonly makerId: string;
  readonly makerAddress: string;
  readonly lotSizeBase: bigint;
  readonly cluster: SnapshotCluster;
  readonly base: StreamedToken;
  readonly quote: StreamedToken;
  /** In any order, with any price and volume. */
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
}
