import type { LiveBook } from '../books/live-book.ts';
import { type FillOffer, findSmallFill } from './fill-offer.ts';
import type { CheckDependencies, CheckSubject } from './trials/check-dependencies.ts';
import { listMakerBooks } from './streaming.ts';
import { type Deviation, buildCheckTransaction } from './swap-transaction.ts';
import type { Trial } from './trials/trials.ts';

/** Returns a fill of what the maker quotes now; null if nothing can be filled. */
export function findCurrentOffer(
  dependencies: Pick<CheckDependencies, 'books' | 'timers' | 'network'>,
  { makerId }: CheckSubject,
): FillOffer | null {
  const books: readonly LiveBook[] = listMakerBooks(dependencies, makerId);
  return findSmallFill(books, dependencies.network.clock());
}

export interface OfferedTrial {
  readonly trial: Trial;
  readonly lastValidBlockHeight: bigint;
}

/** Builds a swap for the maker, without pushing it yet. */
export function makeTrial(
  { network, trials, newUuid }: Pick<CheckDependencies, 'network' | 'trials' | 'newUuid'>,
  { makerId, taker, nextSerial }: CheckSubject,
  offer: FillOffer,
  departure?: Deviation,
): OfferedTrial {
  const blockhash = network.recentBlockhash();
  const transaction = buildCheckTransaction({ offer, taker, blockhash, serial: nextSerial() }, departure);
  const trial = trials.begin({ swapUuid: newUuid(), makerId, transaction });
  return { trial, lastValidBlockHeight: blockhash.lastValidBlockHeight };
}

export const NOTHING_OFFERED = 'it has no book in the market of which an atom could be filled';
/** The text for the maker of a swap without an order. */
export const NOT_MADE = 'the swap was part of a check and is not made';
