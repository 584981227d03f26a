import type { ChainClock } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import type { SwapRates } from './curve.ts';
import type { RaydiumSides } from './program/layout.ts';
import type { RaydiumCpmmPool } from './pool.ts';

/**
 * The shares of the input and of the output that the pool's fees leave: first for the first token as input, then for the second.
 * It is one flat list because the search for routes reads it very often.
 */
export type KeptShares = readonly [firstIn: number, secondOut: number, secondIn: number, firstOut: number];

/** Computed once per state and used for every estimate. */
export function computeKeptShares(rates: RaydiumSides<SwapRates>): KeptShares {
  return [...keptShare(rates[0]), ...keptShare(rates[1])];
}

function keptShare({ trade, creator, creatorOnInput }: SwapRates): readonly [input: number, output: number] {
  const keptByCreator = 1 - Number(creator) / 1e6;
  const keptByPool = 1 - Number(creatorOnInput ? trade + creator : trade) / 1e6;
  return [keptByPool, creatorOnInput ? 1 : keptByCreator];
}

export function estimate(
  { mints, depth, kept, openTime }: RaydiumCpmmPool,
  inputMint: Address,
  amount: number,
  clock: ChainClock,
): number {
  if (clock.unixTimestamp < openTime) return 0;
  if (inputMint === mints[0]) {
    const traded = amount * kept[0];
    return (depth[1] * traded * kept[1]) / (depth[0] + traded);
  }
  const traded = amount * kept[2];
  return (depth[0] * traded * kept[3]) / (depth[1] + traded);
}
