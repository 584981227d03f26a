import type { Address } from '../../../solana/address.ts';
import {
  type Instruction,
  readonly,
  writable,
  writableSigner,
} from '../../../solana/messages/instruction.ts';
import {
  createPredictionInstruction,
  type NamedPredictionOrder,
  PREDICTION_CALLED_PROGRAMS,
  PREDICTION_TAGS,
  startPredictionData,
} from './prediction-instruction.ts';
import {
  derivePredictionOrder,
  derivePredictionOrderAta,
  derivePredictionPosition,
  derivePredictionResult,
  PREDICTION_PROGRAM,
  PREDICTION_VAULT,
  PREDICTION_VAULT_TOKEN_ACCOUNT,
} from '../prediction-program.ts';
import { writeOptionalPredictionText } from '../prediction-text.ts';

// The fills. Contracts are micro-contracts, sums micro USD.

/** The two keys that sign every fill. */
export interface PredictionFillSigners {
  readonly keeper: Address;
  readonly cosigner: Address;
}

/** A fill of an order, or of a part of it. */
export interface PredictionFill {
  readonly contracts: bigint;
  /** What a purchase costs, or what a sale brings before fees. */
  readonly amount: bigint;
  readonly venueFee: bigint;
  /** The id that the order is known by at the venue, at most 80 bytes; null: it keeps the one that it has. */
  readonly orderId: string | null;
  /** The token account that gets the integrator's fee; null if the order has no such fee. */
  readonly integratorTokenAccount: Address | null;
}

/** Creates `fill_buy_order`: cost and fee go from the order to the vault, and the position gets the contracts. */
export function createFillPredictionBuy(
  signers: PredictionFillSigners,
  order: NamedPredictionOrder,
  fill: PredictionFill,
): Instruction {
  return createFill(PREDICTION_TAGS.fillBuyOrder, signers, order, fill);
}

/** Creates `fill_sell_order`: the position loses the contracts, and the vault pays what they brought into the order. */
export function createFillPredictionSell(
  signers: PredictionFillSigners,
  order: NamedPredictionOrder,
  fill: PredictionFill,
): Instruction {
  return createFill(PREDICTION_TAGS.fillSellOrder, signers, order, fill);
}

function createFill(
  tag: string,
  { keeper, cosigner }: PredictionFillSigners,
  { owner, marketIdHash, isYes, externalOrderId }: NamedPredictionOrder,
  fill: PredictionFill,
): Instruction {
  const { address } = derivePredictionOrder(owner, externalOrderId);
  const data = startPredictionData(tag).u64(fill.contracts).u64(fill.amount).u64(fill.venueFee);
  const { integratorTokenAccount } = fill;
  const accounts = [
    writableSigner(keeper),
    writableSigner(cosigner),
    writable(owner),
    writable(PREDICTION_VAULT.address),
    writable(derivePredictionPosition(marketIdHash, owner, isYes).address),
    writable(address),
    writable(PREDICTION_VAULT_TOKEN_ACCOUNT),
    writable(derivePredictionOrderAta(address)),
    integratorTokenAccount === null ? readonly(PREDICTION_PROGRAM) : writable(integratorTokenAccount),
    PREDICTION_CALLED_PROGRAMS.token,
    // The stand-in takes it besides: nothing is filled once it exists.
    readonly(derivePredictionResult(marketIdHash).address),
  ];
  return createPredictionInstruction(accounts, writeOptionalPredictionText(data, fill.orderId));
}
