import type { Address } from '../../../solana/address.ts';
import {
  type AccountMeta,
  type Instruction,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../../../solana/messages/instruction.ts';
import {
  createPredictionInstruction,
  type NamedPredictionPosition,
  PREDICTION_CALLED_PROGRAMS,
  PREDICTION_TAGS,
  READONLY_PREDICTION_VAULT,
  startPredictionData,
} from './prediction-instruction.ts';
import {
  derivePredictionPosition,
  derivePredictionResult,
  derivePredictionTokens,
  PREDICTION_VAULT,
  PREDICTION_VAULT_TOKEN_ACCOUNT,
} from '../prediction-program.ts';

// The instructions that end positions of markets with a result.

/**
 * Creates `claim_payout`, by which the owner is paid for a won, split or refunded position.
 *
 * @param receiver - A token account of the owner, which must exist. Default: the associated one.
 */
export function createClaimPredictionPayout(
  position: NamedPredictionPosition,
  receiver = derivePredictionTokens(position.owner),
): Instruction {
  return createPayout(PREDICTION_TAGS.claimPayout, position.owner, position, receiver);
}

/** Creates `claim_payout2`, by which the keeper has the owner of a won or split position paid. */
export function createClaimPredictionPayoutAsKeeper(
  position: NamedPredictionPosition,
  keeper: Address,
  receiver = derivePredictionTokens(position.owner),
): Instruction {
  return createPayout(PREDICTION_TAGS.claimPayout2, keeper, position, receiver);
}

/** Creates `claim_refund`, by which the keeper has the owner of a position in a cancelled market paid. */
export function createClaimPredictionRefund(
  position: NamedPredictionPosition,
  keeper: Address,
  receiver = derivePredictionTokens(position.owner),
): Instruction {
  return createPayout(PREDICTION_TAGS.claimRefund, keeper, position, receiver);
}

function createPayout(
  tag: string,
  signer: Address,
  position: NamedPredictionPosition,
  receiver: Address,
): Instruction {
  const accounts = [
    readonlySigner(signer),
    ...listSettledAccounts(position),
    writable(receiver),
    writable(PREDICTION_VAULT_TOKEN_ACCOUNT),
    PREDICTION_CALLED_PROGRAMS.token,
  ];
  return createPredictionInstruction(accounts, startPredictionData(tag));
}

/** Creates `close_lost_position`, by which the keeper takes the contracts of a lost position away. */
export function createCloseLostPredictionPosition(
  position: NamedPredictionPosition,
  keeper: Address,
): Instruction {
  const accounts = [readonlySigner(keeper), ...listSettledAccounts(position)];
  return createPredictionInstruction(accounts, startPredictionData(PREDICTION_TAGS.closeLostPosition));
}

function listSettledAccounts({
  owner,
  marketIdHash,
  isYes,
}: NamedPredictionPosition): readonly AccountMeta[] {
  return [
    writable(PREDICTION_VAULT.address),
    writable(derivePredictionPosition(marketIdHash, owner, isYes).address),
    readonly(derivePredictionResult(marketIdHash).address),
  ];
}

/**
 * Creates `close_position`, by which the keeper closes the account of a position without contracts and open orders.
 *
 * @param payer - Who paid for the account, and gets the rent.
 */
export function createClosePredictionPosition(
  { owner, marketIdHash, isYes }: NamedPredictionPosition,
  payer: Address,
  keeper: Address,
): Instruction {
  const accounts = [
    writableSigner(keeper),
    readonly(owner),
    writable(derivePredictionPosition(marketIdHash, owner, isYes).address),
    writable(payer),
    // The stand-in takes it besides: it names the keeper.
    READONLY_PREDICTION_VAULT,
  ];
  return createPredictionInstruction(accounts, startPredictionData(PREDICTION_TAGS.closePosition));
}
