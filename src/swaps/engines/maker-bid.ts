/**
 * Why a maker's quote did not become part of an order, as far as the maker may know:
 * - `price`: another offer was better for the taker.
 * - `volume`: what its book has free, after its balance and what other swaps reserve, takes too little of the amount.
 * - `balance`: its accounts do not hold what it quoted, or do not exist.
 * - `unusable`: the swap with it would fail in a simulation, or the taker, the receiver or the referrer is the maker.
 * - `no-quote`: it answered that it does not quote the swap.
 * - `late`: it did not answer in time.
 * - `invalid`: its answer is no quote of what was asked.
 * - `failed`: its webhook could not be called, or answered with an error.
 * - `not-asked`: too many calls to it were open, or the operator has changed or removed it while it was asked.
 */
export const LOSING_REASONS = [
  'price',
  'volume',
  'balance',
  'unusable',
  'no-quote',
  'late',
  'invalid',
  'failed',
  'not-asked',
] as const;
export type LosingReason = (typeof LOSING_REASONS)[number];

/** How a maker quotes: by a book that it streams, or by a webhook that is asked. */
export type QuoteChannel = 'stream' | 'webhook';

/** What a maker had to do with an order, before a winner is chosen. */
export interface MakerBid {
  readonly makerId: string;
  readonly channel: QuoteChannel;
  /** Null while it may win. */
  readonly lost: LosingReason | null;
  /** A sentence for the maker about its own quote; null without one. */
  readonly detail: string | null;
  /** Atoms that the maker quoted by webhook, before fees; null for a book, or without a quote. */
  readonly quoted: { readonly inAmount: bigint; readonly outAmount: bigint } | null;
  /** Atoms that the swap would have paid with its book, before fees, as estimated for the search; null if unknown. */
  readonly estimatedOut: number | null;
}

/** Called for each maker that an engine considers; the newest note about a maker counts. */
export type NoteBid = (bid: MakerBid) => void;

/**
 * Returns the note about a maker whose book is considered.
 * @param estimatedOut - As in `MakerBid`.
 */
export function createBookBid(
  makerId: string,
  lost: LosingReason | null,
  estimatedOut: number | null = null,
): MakerBid {
  return { makerId, channel: 'stream', lost, detail: null, quoted: null, estimatedOut };
}
