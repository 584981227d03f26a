import type { ChainClock } from '../../chain/chain.ts';
import { AggregatorSide } from '../../protocol/venue/aggregator-step.ts';
import type { PoolHandle } from '../../market/pools/liquidity.ts';
import {
  type PoolState,
  type Quote,
  type RouteStep,
  type SwapParties,
  type Trading,
  toTrading,
} from '../../protocol/venue/venue.ts';
import type { Address } from '../../solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { decodeFillParams, encodeFillParams } from '../../protocols/rfq-fill/fill-program.ts';
import { computeLots, type BookOffer } from './fill-lots.ts';
import { FILL_LIFE_SECONDS } from './fill-times.ts';
import { createFillStep, RFQ_FILL_PROGRAM } from '../../protocols/rfq-fill/fill-step.ts';
import type { BookLevel, LiveBook } from '../books/live-book.ts';

/** Makers' tools reject a fill whose most expensive lot costs ten times its cheapest. This leaves room for rounding. */
const WIDEST = 8n;

/** A book as the router sees it: the part that is not reserved. */
export interface BookState extends PoolState {
  readonly book: LiveBook;
  readonly one: bigint;
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
}

/**
 * @param bids - The free part of the book's bids.
 * @param asks - The free part of the book's asks.
 */
export function createBookState(
  book: LiveBook,
  bids: readonly BookLevel[],
  asks: readonly BookLevel[],
): BookState {
  return {
    // A book has no account, so routes name the maker's address.
    address: book.makerAddress,
    mints: [book.base.mint, book.quote.mint],
    book,
    one: 10n ** BigInt(book.base.decimals),
    bids: bids.filter(({ price }) => price * WIDEST >= (bids[0]?.price ?? 0n)),
    asks: asks.filter(({ price }) => price <= WIDEST * (asks[0]?.price ?? 0n)),
  };
}

/** Makers' live books as a venue. The fill program settles them with the maker's signature. */
export const JUPITER_RFQ_V2: Trading<BookState> = toTrading({
  label: 'JupiterRfqV2',
  program: RFQ_FILL_PROGRAM,
  wholeLots: true,
  paysUserOnly: true,
  quoteExactIn,
  // Books are used by `/order` only, which supports exact inputs only.
  quoteExactOut: () => null,
  estimate,
  routeStep,
});

export function findBookState({ pool }: PoolHandle): BookState | null {
  return 'book' in pool ? (pool as BookState) : null;
}

export function getBookOffer(pool: BookState, inputMint: Address): BookOffer {
  const { one, bids, asks } = pool;
  return inputMint === pool.mints[0]
    ? { side: AggregatorSide.ASK, levels: bids, one }
    : { side: AggregatorSide.BID, levels: asks, one };
}

function quoteExactIn(
  pool: BookState,
  inputMint: Address,
  amount: bigint,
  clock: ChainClock,
  amountMayDiffer = false,
): Quote | null {
  const lots = computeLots(getBookOffer(pool, inputMint), amount, amountMayDiffer);
  if (lots === null) return null;
  const expireAt = clock.unixTimestamp + FILL_LIFE_SECONDS;
  return {
    inAmount: lots.paid,
    outAmount: lots.received,
    feeAmount: 0n,
    feeMint: inputMint,
    stepData: encodeFillParams({ ...lots, expireAt }),
  };
}

/** Prices at the book's own levels, without rounding to lots. Null beyond the offered volume. */
function estimate(pool: BookState, inputMint: Address, amount: number): number {
  const { side, levels, one } = getBookOffer(pool, inputMint);
  let remaining = amount;
  let paid = 0;
  for (const { price, volume } of levels) {
    const rate = Number(price) / Number(one);
    const whole = side === AggregatorSide.ASK ? Number(volume) : Number(volume) * rate;
    const taken = Math.min(remaining, whole);
    paid += side === AggregatorSide.ASK ? taken * rate : taken / rate;
    remaining -= taken;
    if (remaining <= 0) return paid;
  }
  return 0;
}

function routeStep(pool: BookState, inputMint: Address, parties: SwapParties, quote?: Quote): RouteStep {
  if (quote?.stepData === undefined) throw new Error('a fill is made of its quote, which is missing');
  const { side } = getBookOffer(pool, inputMint);
  const { book } = pool;
  const { authority, source, destination } = parties;
  const [takerBase, takerQuote] = side === AggregatorSide.ASK ? [source, destination] : [destination, source];
  const holding = ({ mint, tokenProgram }: LiveBook['base']): Address =>
    deriveAssociatedTokenAddress(book.makerAddress, mint, tokenProgram);
  return createFillStep(
    side,
    decodeFillParams(quote.stepData),
    {
      taker: authority,
      maker: book.makerAddress,
      takerBase,
      takerQuote,
      makerBase: holding(book.base),
      makerQuote: holding(book.quote),
    },
    {
      baseMint: book.base.mint,
      quoteMint: book.quote.mint,
      baseTokenProgram: book.base.tokenProgram,
      quoteTokenProgram: book.quote.tokenProgram,
    },
  );
}
