import type { Route } from '../../market/router/index.ts';
import { Side } from '../../protocol/venue/aggregator-step.ts';
import type { Address } from '../../solana/address.ts';
import { associatedTokenAddress } from '../../solana/pda.ts';
import { bookOf, offerOf } from './book-venue.ts';
import { decodeFillParams } from '../../protocols/rfq-fill/fill-program.ts';

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

/**
 * Reads the terms of a route's fill.
 * @returns null if the route contains no maker
 */
export function fillTermsOf({ legs }: Route): FillTerms | null {
  for (const { handle, inputMint, quote } of legs) {
    const pool = bookOf(handle);
    if (pool === null || quote.stepData === undefined) continue;
    const { expireAt, lotSizeBase, levels } = decodeFillParams(quote.stepData);
    const ask = offerOf(pool, inputMint).side === Side.ASK;
    const [base, quoted] = pool.mints;
    const gain = (px: bigint): bigint => (ask ? px : lotSizeBase);
    const { makerAddress: maker } = pool.book;
    const baseAccount = associatedTokenAddress(maker, base, pool.book.base.tokenProgram);
    const quoteAccount = associatedTokenAddress(maker, quoted, pool.book.quote.tokenProgram);
    return {
      makerId: pool.book.makerId,
      maker,
      base,
      quote: quoted,
      expireAt,
      pays: ask ? quoted : base,
      from: ask ? quoteAccount : baseAccount,
      to: ask ? baseAccount : quoteAccount,
      most: levels.reduce((sum, { pxTicks, qtyLots }) => sum + gain(pxTicks) * qtyLots, 0n),
    };
  }
  return null;
}
