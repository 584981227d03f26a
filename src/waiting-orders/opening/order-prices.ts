import type { Address } from '../../solana/address.ts';
import type { OrderPrices, RoundWait } from '../keeper/begin-fill.ts';
import { listTriggers, type OrderTrigger } from '../legs.ts';
import { isRecurring, type RecurringPlan } from '../order-plan.ts';
import { findSale } from '../order-sale.ts';
import type { ReferencePrices } from '../references/reference-prices.ts';
import type { HeldPrice } from '../triggers/trigger-index.ts';
import type { WaitingOrder } from '../waiting-order.ts';

type OrderPriceSource = Pick<ReferencePrices, 'held' | 'price' | 'median' | 'toWorth'>;

/**
 * Returns the prices by which an order is filled; null if none of its own holds. If several hold, as after a gap, the first one
 * counts. A round is not asked whether it is due.
 *
 * The medians still have prices from before. So of an order that waits for a better price, that price counts if it is better: whoever
 * moves the price for a moment, to have the order filled, does not have it filled at the price from before.
 */
export function findOrderPrices(
  references: OrderPriceSource,
  order: WaitingOrder,
): OrderPrices | RoundWait | null {
  if (isRecurring(order.plan)) return findRoundPrices(references, order, order.plan);
  for (const trigger of listTriggers(order)) {
    const held = references.held(trigger.mint);
    const price = references.price(trigger.mint);
    if (held === null || price === null || !isReached(trigger, held)) continue;
    const { leg } = trigger;
    const { inputMint, outputMint, isProtective } = findSale(order, leg);
    const pick = (mint: Address) => pickBetter(references, trigger, mint, isProtective);
    return { leg, price, referenceIn: pick(inputMint), referenceOut: pick(outputMint) };
  }
  return null;
}

/**
 * Returns the medians, and the price that a round waited for. All prices that have been held have to be between its bounds. After a
 * start, thousands of rounds may be due before there are medians, so it is found out here that they wait.
 */
function findRoundPrices(
  references: OrderPriceSource,
  { inputMint, outputMint }: WaitingOrder,
  { band }: RecurringPlan,
): OrderPrices | RoundWait {
  const referenceIn = references.median(inputMint);
  const referenceOut = references.median(outputMint);
  if (referenceIn === null || referenceOut === null) return { waitsFor: 'unpriced' };
  const medians = { leg: 'round', referenceIn, referenceOut } as const;
  if (band === null) return { ...medians, price: null };
  const held = references.held(band.triggerMint);
  const price = references.price(band.triggerMint);
  if (held === null || price === null) return { waitsFor: 'unpriced' };
  const isWithin =
    held.low >= (band.minPrice ?? 0) && held.high <= (band.maxPrice ?? Number.POSITIVE_INFINITY);
  return isWithin ? { ...medians, price } : { waitsFor: 'band' };
}

/** Returns the median, or the price that the order waits for if that is better for the wallet. */
function pickBetter(
  references: OrderPriceSource,
  { mint: watched, condition, triggerPrice }: OrderTrigger,
  mint: Address,
  isProtective: boolean,
): number | null {
  const median = references.median(mint);
  if (median === null || mint !== watched || isProtective) return median;
  const awaited = references.toWorth(mint, triggerPrice);
  if (awaited === null) return null;
  return condition === 'above' ? Math.max(median, awaited) : Math.min(median, awaited);
}

function isReached({ condition, triggerPrice }: OrderTrigger, { low, high }: HeldPrice): boolean {
  return condition === 'above' ? low >= triggerPrice : high <= triggerPrice;
}
