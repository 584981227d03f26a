import { PredictionRefused, refuseUnknown } from '../../predictions/prediction-refused.ts';
import type { Address } from '../../solana/address.ts';
import type { ForecastHolding } from '../forecast.ts';
import { toForecastMarketId } from '../events/forecast-ids.ts';
import type { ForecastCraftDependencies } from './forecast-dependencies.ts';

/** A position that a request names, and the wallet that it says it belongs to. */
export interface OwnedHolding {
  readonly owner: Address;
  /** The token account. */
  readonly position: Address;
}

/**
 * Finds what a wallet holds, and of which market.
 * @throws PredictionRefused when it is not known, or belongs to another wallet
 */
export function requireOwnHolding(
  { holdings, rounds }: Pick<ForecastCraftDependencies, 'holdings' | 'rounds'>,
  { owner, position }: OwnedHolding,
): { readonly holding: ForecastHolding; readonly marketId: string } {
  const holding = holdings.find(position);
  const found = holding === null ? null : rounds.findByMint(holding.mint);
  if (holding === null || found === null) {
    return refuseUnknown('position_not_found', 'Position not found', 'positionPubkey');
  }
  if (holding.owner !== owner) {
    const message = `the position ${position} belongs to another wallet`;
    throw new PredictionRefused('not permitted', message, {
      code: 'position_of_another',
      field: 'ownerPubkey',
    });
  }
  return { holding, marketId: toForecastMarketId(found.round.address, found.side) };
}
