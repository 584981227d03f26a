import type { Address } from '../../solana/address.ts';
import type { TriggerCondition } from '../order-plan.ts';
import type { ReferencePrices } from '../references/reference-prices.ts';

/**
 * Returns the price to which the watermarks of orders with a condition may move, in US dollars for a whole token as wallets
 * display it; null if the token has no price that can be relied on.
 *
 * The price must have held, and the median must be as good: who moves a price for a few slots moves no watermark, and so triggers
 * no order when the price comes back.
 */
export function findTrailedPrice(
  references: Pick<ReferencePrices, 'held' | 'median' | 'toWorth'>,
  mint: Address,
  condition: TriggerCondition,
): number | null {
  const held = references.held(mint);
  const median = references.median(mint);
  const worthOfOne = references.toWorth(mint, 1);
  if (held === null || median === null || worthOfOne === null) return null;
  const displayed = median / worthOfOne;
  return condition === 'below' ? Math.min(held.low, displayed) : Math.max(held.high, displayed);
}
