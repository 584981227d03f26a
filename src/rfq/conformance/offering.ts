import type { LiveBook } from '../books/live-book.ts';
import { type FillOffer, smallFill } from './fill-offer.ts';
import type { CheckParts, Subject } from './parts.ts';
import { booksOf } from './streaming.ts';
import { type Departure, swapTransaction } from './swap-transaction.ts';
import type { Trial } from './trials.ts';

/** What the maker quotes now; null when nothing of it can be filled. */
export function offerNow(parts: CheckParts, { makerId }: Subject): FillOffer | null {
  const books: readonly LiveBook[] = booksOf(parts, makerId);
  return smallFill(books, parts.network.clock());
}

export interface Offered {
  readonly trial: Trial;
  readonly lastValidBlockHeight: bigint;
}

/** Makes a swap for the maker to look at, which it is not shown yet. */
export function makeTrial(
  { network, trials, newUuid }: CheckParts,
  { makerId, taker, nextSerial }: Subject,
  offer: FillOffer,
  departure?: Departure,
): Offered {
  const blockhash = network.recentBlockhash();
  const transaction = swapTransaction({ offer, taker, blockhash, serial: nextSerial() }, departure);
  const trial = trials.begin({ swapUuid: newUuid(), makerId, transaction });
  return { trial, lastValidBlockHeight: blockhash.lastValidBlockHeight };
}

export const NOTHING_OFFERED = 'it has no book in the market of which an atom could be filled';
/** What a maker is told of a swap that no order stood behind. */
export const NOT_MADE = 'the swap was part of a check and is not made';
