import { compareAmounts, divideUp } from '../../solana/units.ts';
import type { BookLevel } from './live-book.ts';

/** The maximum number of levels per side in the market. */
export const KEPT_LEVELS = 5;

export interface BookSides {
  /** Highest price first. */
  readonly bids: readonly BookLevel[];
  /** Lowest price first. */
  readonly asks: readonly BookLevel[];
}

/**
 * Sorts each side, drops levels without a price or volume, and keeps the best levels. No price changes, also where the
 * best bid is above the best ask: what a maker streams is what its fills pay.
 *
 * @example
 * ```ts
 * import { arrangeLevels } from './book-levels.ts';
 *
 * const volume = 1_000n;
 * const bids = [{ price: 99n, volume }, { price: 104n, volume }, { price: 0n, volume }];
 * arrangeLevels({ bids, asks: [{ price: 100n, volume }] }).bids.map(({ price }) => price); // [104n, 99n]
 * ```
 */
export function arrangeLevels(streamed: BookSides): BookSides {
  const bids = bestFirst(streamed.bids, (one, other) => compareAmounts(other.price, one.price));
  const asks = bestFirst(streamed.asks, (one, other) => compareAmounts(one.price, other.price));
  return { bids: bids.slice(0, KEPT_LEVELS), asks: asks.slice(0, KEPT_LEVELS) };
}

/**
 * Finds out whether takers can buy at the best ask of a book and sell at its higher best bid.
 * @param sides - Each with the best level first.
 * @returns the two prices if the book is crossed; null if it is not
 */
export function findCrossing({
  bids,
  asks,
}: BookSides): { readonly bid: bigint; readonly ask: bigint } | null {
  const [bid, ask] = [bids[0]?.price, asks[0]?.price];
  return bid === undefined || ask === undefined || bid <= ask ? null : { bid, ask };
}

/** Most makers stream sorted levels, and checking the order is faster than sorting. */
function bestFirst(
  levels: readonly BookLevel[],
  compare: (one: BookLevel, other: BookLevel) => number,
): readonly BookLevel[] {
  let before: BookLevel | null = null;
  for (const level of levels) {
    if (!isReal(level) || (before !== null && compare(before, level) > 0)) {
      return levels.filter(isReal).sort(compare);
    }
    before = level;
  }
  return levels;
}

function isReal({ price, volume }: BookLevel): boolean {
  return price > 0n && volume > 0n;
}

/** The part of a side that the maker's balance covers. */
export interface CoveredLevels {
  readonly levels: readonly BookLevel[];
  /** The volume that the last level was cut to; null if no level was cut. */
  readonly cutTo: bigint | null;
}

/**
 * Covers levels from the best one on. The first level that the rest of the balance does not cover is cut, and the
 * levels after it are dropped.
 * @param balance - Atoms that the maker pays with: base for asks, quote for bids.
 * @param baseUnit - Base atoms of one whole token for bids, which are paid in quote; null for asks.
 */
export function coverLevels(
  levels: readonly BookLevel[],
  balance: bigint,
  baseUnit: bigint | null,
): CoveredLevels {
  let left = balance;
  let whole = 0;
  for (const level of levels) {
    const affordable = baseUnit === null ? left : (left * baseUnit) / level.price;
    if (affordable < level.volume) {
      const covered = levels.slice(0, whole);
      return affordable === 0n
        ? { levels: covered, cutTo: null }
        : { levels: [...covered, { price: level.price, volume: affordable }], cutTo: affordable };
    }
    left -= baseUnit === null ? level.volume : paidFor(level, baseUnit);
    whole++;
  }
  return { levels, cutTo: null };
}

/** Quote atoms that a bid level pays, rounded up so that the levels together never exceed the balance. */
function paidFor({ price, volume }: BookLevel, baseUnit: bigint): bigint {
  return divideUp(price * volume, baseUnit);
}
