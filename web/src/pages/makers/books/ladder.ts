import type { BookLine, MakerBook } from '../source/maker-shapes.ts';

/** A level of a book as the ladder draws it. */
export interface LadderRow extends BookLine {
  /** 1 for the best one of its side. */
  readonly level: number;
  /** Base atoms from the best level to this one. */
  readonly total: bigint;
  /** The length of its bar, from 0 to 1: of the largest level of the book. */
  readonly length: number;
  /** The part of the bar that is free, from 0 to 1. */
  readonly freeLength: number;
}

/** A book as a ladder. */
export interface Ladder {
  /** From the highest price down to the best one. */
  readonly asks: readonly LadderRow[];
  /** From the best price down. */
  readonly bids: readonly LadderRow[];
  /** The best ask less the best bid, in quote atoms; below zero if they cross. Null: one side is empty. */
  readonly spread: bigint | null;
  /** The spread in hundredths of a basis point of the price in the middle. Null as `spread`. */
  readonly spreadCentiBps: bigint | null;
}

/** Lays a book out as a ladder. Its levels stand with the best one first. */
export function toLadder({ bids, asks }: Pick<MakerBook, 'bids' | 'asks'>): Ladder {
  const largest = [...bids, ...asks].reduce((most, { volume }) => (volume > most ? volume : most), 0n);
  const ask = asks[0]?.price;
  const bid = bids[0]?.price;
  const spread = ask === undefined || bid === undefined ? null : ask - bid;
  const sum = (ask ?? 0n) + (bid ?? 0n);
  return {
    asks: toRows(asks, largest).toReversed(),
    bids: toRows(bids, largest),
    spread,
    spreadCentiBps: spread === null || sum === 0n ? null : (spread * 2_000_000n) / sum,
  };
}

/** Returns what a level is worth in quote atoms, rounded down. */
export function computeWorth({ price, volume }: BookLine, baseDecimals: number): bigint {
  return (price * volume) / 10n ** BigInt(baseDecimals);
}

function toRows(levels: readonly BookLine[], largest: bigint): readonly LadderRow[] {
  let total = 0n;
  return levels.map(({ price, volume, free }, index) => {
    total += volume;
    return {
      level: index + 1,
      price,
      volume,
      free,
      total,
      length: divide(volume, largest),
      freeLength: divide(free, volume),
    };
  });
}

/** A coordinate: how much of the whole a part is, from 0 to 1. */
function divide(part: bigint, whole: bigint): number {
  if (whole <= 0n || part <= 0n) return 0;
  return part >= whole ? 1 : Number((part * 10_000n) / whole) / 10_000;
}
