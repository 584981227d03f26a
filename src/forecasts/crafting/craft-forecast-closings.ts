import { PredictionRefused } from '../../predictions/prediction-refused.ts';
import type { Address } from '../../solana/address.ts';
import type { Bps } from '../../solana/units.ts';
import { craftForecastSale } from './craft-forecast-sale.ts';
import type { ForecastCraftDependencies } from './forecast-dependencies.ts';
import type { CraftedForecastOrder } from './forecast-order.ts';

/** How closings sell, and how many there are at the most. */
interface ForecastClosings {
  readonly slippageBps: Bps;
  readonly limit: number;
}

/**
 * Makes the sale of all that a wallet holds of each side of a forecast. Left out is what cannot be sold now.
 * @throws PredictionRefused when something could be sold but the wallet cannot pay for it
 * @throws ChainUnavailable when the network does not answer
 */
export async function craftForecastClosings(
  dependencies: ForecastCraftDependencies,
  owner: Address,
  { slippageBps, limit }: ForecastClosings,
): Promise<readonly CraftedForecastOrder[]> {
  const sales: CraftedForecastOrder[] = [];
  for (const { account } of dependencies.holdings.holdingsOf(owner)) {
    if (sales.length >= limit) break;
    const request = { owner, position: account, contracts: null, slippageBps };
    try {
      sales.push(await craftForecastSale(dependencies, request));
    } catch (error) {
      const isUnsaleable = error instanceof PredictionRefused && error.code !== 'INSUFFICIENT_FUNDS';
      if (!isUnsaleable) throw error;
    }
  }
  return sales;
}
