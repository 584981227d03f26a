import type { OpenPredictionPosition } from '../../predictions/prediction.ts';
import { deriveForecastHash, toForecastMarketId } from '../events/forecast-ids.ts';
import type { ForecastHolding, ForecastRounds } from '../forecast.ts';

/**
 * Returns a holding in the form of positions in markets that orders trade. Yes of its market means that its side wins. Returns
 * null if the chain no longer has its round.
 */
export function toHeldPosition(
  { account, owner, mint, contracts, totalCost, realizedPnl, openedAt, updatedAt }: ForecastHolding,
  { findByMint }: Pick<ForecastRounds, 'findByMint'>,
): OpenPredictionPosition | null {
  const found = findByMint(mint);
  if (found === null) return null;
  return {
    address: account,
    owner,
    payer: owner,
    marketIdHash: deriveForecastHash(toForecastMarketId(found.round.address, found.side)),
    isYes: true,
    contracts,
    totalCost,
    feesPaid: 0n,
    realizedPnl,
    openOrders: 0,
    isClaimed: false,
    claimed: 0n,
    openedAt: BigInt(openedAt),
    updatedAt: BigInt(updatedAt),
    bump: 0,
  };
}
