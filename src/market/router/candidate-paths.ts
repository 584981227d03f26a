import type { Liquidity } from '../pools/pools.ts';
import { type Edge, type CandidateRequest, candidateGraph } from './candidate-graph.ts';

/** Hops from the input mint to the output mint, over at most two other mints. */
export type CandidatePath = readonly Edge[];

/** How many candidate paths a search keeps by each of its two rankings. */
export const MAX_CANDIDATE_PATHS = 8;

/** A path with what it is estimated to pay for the whole amount, and for `PART` of it. */
export interface RankedPath {
  readonly path: CandidatePath;
  readonly pays: number;
  readonly paysForPart: number;
}

/** Lengths of paths that need less room in a transaction, longest first. */
export function fewerHops({ maxHops }: Pick<CandidateRequest, 'maxHops'>): readonly (1 | 2)[] {
  return ([2, 1] as const).filter((hops) => hops < maxHops);
}

/** The share of the amount by which shallow paths are ranked. */
export const PART = 1 / 64;

/**
 * The most promising paths, by what they are estimated to pay for the whole amount and for a small part of it:
 * deep paths win the first, well-priced shallow ones the second, and a split wants both. At most `count` of each.
 */
export function candidatePaths(
  pools: Liquidity,
  request: CandidateRequest,
  amount: number,
  count: number,
): readonly RankedPath[] {
  const best = new BestPaths(count);
  const { direct, over } = candidateGraph(pools, request);
  const part = amount * PART;
  if (direct !== null) best.offer(paidBy(direct, amount), paidBy(direct, part), direct, null, null);
  for (const { first, last, onward } of over) {
    const partThere = paidBy(first, part);
    let there = UNKNOWN;
    if (last !== null) {
      const partPaid = paidBy(last, partThere);
      if (first.inLots || last.inLots || best.mayTake(partPaid)) {
        there = paidBy(first, amount);
        best.offer(paidBy(last, there), partPaid, first, last, null);
      }
    }
    for (const { middle, last } of onward) {
      const partPaid = paidBy(last, paidBy(middle, partThere));
      if (!(first.inLots || middle.inLots || last.inLots || best.mayTake(partPaid))) continue;
      if (there === UNKNOWN) there = paidBy(first, amount);
      best.offer(paidBy(last, paidBy(middle, there)), partPaid, first, middle, last);
    }
  }
  return best.paths();
}

const UNKNOWN = -1;

function paidBy({ markets, inputMint }: Edge, amount: number): number {
  let best = 0;
  for (let at = 0; at < markets.length; at++) {
    const { venue, pool } = markets[at] as Edge['markets'][number];
    const paid = venue.estimate(pool, inputMint, amount);
    if (paid > best) best = paid;
  }
  return best;
}

/** The part's price for the whole, with more than an estimate can be off by. */
const MAX_FOR_WHOLE = (1 / PART) * (1 + 1e-6);

/** Keeps the paths that pay most: so many for the whole amount, and so many for the part. */
class BestPaths {
  readonly #forWhole: Ranking;
  readonly #forPart: Ranking;

  constructor(count: number) {
    this.#forWhole = new Ranking(count);
    this.#forPart = new Ranking(count);
  }

  /**
   * False where what a path pays for the part shows that it would not be kept: more input is never paid better, but for
   * pools that trade in lots, which pay nothing for less than one.
   */
  mayTake(paidForPart: number): boolean {
    return paidForPart > this.#forPart.least || paidForPart * MAX_FOR_WHOLE > this.#forWhole.least;
  }

  /** The edges are given one by one, so that only a path that is kept costs memory. */
  offer(pays: number, paysForPart: number, first: Edge, second: Edge | null, third: Edge | null): void {
    if (pays <= 0) return;
    const [byWhole, byPart] = [pays > this.#forWhole.least, paysForPart > this.#forPart.least];
    if (!byWhole && !byPart) return;
    const path = second === null ? [first] : third === null ? [first, second] : [first, second, third];
    const ranked: RankedPath = { path, pays, paysForPart };
    if (byWhole) this.#forWhole.insert(ranked, pays);
    if (byPart) this.#forPart.insert(ranked, paysForPart);
  }

  paths(): readonly RankedPath[] {
    const whole = this.#forWhole.paths;
    const paths = [...whole];
    for (const each of this.#forPart.paths) if (!whole.includes(each)) paths.push(each);
    return paths;
  }
}

/** The paths that rank highest, so many. */
class Ranking {
  readonly paths: RankedPath[] = [];
  /** The rank of each path. */
  readonly #ranks: number[] = [];
  readonly #most: number;
  /** What a path must rank above to be kept; 0 while there is room. */
  least = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Behind those that rank as high; when there is no room, the last goes. */
  insert(path: RankedPath, rank: number): void {
    const { paths } = this;
    const ranks = this.#ranks;
    let place = paths.length;
    if (place < this.#most) {
      paths.push(path);
      ranks.push(rank);
    } else place--;
    for (; place > 0; place--) {
      const before = ranks[place - 1] as number;
      if (before >= rank) break;
      ranks[place] = before;
      paths[place] = paths[place - 1] as RankedPath;
    }
    ranks[place] = rank;
    paths[place] = path;
    if (paths.length === this.#most) this.least = ranks[this.#most - 1] as number;
  }
}
