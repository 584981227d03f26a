import type { WindowStats } from '../market-data/trades/trade.ts';
import type { TokenRecord } from './records.ts';

export const CATEGORIES = ['toporganicscore', 'toptraded', 'toptrending'] as const;

export type Category = (typeof CATEGORIES)[number];

/** Tokens with less liquidity, in US dollars, do not trend: a few dollars move their price by any percentage. */
const MIN_TRENDING_LIQUIDITY = 1_000;

/** A token with what its place in a category depends on. */
export interface CategoryCandidate {
  readonly record: TokenRecord;
  readonly stats: WindowStats;
  /** US dollars. */
  readonly liquidity: number;
}

/**
 * The keys by which a category is ordered, the most important first; null for a token that is not in it.
 * `toporganicscore` orders by score, then by the organic volume of the window. `toptraded` orders by the volume of the
 * window. `toptrending` orders by how far the price moved in it, in either direction.
 */
const KEYS: Readonly<Record<Category, (candidate: CategoryCandidate) => readonly number[] | null>> = {
  toporganicscore: ({ record, stats }) =>
    record.score === 0
      ? null
      : [record.score, (stats.buyOrganicVolume ?? 0) + (stats.sellOrganicVolume ?? 0)],
  toptraded: ({ stats }) => {
    const volume = stats.buyVolume + stats.sellVolume;
    return volume === 0 ? null : [volume];
  },
  toptrending: ({ stats, liquidity }) =>
    stats.priceChange === null || stats.priceChange === 0 || liquidity < MIN_TRENDING_LIQUIDITY
      ? null
      : [Math.abs(stats.priceChange)],
};

export function orderCandidates(
  category: Category,
  candidates: Iterable<CategoryCandidate>,
  limit: number,
): TokenRecord[] {
  const keyed: { readonly record: TokenRecord; readonly keys: readonly number[] }[] = [];
  for (const candidate of candidates) {
    const keys = KEYS[category](candidate);
    if (keys !== null) keyed.push({ record: candidate.record, keys });
  }
  keyed.sort((one, other) => compareKeys(one.keys, other.keys));
  return keyed.slice(0, limit).map(({ record }) => record);
}

/** Orders descending. */
function compareKeys(one: readonly number[], other: readonly number[]): number {
  for (const [at, key] of one.entries()) {
    const difference = (other[at] ?? 0) - key;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Lists that are computed when they are asked for, which takes at most a twentieth of the time. */
export class RecomputedLists<List> {
  readonly #now: () => number;
  readonly #lists = new Map<string, { readonly list: List; readonly from: number; readonly until: number }>();

  /** @param now - Milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  get(key: string, compute: () => List): List {
    const known = this.#lists.get(key);
    const from = this.#now();
    if (known !== undefined && from >= known.from && from < known.until) return known.list;
    const list = compute();
    const spent = this.#now() - from;
    this.#lists.set(key, { list, from, until: from + spent * PAUSE });
    return list;
  }
}

/** How much longer a list is kept than it took to compute. */
const PAUSE = 20;
