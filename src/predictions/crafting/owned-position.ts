import type { Address } from '../../solana/address.ts';
import type { OpenPredictionPosition, PredictionMarket } from '../prediction.ts';
import type { PredictionCraftDependencies } from './craft-dependencies.ts';
import { PredictionRefused, refuseUnknown } from '../prediction-refused.ts';

/** A position that a request names, and the wallet that it says it belongs to. */
export interface OwnedPosition {
  readonly owner: Address;
  readonly position: Address;
}

/**
 * Finds a position and its market.
 * @throws PredictionRefused when it is not known, or belongs to another wallet
 */
export function findOwnPosition(
  { accounts, events }: Pick<PredictionCraftDependencies, 'accounts' | 'events'>,
  { owner, position: address }: OwnedPosition,
): { readonly position: OpenPredictionPosition; readonly market: PredictionMarket } {
  const position = accounts.findPosition(address);
  const market = position === null ? null : events.findMarketByHash(position.marketIdHash);
  if (position === null || market === null) {
    return refuseUnknown('position_not_found', 'Position not found', 'positionPubkey');
  }
  if (position.owner !== owner) {
    const message = `the position ${address} belongs to another wallet`;
    throw new PredictionRefused('not permitted', message, {
      code: 'position_of_another',
      field: 'ownerPubkey',
    });
  }
  return { position, market };
}
