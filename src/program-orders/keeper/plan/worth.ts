import type { Address } from '../../../solana/address.ts';
import type { SwapMarket } from '../../../swaps/build/swap-market.ts';
import { findTradedMint, readMintDecimals } from '../../../waiting-orders/fills/fill-situation.ts';
import type { ReferenceQuote } from '../../../waiting-orders/fills/fill-planner.ts';
import { isUsablePrice } from '../../../waiting-orders/fills/floor.ts';
import { OrderPutOff } from './order-put-off.ts';

/** US dollars. What is worth less is not filled: it would cost more than it sells, and many such orders would use up the gas. */
const LEAST_WORTH = 1;

/** Atoms of the two tokens of an order. */
export interface TradedAmounts {
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly input: bigint;
  readonly output: bigint;
}

/**
 * Computes what a trade is worth in US dollars: the larger one of its two sides, since both change hands. Returns null if
 * neither has a price.
 */
export function computeWorth(
  market: Pick<SwapMarket, 'pools'>,
  { inputMint, outputMint, input, output }: TradedAmounts,
  { referenceIn, referenceOut }: ReferenceQuote,
): number | null {
  const worths: number[] = [];
  for (const [mint, atoms, price] of [
    [inputMint, input, referenceIn],
    [outputMint, output, referenceOut],
  ] as const) {
    if (!isUsablePrice(price)) continue;
    worths.push((Number(atoms) / 10 ** readMintDecimals(findTradedMint(market, mint))) * price);
  }
  return worths.length === 0 ? null : Math.max(...worths);
}

/**
 * Requires that a trade is worth a fill.
 *
 * @throws OrderPutOff when it is worth too little, or neither of its tokens has a price
 */
export function requireWorth(worth: number | null, { inputMint, outputMint }: TradedAmounts): void {
  if (worth === null) {
    throw new OrderPutOff('unpriced', `neither ${inputMint} nor ${outputMint} has a reliable price`);
  }
  if (worth < LEAST_WORTH) {
    throw new OrderPutOff('dust', `it is worth ${worth.toFixed(4)} dollars, and ${LEAST_WORTH} is needed`);
  }
}
