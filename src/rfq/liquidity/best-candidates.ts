import type { PoolHandle } from '../../market/pools/liquidity.ts';

/** A book that the router may search with. */
export interface BookCandidate {
  readonly handle: PoolHandle;
  readonly makerId: string;
  /** Whether the book is of the swap's own pair. */
  readonly isDirect: boolean;
  /** Atoms of the output at the book's own prices. This is an upper bound of `exact`. */
  readonly estimated: number;
  /** Atoms of the output with the fill rounded to lots; 0 if no such fill exists. */
  readonly exact: () => number;
}

/** The maximum number of books that the router searches with for one swap. */
const MAX_CANDIDATES = 3;
/** The number of these that is kept for books of the swap's own pair, if there are any. */
const DIRECT_PLACES = 2;

interface RankedBook {
  readonly candidate: BookCandidate;
  readonly pays: number;
}

/**
 * Selects the candidates that pay the taker most, at most one per maker. A book of another pair cannot displace the
 * books of the swap's own pair by claiming a high price.
 */
export function selectBestCandidates(candidates: readonly BookCandidate[]): readonly BookCandidate[] {
  const best = new Map<string, RankedBook>();
  const direct = candidates.filter(({ isDirect }) => isDirect);
  const others = candidates.filter(({ isDirect }) => !isDirect);
  for (const ranked of [...bestOfMakers(direct), ...bestOfMakers(others)]) {
    const { makerId } = ranked.candidate;
    const known = best.get(makerId);
    if (known === undefined || ranked.pays > known.pays) best.set(makerId, ranked);
  }
  const ranked = [...best.values()].sort((one, other) => other.pays - one.pays);
  const kept = ranked.filter(({ candidate }) => candidate.isDirect).slice(0, DIRECT_PLACES);
  const rest = ranked.filter((each) => !kept.includes(each));
  return [...kept, ...rest.slice(0, MAX_CANDIDATES - kept.length)].map(({ candidate }) => candidate);
}

/**
 * The best candidate of each maker, for the makers that pay most. `exact` is slow, so it is computed only where it
 * matters.
 */
function bestOfMakers(candidates: readonly BookCandidate[]): readonly RankedBook[] {
  const sorted = [...candidates].sort((one, other) => other.estimated - one.estimated);
  const best = new Map<string, RankedBook>();
  for (const candidate of sorted) {
    if (isDecided(best, candidate.estimated)) break;
    const pays = candidate.exact();
    const known = best.get(candidate.makerId);
    if (pays > 0 && (known === undefined || pays > known.pays)) {
      best.set(candidate.makerId, { candidate, pays });
    }
  }
  return [...best.values()];
}

/** Whether a candidate with this estimate cannot be among the best. */
function isDecided(best: ReadonlyMap<string, RankedBook>, estimated: number): boolean {
  let above = 0;
  for (const { pays } of best.values()) if (pays >= estimated) above++;
  return above >= MAX_CANDIDATES;
}
