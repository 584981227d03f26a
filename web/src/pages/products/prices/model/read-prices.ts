import { type ExactJson, isExactObject, parseExactJson } from '../../../../base/exact-json.ts';
import { DOLLAR_DECIMALS } from '../../../../base/format-dollars.ts';
import { isAddress } from '../../../../base/is-address.ts';
import { getFixed, getMember, getWhole } from '../../../../base/read-json.ts';
import { getIsoTime } from '../../../../base/read-times.ts';

/** Digits behind the point of prices in US dollars. */
export const USD_PRICE_PLACES = 18;

/** What is known of the price of a token. */
export interface TokenPrice {
  readonly price: bigint;
  /** Against 24 hours ago, in millionths; null until that is known. */
  readonly change: bigint | null;
  /** Nano dollars in all pools. */
  readonly liquidity: bigint | null;
  /** The slot of the last trade or of the last change of a pool. */
  readonly slot: bigint | null;
  /** Unix ms at which the first pool of the token appeared. */
  readonly createdAt: number | null;
}

/** The prices that are known, by mint. A token without a price is not in it. */
export type TokenPrices = ReadonlyMap<string, TokenPrice>;

/** Reads the answer of a request for prices. */
export function readPrices(body: ExactJson | undefined): TokenPrices {
  const prices = new Map<string, TokenPrice>();
  if (!isExactObject(body)) return prices;
  for (const [mint, entry] of body) {
    const price = readPrice(entry);
    if (isAddress(mint) && price !== null) prices.set(mint, price);
  }
  return prices;
}

/**
 * Returns the prices after an event of their stream, which says only what has changed.
 *
 * @param prices - What was known before.
 * @param data - One JSON text.
 */
export function applyPriceEvent(prices: TokenPrices, data: string): TokenPrices {
  const reading = parseExactJson(data);
  if (!reading.ok) return prices;
  const changed = readPrices(reading.value);
  return changed.size === 0 ? prices : joinPrices(prices, changed);
}

/** Lays the prices of a stream over those of an answer, which say more. */
export function joinPrices(prices: TokenPrices, newer: TokenPrices): TokenPrices {
  const joined = new Map(prices);
  for (const [mint, next] of newer) {
    const before = joined.get(mint);
    joined.set(mint, {
      price: next.price,
      change: next.change ?? before?.change ?? null,
      liquidity: next.liquidity ?? before?.liquidity ?? null,
      slot: next.slot ?? before?.slot ?? null,
      createdAt: next.createdAt ?? before?.createdAt ?? null,
    });
  }
  return joined;
}

function readPrice(entry: ExactJson): TokenPrice | null {
  const price = getFixed(entry, 'usdPrice', USD_PRICE_PLACES);
  if (price === null || price <= 0n) return null;
  return {
    price,
    // The answer has percent.
    change: getFixed(entry, 'priceChange24h', 4),
    liquidity: getFixed(entry, 'liquidity', DOLLAR_DECIMALS),
    slot: getMember(entry, 'blockId') === null ? null : getWhole(entry, 'blockId'),
    createdAt: getIsoTime(entry, 'createdAt'),
  };
}
