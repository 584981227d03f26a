import type { Address } from '../solana/address.ts';

/** The terms of the fill in a route, as settlement needs them. Plain data, because it is stored and sent. */
export interface FillTerms {
  readonly makerId: string;
  /** Signs at index 1. */
  readonly maker: Address;
  readonly base: Address;
  readonly quote: Address;
  /** The mint that the maker pays, `base` or `quote`. `most` is the maximum that the fill can pay. */
  readonly pays: Address;
  readonly most: bigint;
  /** The maker's token account that pays. Absent in older records. */
  readonly from?: Address;
  /** The maker's token account that receives the taker's payment. Absent in older records. */
  readonly to?: Address;
  /** Where the taker hands on what it gets: another wallet's token account, or its wallet for SOL. Absent if it keeps it. */
  readonly handedOnTo?: Address;
  /** Unix seconds by the chain's clock: the last second in which the fill may land. */
  readonly expireAt: bigint;
}
