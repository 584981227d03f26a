import type { PoolHandle } from '../../market/pools/liquidity.ts';
import type { LiveBook } from '../books/live-book.ts';
import type { BookCandidate } from './best-candidates.ts';

/** A book that could take part, before the route over it is priced. */
export interface BookStep {
  readonly handle: PoolHandle;
  readonly book: LiveBook;
  /** Its price relative to the best pool of the pair, for the part of the amount that it takes. */
  readonly gain: number;
  /** The atoms that the book takes of its input, and what it pays for them. */
  readonly taken: bigint;
  readonly pays: number;
}

/** A book that pays less than this share of a pool's price is not considered, not even in a split. */
export const MIN_GAIN = 0.99;
/**
 * Returns the makers that are considered, with what the swap would pay with the best book of each. The price of a book that is
 * not searched stands for the whole amount. All of it was computed for the search.
 */
export function collectConsidered(
  direct: readonly BookStep[],
  candidates: readonly BookCandidate[],
  amount: bigint,
): ReadonlyMap<string, number> {
  const best = new Map<string, number>();
  const add = (makerId: string, estimated: number) =>
    best.set(makerId, Math.max(best.get(makerId) ?? 0, estimated));
  for (const { book, gain, pays, taken } of direct) {
    add(book.makerId, gain >= MIN_GAIN ? 0 : (pays * Number(amount)) / Number(taken));
  }
  for (const { makerId, estimated } of candidates) add(makerId, estimated);
  return best;
}
