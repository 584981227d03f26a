import type { Liquidity } from '../pools.ts';
import { type Edge, type WaysRequest, waysBetween } from './ways.ts';

/** Hops from the input mint to the output mint, over at most two other mints. */
export type Path = readonly Edge[];

/** How many paths a search considers, of each way of ranking them. */
export const PATHS = 8;

/** A path with what it is estimated to pay for the whole amount, and for `PART` of it. */
export interface RankedPath {
  readonly path: Path;
  readonly pays: number;
  readonly paysForPart: number;
}

/** Of the amount, by which shallow paths are ranked. */
export const PART = 1 / 64;

/**
 * The most promising paths, by what they are estimated to pay for the whole amount and for a small part of it:
 * deep paths win the first, well-priced shallow ones the second, and a split wants both. At most `count` of each.
 */
export function promisingPaths(
  pools: Liquidity,
  request: WaysRequest,
  amount: number,
  count: number,
): readonly RankedPath[] {
  const best = new BestPaths(count);
  const { direct, over } = waysBetween(pools, request);
  const part = amount * PART;
  if (direct !== null) best.offer(paidBy(direct, amount), paidBy(direct, part), direct, null, null);
  for (const { first, last, onward } of over) {
    const there = paidBy(first, amount);
    if (there <= 0) continue;
    const partThere = paidBy(first, part);
    if (last !== null) best.offer(paidBy(last, there), paidBy(last, partThere), first, last, null);
    for (const { middle, last } of onward) {
      const further = paidBy(middle, there);
      if (further <= 0) continue;
      const partFurther = paidBy(middle, partThere);
      best.offer(paidBy(last, further), paidBy(last, partFurther), first, middle, last);
    }
  }
  return best.paths();
}

function paidBy({ markets, inputMint }: Edge, amount: number): number {
  let best = 0;
  for (let at = 0; at < markets.length; at++) {
    const { venue, pool } = markets[at] as Edge['markets'][number];
    const paid = venue.estimate(pool, inputMint, amount);
    if (paid > best) best = paid;
  }
  return best;
}

/** Keeps the paths that pay most: so many for the whole amount, and so many for the part. */
class BestPaths {
  readonly #forWhole: RankedPath[] = [];
  readonly #forPart: RankedPath[] = [];
  readonly #count: number;
  /** What the last that is kept pays; 0 while there is room. */
  #leastWhole = 0;
  #leastPart = 0;

  constructor(count: number) {
    this.#count = count;
  }

  /** The edges are given one by one, so that only a path that is kept costs memory. */
  offer(pays: number, paysForPart: number, first: Edge, second: Edge | null, third: Edge | null): void {
    if (pays <= 0) return;
    const [byWhole, byPart] = [pays > this.#leastWhole, paysForPart > this.#leastPart];
    if (!byWhole && !byPart) return;
    const path = second === null ? [first] : third === null ? [first, second] : [first, second, third];
    const ranked: RankedPath = { path, pays, paysForPart };
    if (byWhole) {
      insert(this.#forWhole, ranked, byWholeAmount, this.#count);
      if (this.#forWhole.length === this.#count) this.#leastWhole = this.#forWhole.at(-1)?.pays ?? 0;
    }
    if (byPart) {
      insert(this.#forPart, ranked, bySmallPart, this.#count);
      if (this.#forPart.length === this.#count) this.#leastPart = this.#forPart.at(-1)?.paysForPart ?? 0;
    }
  }

  paths(): readonly RankedPath[] {
    const paths = [...this.#forWhole];
    for (const each of this.#forPart) if (!this.#forWhole.includes(each)) paths.push(each);
    return paths;
  }
}

function byWholeAmount({ pays }: RankedPath): number {
  return pays;
}

function bySmallPart({ paysForPart }: RankedPath): number {
  return paysForPart;
}

/** Behind those that rank as high; of more than `most`, the last goes. */
function insert(
  ranked: RankedPath[],
  each: RankedPath,
  rankOf: (path: RankedPath) => number,
  most: number,
): void {
  const rank = rankOf(each);
  let place = ranked.length;
  if (place < most) ranked.push(each);
  else place--;
  for (; place > 0; place--) {
    const before = ranked[place - 1] as RankedPath;
    if (rankOf(before) >= rank) break;
    ranked[place] = before;
  }
  ranked[place] = each;
}
