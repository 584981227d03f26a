import type { LiveBook } from '../books/live-book.ts';
import { type FillOffer, smallFill } from './fill-offer.ts';
import type { CheckDependencies, Subject } from './trials/check-dependencies.ts';
import { booksOf } from './streaming.ts';
import { type Deviation, swapTransaction } from './swap-transaction.ts';
import type { Trial } from './trials/trials.ts';

/** @returns a fill of what the maker quotes now; null if nothing can be filled */
export function offerNow(
  dependencies: Pick<CheckDependencies, 'books' | 'timers' | 'network'>,
  { makerId }: Subject,
): FillOffer | null {
  const books: readonly LiveBook[] = booksOf(dependencies, makerId);
  return smallFill(books, dependencies.network.clock());
}

export interface Offered {
  readonly trial: Trial;
  readonly lastValidBlockHeight: bigint;
}

/** Builds a swap for the maker, without pushing it yet. */
export function makeTrial(
  { network, trials, newUuid }: Pick<CheckDependencies, 'network' | 'trials' | 'newUuid'>,
  { makerId, taker, nextSerial }: Subject,
  offer: FillOffer,
  departure?: Deviation,
): Offered {
  const blockhash = network.recentBlockhash();
  const transaction = swapTransaction({ offer, taker, blockhash, serial: nextSerial() }, departure);
  const trial = trials.begin({ swapUuid: newUuid(), makerId, transaction });
  return { trial, lastValidBlockHeight: blockhash.lastValidBlockHeight };
}

export const NOTHING_OFFERED = 'it has no book in the market of which an atom could be filled';
/** The text for the maker of a swap without an order. */
export const NOT_MADE = 'the swap was part of a check and is not made';
