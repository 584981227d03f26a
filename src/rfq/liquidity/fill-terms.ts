import type { Route } from '../../market/router/index.ts';
import { AggregatorSide } from '../../protocol/venue/aggregator-step.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { findBookState, getBookOffer } from './book-venue.ts';
import { decodeFillParams } from '../../protocols/rfq-fill/fill-program.ts';
import type { FillTerms } from '../../swaps/fill-terms.ts';

/**
 * Reads the terms of a route's fill.
 * Returns null if the route contains no maker.
 */
export function findFillTerms({ legs }: Route): FillTerms | null {
  for (const { handle, inputMint, quote } of legs) {
    const pool = findBookState(handle);
    if (pool === null || quote.stepData === undefined) continue;
    const { expireAt, lotSizeBase, levels } = decodeFillParams(quote.stepData);
    const ask = getBookOffer(pool, inputMint).side === AggregatorSide.ASK;
    const [base, quoted] = pool.mints;
    const gain = (px: bigint): bigint => (ask ? px : lotSizeBase);
    const { makerAddress: maker } = pool.book;
    const baseAccount = deriveAssociatedTokenAddress(maker, base, pool.book.base.tokenProgram);
    const quoteAccount = deriveAssociatedTokenAddress(maker, quoted, pool.book.quote.tokenProgram);
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
