import { createClaimPredictionPayout } from '../../protocols/jupiter-prediction/instructions/prediction-payout-instructions.ts';
import { derivePredictionMarket } from '../../protocols/jupiter-prediction/prediction-program.ts';
import type { Address } from '../../solana/address.ts';
import { TOKEN_ACCOUNT_RENT } from '../../transactions/build/closings.ts';
import type { OpenPredictionPosition, PostedPredictionResult, PredictionMarket } from '../prediction.ts';
import type { PredictionCraftDependencies } from './craft-dependencies.ts';
import { listTokenCreations, readOrderWallet } from './order-instruction.ts';
import {
  type HalfSignedTransaction,
  makePaidOrder,
  PLAIN_UNITS,
  signOrderTransaction,
} from './paying/order-transaction.ts';
import { findOwnPosition, type OwnedPosition } from './owned-position.ts';
import { refuseOrder } from '../prediction-refused.ts';

/** A claim that waits for its owner's signature. */
export interface CraftedPayoutClaim {
  readonly kind: 'claim';
  readonly transaction: HalfSignedTransaction;
  readonly position: OpenPredictionPosition;
  readonly market: PredictionMarket;
  /** The address by which answers name the market. */
  readonly marketAddress: Address;
  /** Micro USD. */
  readonly payout: bigint;
}

/** The code of every refusal of a claim, by which clients tell it apart. */
const CLAIM_FAILED = 'claim_position_failed';

/**
 * Makes the transaction by which an owner claims what a position has won.
 * @throws PredictionRefused when there is nothing to claim, or not yet
 * @throws ChainUnavailable when the network does not answer
 */
export async function craftClaim(
  dependencies: PredictionCraftDependencies,
  request: OwnedPosition,
): Promise<CraftedPayoutClaim> {
  const { position, market } = findOwnPosition(dependencies, request);
  const payout = requirePayout(dependencies, position);
  const { owner } = position;
  const wallet = await readOrderWallet(dependencies, owner);
  const rent = wallet.isTokensOpen ? 0n : TOKEN_ACCOUNT_RENT;
  const cost = { signatures: 1, units: PLAIN_UNITS, rent, returned: 0n };
  const payable = { owner, walletLamports: wallet.lamports, cost, worth: null, order: null };
  return makePaidOrder(dependencies, payable, async (payer) => {
    const claim = createClaimPredictionPayout(position);
    return {
      kind: 'claim',
      transaction: signOrderTransaction(dependencies, {
        owner,
        payer,
        authority: null,
        instructions: [...listTokenCreations(wallet, payer.address), claim],
        lookupTables: null,
        units: PLAIN_UNITS,
      }),
      position,
      market,
      marketAddress: derivePredictionMarket(position.marketIdHash).address,
      payout,
    };
  });
}

/**
 * Returns what a position pays out now, in micro USD.
 * @throws PredictionRefused when that is nothing
 */
function requirePayout(
  { accounts, chain }: Pick<PredictionCraftDependencies, 'accounts' | 'chain'>,
  position: OpenPredictionPosition,
): bigint {
  const result = accounts.findResult(position.marketIdHash);
  if (result === null || !result.claimsEnabled || result.settlementTime > chain.clock().unixTimestamp) {
    return refuseOrder(CLAIM_FAILED, 'Market not settled yet');
  }
  if (position.isClaimed) return refuseOrder(CLAIM_FAILED, 'Payout already claimed');
  const payout = computePayout(position, result.outcome);
  return payout > 0n ? payout : refuseOrder(CLAIM_FAILED, 'The position has won nothing');
}

/** A contract pays 1.00, so that a micro-contract pays a micro USD. A cancelled market pays half of that, or the cost. */
function computePayout(
  { isYes, contracts, totalCost }: Pick<OpenPredictionPosition, 'isYes' | 'contracts' | 'totalCost'>,
  outcome: PostedPredictionResult['outcome'],
): bigint {
  switch (outcome) {
    case 0:
      return isYes ? 0n : contracts;
    case 1:
      return isYes ? contracts : 0n;
    case 2:
      return contracts / 2n;
    case 3:
      return totalCost;
  }
}
