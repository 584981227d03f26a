import type { Pools } from '../../market/pools/pools.ts';
import type { Prices } from '../../market/prices/prices.ts';
import { computeStakePoolYield } from '../../protocols/spl-stake-pool/stake-pool-yields.ts';
import type { Address } from '../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import type { EvaluationDependencies } from './evaluation/evaluate.ts';
import { createYieldFromApy } from './valuation/money.ts';
import { toWholeTokens } from '../../solana/programs/token/display-amount.ts';

const SOL_DECIMALS = 9;

/** A collection of collectibles with a known floor price. */
export interface PricedCollection {
  readonly id: Address;
  readonly name: string;
  readonly floorLamports: bigint;
}

/**
 * Returns the prices of the market, which follow market data, and the yields of its stake pools.
 *
 * @param collections - The collections whose floor prices are known. Those of others are not.
 */
export function createPricing(
  pools: Pools,
  prices: Prices,
  collections: readonly PricedCollection[],
): Pick<EvaluationDependencies, 'dollarsPerAtom' | 'yieldsOf' | 'collectionOf'> {
  const floorOf = ({ floorLamports }: PricedCollection): number | null => {
    const perLamport = prices.dollarsPerAtom(WRAPPED_SOL_MINT);
    return perLamport === null
      ? null
      : toWholeTokens(floorLamports, SOL_DECIMALS) * perLamport * 10 ** SOL_DECIMALS;
  };
  return {
    // Anybody can create a pool that a small trade moves, so such pools only price tokens of the token list.
    dollarsPerAtom: (mint, isListed) => {
      if (!isListed && (!pools.knows(mint) || prices.worthInDollars(mint, 1n) === null)) return null;
      return prices.dollarsPerAtom(mint);
    },
    yieldsOf: (mint) => {
      const apy = computeStakePoolYield(pools, mint);
      return apy === null ? [] : [createYieldFromApy(apy)];
    },
    collectionOf: (id) => {
      const collection = collections.find((each) => each.id === id);
      return collection === undefined ? null : { name: collection.name, floorPrice: floorOf(collection) };
    },
  };
}
