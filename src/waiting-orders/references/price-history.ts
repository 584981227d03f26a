import type { PlainPrice } from '../../market-data/market-data.ts';
import type { HeldPrice } from '../triggers/trigger-index.ts';

/** The slots over which the reference price of a fill is the median. */
export const MEDIAN_SLOTS = 15;

/** What was seen of a price in a slot in which it changed. All are NaN while the token had no price. */
interface SeenPrices {
  readonly slot: number;
  /** In US dollars per displayed token, without the price that the slot began with. */
  low: number;
  high: number;
  /** The price at the end of the slot. It holds until the next slot with a change. */
  last: number;
  /** The same in US dollars for ten to the power of the decimals in atoms, with the price that the slot began with. */
  lowWorth: number;
  highWorth: number;
  lastWorth: number;
  /** The median before the slot. */
  readonly median: number;
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
    if (newest !== undefined && Object.is(newest.last, usd) && Object.is(newest.lastWorth, worth))
      return false;
    if (newest?.slot === slot) {
      newest.low = Math.min(newest.low, usd);
      newest.high = Math.max(newest.high, usd);
      newest.last = usd;
      newest.lowWorth = Math.min(newest.lowWorth, worth);
      newest.highWorth = Math.max(newest.highWorth, worth);
      newest.lastWorth = worth;
    } else {
      const began = newest?.lastWorth ?? worth;
      this.#slots.push({
        slot,
        low: usd,
        high: usd,
        last: usd,
        lowWorth: Math.min(began, worth),
        highWorth: Math.max(began, worth),
        lastWorth: worth,
        median: this.median(slot) ?? began,
      });
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
   * Returns the median of the prices in the last slots before this one, in US dollars for ten to the power of the decimals in
   * atoms; null if one of them is not known. A slot in which the price changed counts with the price nearest to the median of
   * before, so that a price which is there at the end of every slot, and not all the time, does not count.
   */
  median(slot: number): number | null {
    const values: { readonly worth: number; readonly slots: number }[] = [];
    const first = slot - MEDIAN_SLOTS;
    let end = slot;
    for (let index = this.#slots.length - 1; index >= 0 && end > first; index--) {
      const seen = this.#slots[index] as SeenPrices;
      if (seen.slot >= end) continue;
      const after = Math.max(seen.slot + 1, first);
      if (after < end) values.push({ worth: seen.lastWorth, slots: end - after });
      if (seen.slot >= first) values.push({ worth: clampMedian(seen), slots: 1 });
      end = Math.max(seen.slot, first);
    }
    if (end > first || values.some(({ worth }) => Number.isNaN(worth))) return null;
    values.sort((one, other) => one.worth - other.worth);
    let left = MEDIAN_SLOTS / 2;
    for (const { worth, slots } of values) {
      left -= slots;
      if (left < 0) return worth;
    }
    return null;
  }
}

/** Returns the price of a slot that is nearest to the median before it. NaN if the token had none at some time. */
function clampMedian({ lowWorth, highWorth, lastWorth, median }: SeenPrices): number {
  const anchor = Number.isNaN(median) ? lastWorth : median;
  return Math.max(lowWorth, Math.min(highWorth, anchor));
}
