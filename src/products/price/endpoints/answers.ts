import { BoundedCache } from '../../../common/collections/bounded-cache.ts';
import type { MarketData } from '../../../market-data/market-data.ts';

/** A cache of answers, which are valid until a price or a figure changes. */
export interface PriceAnswers {
  readonly get: (ids: string) => Buffer | null;
  readonly keep: (ids: string, answer: Buffer) => void;
}

/** The most cached answers. An answer for 50 mints has 10 kB. */
const MAX_ANSWERS = 500;

/** Creates a cache of answers that is emptied when a price or a figure changes. */
export function createPriceAnswers(marketData: Pick<MarketData, 'version'>): PriceAnswers {
  let version = '';
  let answers = new BoundedCache<string, Buffer>(MAX_ANSWERS);
  return {
    get: (ids) => {
      if (marketData.version === version) return answers.get(ids) ?? null;
      version = marketData.version;
      answers = new BoundedCache(MAX_ANSWERS);
      return null;
    },
    keep: (ids, answer) => {
      if (marketData.version === version) answers.set(ids, answer);
    },
  };
}
