import type { Address } from '../../solana/address.ts';
import type { OpenPredictionPosition } from '../prediction.ts';
import { craftClaim, type CraftedPayoutClaim } from './craft-claim.ts';
import type { PredictionCraftDependencies } from './craft-dependencies.ts';
import { craftSale, sumOpenSales } from './craft-sale.ts';
import type { CraftedOrder } from './order-figures.ts';
import { PredictionRefused } from '../prediction-refused.ts';

/** The most positions that one request closes. */
export const MAX_CLOSED = 50;

/**
 * Makes one transaction for each position of a wallet: the claim of what it has won, or the sale of all of it. Left out are
 * those that can neither be sold nor claimed now, such as lost ones.
 * @param slippageBps - How far each sale may fall below the bid.
 * @throws PredictionRefused when one could be closed but the wallet cannot pay for it
 * @throws ChainUnavailable when the network does not answer
 */
export async function craftClosings(
  dependencies: PredictionCraftDependencies,
  owner: Address,
  slippageBps: bigint,
): Promise<readonly (CraftedOrder | CraftedPayoutClaim)[]> {
  const closings: (CraftedOrder | CraftedPayoutClaim)[] = [];
  for (const position of dependencies.accounts.positionsOf(owner)) {
    if (closings.length === MAX_CLOSED) break;
    const closing = await craftClosing(dependencies, position, slippageBps);
    if (closing !== null) closings.push(closing);
  }
  return closings;
}

/** Returns null if the position cannot be closed now. */
async function craftClosing(
  dependencies: PredictionCraftDependencies,
  { address, owner, contracts, isClaimed, marketIdHash }: OpenPredictionPosition,
  slippageBps: bigint,
): Promise<CraftedOrder | CraftedPayoutClaim | null> {
  if (contracts === 0n || isClaimed) return null;
  const { accounts } = dependencies;
  const request = { owner, position: address };
  try {
    if (accounts.findResult(marketIdHash) !== null) return await craftClaim(dependencies, request);
    if (sumOpenSales(accounts, owner, address) >= contracts) return null;
    return await craftSale(dependencies, { ...request, contracts: null, minPrice: null, slippageBps });
  } catch (error) {
    if (error instanceof PredictionRefused && error.code !== 'INSUFFICIENT_FUNDS') return null;
    throw error;
  }
}
