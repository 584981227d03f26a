import type { Pools } from '../../../market/pools/pools.ts';
import { dollarsPerAtom } from '../../../market/prices/prices.ts';
import type { Pair } from '../fees/platform-fee.ts';

/** The value of a swap in US dollars, for display; null when no pool prices the token. */
export interface SwapDollars {
  readonly paid: number | null;
  readonly received: number | null;
}

/** @param amounts what the taker pays and receives, in atoms */
export function swapDollars(
  pools: Pools,
  { inputMint, outputMint }: Pair,
  { paid, received }: { readonly paid: bigint; readonly received: bigint },
): SwapDollars {
  const [paidPrice, receivedPrice] = [dollarsPerAtom(pools, inputMint), dollarsPerAtom(pools, outputMint)];
  return {
    paid: paidPrice === null ? null : paidPrice * Number(paid),
    received: receivedPrice === null ? null : receivedPrice * Number(received),
  };
}
