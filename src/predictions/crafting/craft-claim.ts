import { createClaimPredictionPayout } from '../../protocols/jupiter-prediction/prediction-payout-instructions.ts';
import { derivePredictionMarket } from '../../protocols/jupiter-prediction/prediction-program.ts';
import type { Address } from '../../solana/address.ts';
import { TOKEN_ACCOUNT_RENT } from '../../transactions/build/closings.ts';
import type { OpenPredictionPosition, PredictionMarket } from '../prediction.ts';
import type { PredictionCraftDependencies } from './craft-dependencies.ts';
import { listTokenCreations, readOrderWallet } from './order-instruction.ts';
import {
  type HalfSignedTransaction,
  makePaidOrder,
  PLAIN_UNITS,
  signOrderTransaction,
} from './order-transaction.ts';
import { findOwnPosition, type OwnedPosition } from './owned-position.ts';
import { refuseOrder } from './prediction-refused.ts';

/** A claim that waits for its owner's signature. */
export interface CraftedClaim {
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
): Promise<CraftedClaim> {
  const { position, market } = findOwnPosition(dependencies, request);
  const payout = requirePayout(dependencies, position);
  const { owner } = position;
  const wallet = await readOrderWallet(dependencies, owner);
  const rent = wallet.isTokensOpen ? 0n : TOKEN_ACCOUNT_RENT;
  const cost = { signatures: 1, units: PLAIN_UNITS, rent };
  const payable = { owner, walletLamports: wallet.lamports, cost, worth: payout };
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
  { marketIdHash, isYes, contracts, isClaimed }: OpenPredictionPosition,
): bigint {
  const result = accounts.findResult(marketIdHash);
  if (result === null || !result.claimsEnabled || result.settlementTime > chain.clock().unixTimestamp) {
    return refuseOrder(CLAIM_FAILED, 'Market not settled yet');
  }
  if (isClaimed) return refuseOrder(CLAIM_FAILED, 'Payout already claimed');
  if (result.outcome === REFUNDED) {
    return refuseOrder(CLAIM_FAILED, 'The market was cancelled, and its stakes are refunded without a claim');
  }
  if (contracts === 0n || (result.outcome === YES) !== isYes) {
    return refuseOrder(CLAIM_FAILED, 'The position has won nothing');
  }
  // A contract pays 1.00, so a micro-contract pays a micro USD.
  return contracts;
}

const YES = 1;
const REFUNDED = 3;
