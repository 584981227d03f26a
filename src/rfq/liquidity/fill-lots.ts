import { divideUp } from '../../solana/units.ts';
import { AggregatorSide } from '../../protocol/venue/aggregator-step.ts';
import { type FillParams, type FillLevel, sweepLevels } from '../../protocols/rfq-fill/fill-program.ts';
import type { BookLevel } from '../books/live-book.ts';

/** One side of a book, as the taker sees it. */
export interface BookOffer {
  readonly side: AggregatorSide;
  /** Best for the taker first: the bids if the taker sells base, the asks if it buys base. */
  readonly levels: readonly BookLevel[];
  /** Base atoms of one whole token. */
  readonly one: bigint;
}

/** The lots and levels of a fill, and what they come to for the amount that they were computed for. */
export interface Lots extends Pick<FillParams, 'tickSizeQpb' | 'lotSizeBase' | 'levels'> {
  readonly paid: bigint;
  readonly received: bigint;
  /** The maximum that the fill pays, whatever its input is. */
  readonly most: bigint;
}

/** The largest lot and the largest price of a lot that makers' tools accept. */
const MAX_LOT = 10n ** 12n;
const MAX_PRICE = 10n ** 15n;
/** The numbers of lots that are tried if an amount spans several levels, as multiples of the minimum. */
const COUNTS = [1n, 4n, 16n, 64n, 256n, 1_024n, 4_096n, 16_384n];
/**
 * A step whose input comes from another step is given this share of extra lots, in case it receives more than expected.
 */
const SPARE = 50n;
const NO_EXPIRY = 0n;

/**
 * Rounds a fill of `amount` to lots. The price of a lot is the level's price, rounded to a whole atom in the maker's
 * favour. A lot that spans two levels has the worse price.
 * A known amount is divided into lots that fit it, so that less than an atom per lot is left over. If the amount comes
 * from another step of the route, it is known only roughly: the number of lots then balances what is left of a lot
 * against what the price loses by rounding.
 * @param amountMayDiffer - Whether the amount is the output of another step, so that it may differ when the step runs.
 * @returns null if the levels do not take the amount, or would pay nothing for it
 */
export function computeLots(offer: BookOffer, amount: bigint, amountMayDiffer: boolean): Lots | null {
  const base = baseFor(offer, amount);
  if (base === null) return null;
  const fewest = fewestLots(offer, base);
  if (fewest === null) return null;
  if (amountMayDiffer) return computeBalancedLots(offer, amount, base, fewest);
  let best: Lots | null = null;
  for (const count of countsFor(offer, base, fewest)) {
    const lots = exactLots(offer, amount, base, count);
    if (lots !== null && (best === null || lots.received > best.received)) best = lots;
  }
  return best;
}

/**
 * Returns the base atoms of a fill of the amount; null if the levels take less, or the amount is too small for one atom.
 */
function baseFor({ side, levels, one }: BookOffer, amount: bigint): bigint | null {
  let remaining = amount;
  let base = 0n;
  for (const { price, volume } of levels) {
    const whole = side === AggregatorSide.ASK ? volume : divideUp(price * volume, one);
    if (remaining < whole) {
      base += side === AggregatorSide.ASK ? remaining : (remaining * one) / price;
      return base > 0n ? base : null;
    }
    remaining -= whole;
    base += volume;
  }
  return remaining === 0n && base > 0n ? base : null;
}

/** Returns the minimum number of lots that makers' tools accept; null if even the smallest lot costs too much. */
function fewestLots({ levels, one }: BookOffer, base: bigint): bigint | null {
  // Prices are sorted, so the highest is at one end.
  const [first, last] = [levels[0]?.price ?? 1n, levels.at(-1)?.price ?? 1n];
  const dearest = first > last ? first : last;
  const byPrice = (MAX_PRICE * one) / dearest;
  const largest = byPrice < MAX_LOT ? byPrice : MAX_LOT;
  return largest === 0n ? null : divideUp(base, largest);
}

/**
 * One level needs the minimum number of lots. Several levels are matched best by lots that end where the levels end.
 */
function countsFor({ levels }: BookOffer, base: bigint, fewest: bigint): readonly bigint[] {
  if (base <= (levels[0]?.volume ?? 0n)) return [fewest];
  let lot = base;
  let end = 0n;
  for (const { volume } of levels) {
    end += volume;
    if (end < base) lot = greatestDivisor(lot, end);
  }
  const even = base / lot;
  const counts = COUNTS.map((times) => times * fewest).filter((count) => count <= base);
  return even >= fewest ? [even, ...counts] : counts;
}

function exactLots(offer: BookOffer, amount: bigint, base: bigint, count: bigint): Lots | null {
  let lot = base / count;
  for (let attempt = 0; attempt < 6 && lot > 0n; attempt++) {
    const levels = lotLevels(offer, lot, count);
    const cost = offer.side === AggregatorSide.ASK ? lot * count : sumLevelCost(levels);
    if (cost <= amount) return swept(offer.side, amount, lot, levels);
    lot = (lot * amount) / cost - BigInt(attempt);
  }
  return null;
}

function computeBalancedLots(offer: BookOffer, amount: bigint, base: bigint, fewest: bigint): Lots | null {
  const quote =
    offer.side === AggregatorSide.BID ? amount : (base * (offer.levels[0]?.price ?? 0n)) / offer.one;
  const wanted = squareRoot(quote);
  const count = wanted > fewest ? wanted : fewest;
  const lot = base / count;
  if (lot === 0n) return null;
  return swept(offer.side, amount, lot, lotLevels(offer, lot, count + count / SPARE + 1n));
}

/** Levels in lots, up to `count` lots. Levels without a whole lot are left out. */
function lotLevels({ side, levels, one }: BookOffer, lot: bigint, count: bigint): readonly FillLevel[] {
  const found: FillLevel[] = [];
  let end = 0n;
  let before = 0n;
  for (const { price, volume } of levels) {
    end += volume;
    const upTo = end / lot < count ? end / lot : count;
    const pxTicks = side === AggregatorSide.ASK ? (price * lot) / one : divideUp(price * lot, one);
    if (upTo > before && pxTicks > 0n) found.push({ pxTicks, qtyLots: upTo - before });
    before = upTo;
  }
  return found;
}

function swept(
  side: AggregatorSide,
  amount: bigint,
  lotSizeBase: bigint,
  levels: readonly FillLevel[],
): Lots | null {
  const terms = { tickSizeQpb: 1n, lotSizeBase, levels };
  const fill = sweepLevels(side, amount, { ...terms, expireAt: NO_EXPIRY });
  if ('error' in fill) return null;
  const most = side === AggregatorSide.ASK ? sumLevelCost(levels) : lotSizeBase * sumLots(levels);
  return { ...terms, paid: fill.paid, received: fill.received, most };
}

function sumLevelCost(levels: readonly FillLevel[]): bigint {
  return levels.reduce((sum, { pxTicks, qtyLots }) => sum + pxTicks * qtyLots, 0n);
}

function sumLots(levels: readonly FillLevel[]): bigint {
  return levels.reduce((sum, { qtyLots }) => sum + qtyLots, 0n);
}

function greatestDivisor(one: bigint, other: bigint): bigint {
  let [a, b] = [one, other];
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}

/** Rounded to a whole number, because the number of lots need not be exact. */
function squareRoot(value: bigint): bigint {
  return BigInt(Math.round(Math.sqrt(Number(value))));
}
