import type { ChainClock } from '../../chain/chain.ts';
import type { Quote } from '../../protocol/venue/venue.ts';
import type { Address } from '../../solana/address.ts';
import { type BookState, createBookState, JUPITER_RFQ_V2 } from '../liquidity/book-venue.ts';
import type { LiveBook } from '../books/live-book.ts';

/** A small swap at a maker's price. */
export interface FillOffer {
  readonly pool: BookState;
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly quote: Quote;
}

/** The divisors of the best level that are tried until the fill is worth at least an atom. */
const PARTS = [1_000n, 100n, 10n, 1n];

/** Returns a fill of the first book that can be filled on either side; null if there is none. */
export function findSmallFill(books: readonly LiveBook[], clock: ChainClock): FillOffer | null {
  for (const book of books) {
    const pool = createBookState(book, book.bids, book.asks);
    const [base, quoted] = pool.mints;
    const offer = small(pool, base, quoted, clock) ?? small(pool, quoted, base, clock);
    if (offer !== null) return offer;
  }
  return null;
}

function small(
  pool: BookState,
  inputMint: Address,
  outputMint: Address,
  clock: ChainClock,
): FillOffer | null {
  const sells = inputMint === pool.mints[0];
  const [best] = sells ? pool.bids : pool.asks;
  if (best === undefined) return null;
  const all = sells ? best.volume : (best.volume * best.price) / pool.one;
  for (const part of PARTS) {
    const quote = JUPITER_RFQ_V2.quoteExactIn(pool, inputMint, all / part, clock);
    if (quote !== null) return { pool, inputMint, outputMint, quote };
  }
  return null;
}
