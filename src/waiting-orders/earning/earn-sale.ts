import { divideUp, maximum, minimum } from '../../solana/units.ts';
import type { OrderSale } from '../order-sale.ts';
import type { WaitingOrder } from '../waiting-order.ts';
import { type EarnProgram, type OrderEarnMarket, RATE_ONE, toEarnedAtoms } from './earn-program.ts';
import { getEarnMint } from './earn-mint.ts';

/**
 * Returns the sale of the shares that an order's input is lent out for. A round sells as many shares as are worth its atoms, rounded
 * up; the last one sells all of them, with what they have earned.
 *
 * The rate only grows. So if the fill lands later, the shares are worth a little more, and the wallet gets that.
 */
export function toEarnSale(sale: OrderSale, { earnMint, rate }: OrderEarnMarket): OrderSale {
  const toShares = (atoms: bigint) => divideUp(atoms * RATE_ONE, rate);
  const { remaining, exactly } = sale;
  return {
    ...sale,
    inputMint: earnMint,
    remaining: toShares(remaining),
    exactly: exactly === null ? null : toShares(exactly),
  };
}

/** Returns the price of a whole share from the price of a whole token; null for a token without one. */
export function toSharePrice(price: number | null, { rate }: Pick<OrderEarnMarket, 'rate'>): number | null {
  return price === null ? null : price * (Number(rate) / Number(RATE_ONE));
}

/** Returns the market of an order that earns; null if the order holds its input. `unknown` if the program does not pay now. */
export function findOrderEarning(
  earn: Pick<EarnProgram, 'find'>,
  { plan, inputMint }: Pick<WaitingOrder, 'plan' | 'inputMint'>,
): OrderEarnMarket | 'unknown' | null {
  const earnMint = getEarnMint(plan);
  if (earnMint === null) return null;
  const market = earn.find(inputMint);
  return market?.earnMint === earnMint ? market : 'unknown';
}

/**
 * Counts the atoms of the input that a fill sells in the form of shares. Whatever the shares are worth, a round counts the atoms of
 * a round, and a fill that sells all shares counts everything that is left. A part leaves at least one atom, so that the order goes on.
 *
 * @param sale - What the round sells, in atoms of the input.
 * @param sold - What the fill sells, in shares.
 */
export function countEarnedInput(
  { remaining, exactly }: Pick<OrderSale, 'remaining' | 'exactly'>,
  sold: { readonly inputAmount: bigint; readonly isWhole: boolean },
  market: Pick<OrderEarnMarket, 'rate'>,
): bigint {
  if (exactly !== null) return exactly;
  if (sold.isWhole) return remaining;
  return maximum(1n, minimum(toEarnedAtoms(sold.inputAmount, market), remaining - 1n));
}
