import { BoundedCache } from '../../common/collections/bounded-cache.ts';
import type { MarketData } from '../../trades/market-data.ts';

/** Answers that are still true, because no price and no figure has changed since. */
export interface PriceAnswers {
  readonly get: (ids: string) => Buffer | null;
  readonly keep: (ids: string, answer: Buffer) => void;
}

/** An answer for 50 mints has 10 kB. */
const MAX_ANSWERS = 500;

/** Keeps answers for as long as no price and no figure changes. */
export function priceAnswers(marketData: Pick<MarketData, 'version'>): PriceAnswers {
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
