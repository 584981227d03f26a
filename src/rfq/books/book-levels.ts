import { compareAmounts } from '../../solana/units.ts';
import type { BookLevel } from './live-book.ts';

/** The market keeps this many a side. */
export const KEPT_LEVELS = 5;

export interface Sides {
  /** Highest price first. */
  readonly bids: readonly BookLevel[];
  /** Lowest price first. */
  readonly asks: readonly BookLevel[];
}

export interface Arranged extends Sides {
  /** The prices that the sides were moved to, when the best bid was above the best ask. */
  readonly uncrossedAt: { readonly bid: bigint; readonly ask: bigint } | null;
}

/**
 * The best levels of each side, best first, without those of no price or volume.
 *
 * A crossed book would let a taker buy at the ask and sell at the higher bid. It is uncrossed in the maker's favour and
 * without giving up a side: bids above the middle of the best bid and the best ask are lowered to it, rounded down, and
 * asks below it are raised to it, rounded up. A book whose best prices are equal is not crossed.
 */
export function arrange(streamed: Sides): Arranged {
  const bids = bestFirst(streamed.bids, (one, other) => compareAmounts(other.price, one.price));
  const asks = bestFirst(streamed.asks, (one, other) => compareAmounts(one.price, other.price));
  const kept = { bids: bids.slice(0, KEPT_LEVELS), asks: asks.slice(0, KEPT_LEVELS) };
  const [bestBid, bestAsk] = [bids[0]?.price, asks[0]?.price];
  if (bestBid === undefined || bestAsk === undefined || bestBid <= bestAsk) {
    return { ...kept, uncrossedAt: null };
  }
  const bid = (bestBid + bestAsk) / 2n;
  const ask = (bestBid + bestAsk + 1n) / 2n;
  return {
    bids: kept.bids.map((level) => (level.price > bid ? { ...level, price: bid } : level)),
    asks: kept.asks.map((level) => (level.price < ask ? { ...level, price: ask } : level)),
    uncrossedAt: { bid, ask },
  };
}

/** Most makers stream their levels in order already, which is quicker to see than to bring about. */
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

/** What of a side the maker's balance covers. */
export interface Covered {
  readonly levels: readonly BookLevel[];
  /** What the first level that is not covered whole was cut to; null when it is gone too, or all are covered. */
  readonly cutTo: bigint | null;
}

/**
 * Fills from the best level on: the first level that the rest of the balance cannot cover is cut to what it can, and
 * those behind it are dropped.
 * @param balance atoms of what the maker pays: base on the ask side, quote on the bid side
 * @param baseUnit base atoms of one whole token for bids, which are paid in quote; null for asks
 */
export function cover(levels: readonly BookLevel[], balance: bigint, baseUnit: bigint | null): Covered {
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

/** Quote atoms that a bid level takes, rounded up so that the levels together never take more than there is. */
function paidFor({ price, volume }: BookLevel, baseUnit: bigint): bigint {
  return (price * volume + baseUnit - 1n) / baseUnit;
}
