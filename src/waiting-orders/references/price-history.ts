import type { PlainPrice } from '../../market-data/market-data.ts';
import type { HeldPrice } from '../triggers/trigger-index.ts';

/** The slots over which the reference price of a fill is the median. */
export const MEDIAN_SLOTS = 15;

/** What was seen of a price in a slot in which it changed. All are NaN while the token had no price. */
interface SeenPrices {
  readonly slot: number;
  low: number;
  high: number;
  /** The price at the end of the slot, in US dollars per displayed token. It holds until the next slot with a change. */
  last: number;
  /** The same for ten to the power of the decimals in atoms. */
  worth: number;
}

/** The prices of one token in the last slots, as far back as a trigger or a median needs them. */
export class PriceHistory {
  /** The oldest first. */
  readonly #slots: SeenPrices[] = [];

  /** Whether the token has a price. */
  get isPriced(): boolean {
    return !Number.isNaN(this.#slots.at(-1)?.last ?? Number.NaN);
  }

  /**
   * Adds the price of now.
   *
   * @param price - Null if the token has none.
   * @param needed - The oldest slot at whose end a price may still be asked for.
   * @returns whether it differs from the last one
   */
  add(slot: number, price: PlainPrice | null, needed: number): boolean {
    const usd = price?.usdPrice ?? Number.NaN;
    const worth = price === null ? Number.NaN : price.dollarsPerAtom * 10 ** price.decimals;
    const newest = this.#slots.at(-1);
    if (newest !== undefined && Object.is(newest.last, usd) && Object.is(newest.worth, worth)) return false;
    if (newest?.slot === slot) {
      newest.low = Math.min(newest.low, usd);
      newest.high = Math.max(newest.high, usd);
      newest.last = usd;
      newest.worth = worth;
    } else {
      this.#slots.push({ slot, low: usd, high: usd, last: usd, worth });
      while ((this.#slots[1]?.slot ?? slot) < needed) this.#slots.shift();
    }
    return true;
  }

  /**
   * Returns the lowest and the highest price from the end of a slot until now; null if it was not followed then, or had no
   * price at some time since.
   */
  heldSince(slot: number): HeldPrice | null {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let index = this.#slots.length - 1; index >= 0; index--) {
      const seen = this.#slots[index] as SeenPrices;
      const isBefore = seen.slot <= slot;
      // A token without a price makes both NaN.
      low = Math.min(low, isBefore ? seen.last : seen.low);
      high = Math.max(high, isBefore ? seen.last : seen.high);
      if (isBefore) return Number.isNaN(low) ? null : { low, high };
    }
    return null;
  }

  /**
   * Returns the median of the prices at the ends of the last slots before this one, in US dollars for ten to the power of the
   * decimals in atoms; null if one of them is not known.
   */
  median(slot: number): number | null {
    const values: { readonly worth: number; readonly slots: number }[] = [];
    const first = slot - MEDIAN_SLOTS;
    let end = slot;
    for (let index = this.#slots.length - 1; index >= 0 && end > first; index--) {
      const seen = this.#slots[index] as SeenPrices;
      const begin = Math.max(seen.slot, first);
      if (begin >= end) continue;
      if (Number.isNaN(seen.worth)) return null;
      values.push({ worth: seen.worth, slots: end - begin });
      end = begin;
    }
    if (end > first) return null;
    values.sort((one, other) => one.worth - other.worth);
    let left = MEDIAN_SLOTS / 2;
    for (const { worth, slots } of values) {
      left -= slots;
      if (left < 0) return worth;
    }
    return null;
  }
}
