import type { Address } from '../../solana/address.ts';
import { isProtective } from '../fills/floor.ts';
import type { OrderPrices } from '../keeper/begin-fill.ts';
import type { ReferencePrices } from '../references/reference-prices.ts';
import type { HeldPrice } from '../triggers/trigger-index.ts';
import type { WaitingOrder } from '../waiting-order.ts';

/**
 * Returns the prices by which an order is filled; null if its own does not hold.
 *
 * The medians still have prices from before. So of an order that waits for a better price, that price counts if it is better: whoever
 * moves the price for a moment, to have the order filled, does not have it filled at the price from before.
 */
export function findOrderPrices(
  references: Pick<ReferencePrices, 'held' | 'price' | 'median' | 'toWorth'>,
  order: WaitingOrder,
): OrderPrices | null {
  const held = references.held(order.triggerMint);
  const price = references.price(order.triggerMint);
  if (held === null || price === null || !isReached(order, held)) return null;
  return {
    price,
    referenceIn: pickBetter(references, order, order.inputMint),
    referenceOut: pickBetter(references, order, order.outputMint),
  };
}

/** Returns the median, or the price that the order waits for if that is better for the wallet. */
function pickBetter(
  references: Pick<ReferencePrices, 'median' | 'toWorth'>,
  order: WaitingOrder,
  mint: Address,
): number | null {
  const median = references.median(mint);
  if (median === null || mint !== order.triggerMint || isProtective(order)) return median;
  const awaited = references.toWorth(mint, order.triggerPrice);
  if (awaited === null) return null;
  return order.condition === 'above' ? Math.max(median, awaited) : Math.min(median, awaited);
}

function isReached({ condition, triggerPrice }: WaitingOrder, { low, high }: HeldPrice): boolean {
  return condition === 'above' ? low >= triggerPrice : high <= triggerPrice;
}
