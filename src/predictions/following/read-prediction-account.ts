import {
  decodePredictionOrder,
  decodePredictionPosition,
  decodePredictionResult,
} from '../../protocols/jupiter-prediction/prediction-accounts.ts';
import type { Address } from '../../solana/address.ts';
import { SYSTEM_PROGRAM } from '../../solana/program-addresses.ts';
import type { OpenPredictionOrder, OpenPredictionPosition, PostedPredictionResult } from '../prediction.ts';

/** An account of the program that is followed. */
export type FollowedPredictionAccount =
  | { readonly kind: 'order'; readonly order: OpenPredictionOrder }
  | { readonly kind: 'position'; readonly position: OpenPredictionPosition }
  | { readonly kind: 'result'; readonly marketIdHash: string; readonly result: PostedPredictionResult };

/**
 * Reads an account of the program. Returns null for the vault, and for accounts that are not known.
 *
 * @throws LayoutInvalid when it cannot be decoded.
 */
export function readPredictionAccount(address: Address, data: Uint8Array): FollowedPredictionAccount | null {
  const order = decodePredictionOrder(data);
  if (order !== null) {
    const { averagePrice, unitVersion: _unitVersion, integrator, ...facts } = order;
    return {
      kind: 'order',
      order: {
        ...facts,
        address,
        averageFillPrice: averagePrice,
        integrator: integrator === SYSTEM_PROGRAM ? null : integrator,
      },
    };
  }
  const position = decodePredictionPosition(data);
  if (position !== null) {
    const { unitVersion: _unitVersion, ...facts } = position;
    return { kind: 'position', position: { ...facts, address } };
  }
  const result = decodePredictionResult(data);
  if (result === null) return null;
  const { marketIdHash, outcome, settlementTime, claimsEnabled } = result;
  return { kind: 'result', marketIdHash, result: { address, outcome, settlementTime, claimsEnabled } };
}
