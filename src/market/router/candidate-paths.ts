import type { ChainClock } from '../../chain/chain.ts';
import { estimateReceived } from '../estimate-received.ts';
import type { Liquidity } from '../pools/liquidity.ts';
import type { Edge } from './candidate-edges.ts';
import { type CandidateRequest, getCandidateGraph } from './candidate-graph.ts';
import { Ranking } from './ranking.ts';

/** Hops from the input mint to the output mint, over at most two other mints. */
export type CandidatePath = readonly Edge[];

/** How many candidate paths a search keeps in each of its two rankings. */
export const MAX_CANDIDATE_PATHS = 8;

/** A path with its estimated output for the whole amount and for `PART` of it. */
export interface RankedPath {
  readonly path: CandidatePath;
  readonly pays: number;
  readonly paysForPart: number;
}

/** Returns the shorter path lengths to try when a path does not fit a transaction, longest first. */
export function listFewerHops({ maxHops }: Pick<CandidateRequest, 'maxHops'>): readonly (1 | 2)[] {
  return ([2, 1] as const).filter((hops) => hops < maxHops);
}

/** The share of the amount by which shallow paths are ranked. */
export const PART = 1 / 64;

/**
 * Finds the most promising paths by their estimated output for the whole amount and for a small part of it. Deep paths
 * lead the first ranking, shallow paths with good prices the second; a split needs both. The pair's own pools are kept
 * whatever their rank.
 *
 * @param amount - Atoms of the input mint.
 * @param count - The most paths that each ranking keeps.
 */
export function findCandidatePaths(
  pools: Liquidity,
  request: CandidateRequest,
  amount: number,
  count: number,
): readonly RankedPath[] {
  const best = new BestPaths(count);
  const { direct, over } = getCandidateGraph(pools, request, amount);
  const { clock } = request;
  const part = amount * PART;
  if (direct !== null) best.offerDirect(paidBy(direct, amount, clock), paidBy(direct, part, clock), direct);
  for (const { first, last, onward } of over) {
    const partThere = paidBy(first, part, clock);
    let there = UNKNOWN;
    if (last !== null) {
      const partPaid = paidBy(last, partThere, clock);
      if (first.dearInParts || last.dearInParts || best.mayTake(partPaid)) {
        there = paidBy(first, amount, clock);
        best.offer(paidBy(last, there, clock), partPaid, first, last, null);
      }
    }
    for (const { middle, last } of onward) {
      const partPaid = paidBy(last, paidBy(middle, partThere, clock), clock);
      if (!(first.dearInParts || middle.dearInParts || last.dearInParts || best.mayTake(partPaid))) continue;
      if (there === UNKNOWN) there = paidBy(first, amount, clock);
      best.offer(paidBy(last, paidBy(middle, there, clock), clock), partPaid, first, middle, last);
    }
  }
  return best.paths();
}

const UNKNOWN = -1;

function paidBy({ handles, inputMint, isCharged }: Edge, amount: number, clock: ChainClock): number {
  let best = 0;
  for (let at = 0; at < handles.length; at++) {
    const handle = handles[at] as Edge['handles'][number];
    const paid = isCharged
      ? estimateReceived(handle, inputMint, amount, clock)
      : handle.venue.estimate(handle.pool, inputMint, amount, clock);
    if (paid > best) best = paid;
  }
  return best;
}

/** An upper bound of the whole output for each atom of a part's output, with room for rounding in estimates. */
const MAX_FOR_WHOLE = (1 / PART) * (1 + 1e-6);

/** Keeps the best paths by each of the two rankings. */
class BestPaths {
  readonly #forWhole: Ranking<RankedPath>;
  readonly #forPart: Ranking<RankedPath>;
  #direct: RankedPath | null = null;

  constructor(count: number) {
    this.#forWhole = new Ranking(count);
    this.#forPart = new Ranking(count);
  }

  /**
   * Returns false if the output for the part shows that the path would not be kept. More input never gets a better
   * price, except over edges that are dear in parts.
   */
  mayTake(paidForPart: number): boolean {
    return paidForPart > this.#forPart.least || paidForPart * MAX_FOR_WHOLE > this.#forWhole.least;
  }

  /** Takes the edges one by one, so that only paths that are kept allocate memory. */
  offer(pays: number, paysForPart: number, first: Edge, second: Edge, third: Edge | null): void {
    if (pays <= 0) return;
    const [byWhole, byPart] = [pays > this.#forWhole.least, paysForPart > this.#forPart.least];
    if (!byWhole && !byPart) return;
    const path = third === null ? [first, second] : [first, second, third];
    const ranked: RankedPath = { path, pays, paysForPart };
    if (byWhole) this.#forWhole.insert(ranked, pays);
    if (byPart) this.#forPart.insert(ranked, paysForPart);
  }

  /** Takes the path that is a single edge, which is kept whatever its rank. */
  offerDirect(pays: number, paysForPart: number, edge: Edge): void {
    if (pays <= 0) return;
    const ranked: RankedPath = { path: [edge], pays, paysForPart };
    this.#direct = ranked;
    this.#forWhole.insert(ranked, pays);
    if (paysForPart > 0) this.#forPart.insert(ranked, paysForPart);
  }

  paths(): readonly RankedPath[] {
    const whole = this.#forWhole.items;
    const paths = [...whole];
    for (const each of this.#forPart.items) if (!whole.includes(each)) paths.push(each);
    if (this.#direct !== null && !paths.includes(this.#direct)) paths.push(this.#direct);
    return paths;
  }
}
