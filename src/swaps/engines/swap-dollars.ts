import type { Prices } from '../../market/prices/prices.ts';
import type { SwapPair } from '../fees/platform-fee.ts';

/** The value of a swap in US dollars, for display; null when no pool prices the token. */
export interface SwapDollars {
  readonly paid: number | null;
  readonly received: number | null;
}

/** @param amounts - What the taker pays and receives, in atoms. */
export function computeSwapDollars(
  prices: Pick<Prices, 'dollarsPerAtom'>,
  { inputMint, outputMint }: SwapPair,
  { paid, received }: { readonly paid: bigint; readonly received: bigint },
): SwapDollars {
  const [paidPrice, receivedPrice] = [prices.dollarsPerAtom(inputMint), prices.dollarsPerAtom(outputMint)];
  return {
    paid: paidPrice === null ? null : paidPrice * Number(paid),
    received: receivedPrice === null ? null : receivedPrice * Number(received),
  };
}
