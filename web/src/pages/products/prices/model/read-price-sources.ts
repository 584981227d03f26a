import type { ExactJson } from '../../../../base/exact-json.ts';
import { getEntries, getFixed, getMember } from '../../../../base/read-json.ts';
import { getSecondTime } from '../../../../base/read-times.ts';
import { USD_PRICE_PLACES } from './read-prices.ts';

const MAX_SIZES = 12;

/** A price with the time it is of. */
export interface TimedPrice {
  readonly name: string;
  readonly price: bigint;
  /** Unix ms. */
  readonly time: number | null;
}

/** What trades of a size do to the price. */
export interface SizeImpact {
  /** The size in SOL. */
  readonly size: string;
  /** In millionths; null where the pools do not take the size. */
  readonly buying: bigint | null;
  readonly selling: bigint | null;
}

/** What stands behind a price. */
export interface PriceSources {
  readonly prices: readonly TimedPrice[];
  readonly impacts: readonly SizeImpact[];
}

const PRICES = [
  ['quotedPrice', 'buyPrice', 'buyAt', 'The router sells it at'],
  ['quotedPrice', 'sellPrice', 'sellAt', 'The router buys it at'],
  ['lastSwappedPrice', 'lastJupiterBuyPrice', 'lastJupiterBuyAt', 'Last swap that bought it'],
  ['lastSwappedPrice', 'lastJupiterSellPrice', 'lastJupiterSellAt', 'Last swap that sold it'],
] as const;

/** Reads the further facts about the price of a token; null if the answer has none. */
export function readPriceSources(body: ExactJson | undefined, mint: string): PriceSources | null {
  const info = getMember(getMember(getMember(body, 'data'), mint), 'extraInfo');
  if (info === undefined || info === null) return null;
  const prices = PRICES.flatMap(([group, member, at, name]): TimedPrice[] => {
    const facts = getMember(info, group);
    const price = getFixed(facts, member, USD_PRICE_PLACES);
    return price === null || price <= 0n ? [] : [{ name, price, time: getSecondTime(facts, at) }];
  });
  const depth = getMember(info, 'depth');
  const buying = getMember(depth, 'buyPriceImpactRatio');
  const selling = getMember(depth, 'sellPriceImpactRatio');
  const sizes = new Set(
    [...getEntries(buying, 'depth'), ...getEntries(selling, 'depth')].map(([size]) => size),
  );
  const impacts = [...sizes]
    .filter((size) => /^\d{1,12}$/.test(size))
    .toSorted((one, other) => Number(one) - Number(other))
    .slice(0, MAX_SIZES)
    .map((size) => ({
      size,
      // The answer has percent.
      buying: getFixed(getMember(buying, 'depth'), size, 4),
      selling: getFixed(getMember(selling, 'depth'), size, 4),
    }));
  return { prices, impacts };
}
