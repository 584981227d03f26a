import { convertAtMarket, type FindMarket } from '../../../../base/market-price.ts';
import type { OrderTerm, OrderView } from './order-view.ts';

/** How far the market is from what an order wants. */
export type OrderDistance =
  /** The market is there, or beyond. */
  | { readonly kind: 'reached' }
  /** The price has to move by that many millionths of itself. Above zero. */
  | { readonly kind: 'away'; readonly millionths: bigint; readonly direction: 'rise' | 'fall' | 'improve' };

/** Returns how far the market is from a term of an order; null where the term has no price, or the market none. */
export function computeDistance(
  { inputMint, outputMint }: Pick<OrderView, 'inputMint' | 'outputMint'>,
  term: OrderTerm,
  findMarket: FindMarket,
): OrderDistance | null {
  if (term.kind === 'limit') {
    const offered = convertAtMarket(term.making, findMarket(inputMint), findMarket(outputMint));
    if (offered === null || offered <= 0n) return null;
    return toDistance(((term.taking - offered) * 1_000_000n) / offered, 'improve');
  }
  if (term.kind !== 'trigger') return null;
  const { price } = findMarket(term.mint);
  if (price === null || price <= 0n) return null;
  const rise = ((term.price - price) * 1_000_000n) / price;
  return term.condition === 'above' ? toDistance(rise, 'rise') : toDistance(-rise, 'fall');
}

function toDistance(millionths: bigint, direction: 'rise' | 'fall' | 'improve'): OrderDistance {
  return millionths <= 0n ? { kind: 'reached' } : { kind: 'away', millionths, direction };
}

/** Returns how much of an order is sold, in millionths; null where the answer does not say it. From 0 to a million. */
export function computeFilled({ sells, sold }: Pick<OrderView, 'sells' | 'sold'>): bigint | null {
  if (sells === null || sold === null || sells <= 0n) return null;
  const millionths = (sold * 1_000_000n) / sells;
  return millionths < 0n ? 0n : millionths > 1_000_000n ? 1_000_000n : millionths;
}
