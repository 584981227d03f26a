import { parseFixed } from '../../../base/fixed-point.ts';
import { formatPrice } from '../../../base/format-price.ts';
import type { AdminAnswer } from '../../../api/admin-operations.ts';

/** A feed as the admin interface describes it. */
export type FeedPrice = AdminAnswer<'GET /admin/v1/network/prices'>['prices'][number];

/** A price at a time, in milliseconds by the clock of this machine. */
export interface PastPrice {
  readonly time: number;
  readonly price: number;
}

/** Values of a feed that are kept. */
const MAX_PAST = 300;

/** The prices that this tab has seen of each feed: the network keeps none. */
export class FeedHistory {
  readonly #past = new Map<string, readonly PastPrice[]>();

  /** Takes the prices that were read at a time. A reading of before the last one is ignored. */
  record(prices: readonly FeedPrice[], time: number): void {
    for (const { symbol, price } of prices) {
      const past = this.#past.get(symbol) ?? [];
      if ((past.at(-1)?.time ?? Number.NEGATIVE_INFINITY) >= time) continue;
      this.#past.set(symbol, [...past, { time, price: Number(price) }].slice(-MAX_PAST));
    }
  }

  /** Returns what was seen of a feed, from the oldest to the newest. */
  get(symbol: string): readonly PastPrice[] {
    return this.#past.get(symbol) ?? [];
  }
}

/** Digits behind the point that a price of the admin interface has at most. */
const PRICE_PLACES = 18;

/** Formats a price of a feed for reading. Where it is set, it stands exactly. */
export function formatFeedPrice(price: string): string {
  const fixed = parseFixed(price, PRICE_PLACES);
  return `$${fixed === null ? price : formatPrice(fixed, PRICE_PLACES)}`;
}
