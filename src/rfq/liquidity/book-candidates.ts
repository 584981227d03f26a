import type { PoolHandle } from '../../market/pools/pools.ts';

/** A book that a search for one swap may be made with. */
export interface Candidate {
  readonly market: PoolHandle;
  readonly makerId: string;
  /** Whether the book is of the swap's own pair. */
  readonly isDirect: boolean;
  /** Atoms of the output that the taker would get at the book's own prices: never less than the exact amount. */
  readonly estimated: number;
  /** Atoms of the output that the taker would get with the fill as it is written down; 0 when there is no such fill. */
  readonly exact: () => number;
}

/** Books that are searched with for one swap. */
const MAX_CANDIDATES = 3;
/** Of these, so many are of the swap's own pair when there are any. */
const DIRECT_PLACES = 2;

interface Ranked {
  readonly candidate: Candidate;
  readonly pays: number;
}

/**
 * The candidates that have the taker get most, at most one of each maker. No book can take the places of the swap's own
 * pair by what it claims to pay on the way.
 */
export function bestCandidates(candidates: readonly Candidate[]): readonly Candidate[] {
  const best = new Map<string, Ranked>();
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

/** The best of each maker, for the makers that pay most. The exact amount takes time: only that of the first is asked. */
function bestOfMakers(candidates: readonly Candidate[]): readonly Ranked[] {
  const sorted = [...candidates].sort((one, other) => other.estimated - one.estimated);
  const best = new Map<string, Ranked>();
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

/** Whether no candidate that is estimated to pay this can be among the best. */
function isDecided(best: ReadonlyMap<string, Ranked>, estimated: number): boolean {
  let above = 0;
  for (const { pays } of best.values()) if (pays >= estimated) above++;
  return above >= MAX_CANDIDATES;
}
