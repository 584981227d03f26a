import {
  PREDICTION_ORDER_SIZE,
  PREDICTION_POSITION_SIZE,
} from '../../protocols/jupiter-prediction/prediction-accounts.ts';
import { createNewPredictionOrder } from '../../protocols/jupiter-prediction/instructions/prediction-order-instructions.ts';
import {
  derivePredictionOrder,
  derivePredictionOrderAta,
  derivePredictionPosition,
  derivePredictionTokens,
  JUPUSD_MINT,
} from '../../protocols/jupiter-prediction/prediction-program.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../solana/programs/associated-token.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import { TOKEN_ACCOUNT_RENT } from '../../transactions/build/closings.ts';
import type { PredictionCraftDependencies } from './craft-dependencies.ts';
import type { NewOrderAccounts } from './order-figures.ts';

/** The wallet of an order, as the chain has it. */
export interface OrderWallet {
  readonly owner: Address;
  readonly lamports: bigint;
  /** The wallet's account of JupUSD. */
  readonly tokens: Address;
  readonly isTokensOpen: boolean;
}

/** What an order asks for. Contracts are micro-contracts, amounts micro USD. */
export interface PredictionOrderRequest {
  readonly marketIdHash: string;
  readonly isYes: boolean;
  readonly isBuy: boolean;
  readonly contracts: bigint;
  readonly limitPrice: bigint;
  readonly deposit: bigint;
  readonly isLimit: boolean;
}

/** Reads what a wallet has of SOL and whether it has an account of JupUSD. */
export async function readOrderWallet(
  { chain }: Pick<PredictionCraftDependencies, 'chain'>,
  owner: Address,
): Promise<OrderWallet> {
  const tokens = derivePredictionTokens(owner);
  const [wallet, account] = await chain.getAccounts([owner, tokens]);
  return {
    owner,
    lamports: wallet?.account?.lamports ?? 0n,
    tokens,
    isTokensOpen: account?.account?.owner === TOKEN_PROGRAM,
  };
}

/** Derives the accounts of a new order. */
export function deriveNewOrder(
  externalOrderId: string,
  owner: Address,
  { marketIdHash, isYes }: Pick<PredictionOrderRequest, 'marketIdHash' | 'isYes'>,
): NewOrderAccounts {
  const order = derivePredictionOrder(owner, externalOrderId).address;
  return {
    externalOrderId,
    order,
    orderTokenAccount: derivePredictionOrderAta(order),
    position: derivePredictionPosition(marketIdHash, owner, isYes).address,
  };
}

/** The rent of an order's own accounts, which comes back when it is closed. */
const ORDER_RENT = computeRentExemptMinimum(PREDICTION_ORDER_SIZE) + TOKEN_ACCOUNT_RENT;

/** Computes the rent of everything that an order creates, and which part of it comes back when the order is closed. */
export function computeOrderRent(
  wallet: Pick<OrderWallet, 'isTokensOpen'>,
  hasPosition: boolean,
): { readonly rent: bigint; readonly returned: bigint } {
  const position = hasPosition ? 0n : computeRentExemptMinimum(PREDICTION_POSITION_SIZE);
  const tokens = wallet.isTokensOpen ? 0n : TOKEN_ACCOUNT_RENT;
  return { rent: ORDER_RENT + position + tokens, returned: ORDER_RENT };
}

/**
 * Returns the instruction that opens the wallet's account of JupUSD, if the transaction has to have one. A sponsor pays for
 * none that is open already: the owner could close it in the meantime and keep the rent.
 */
export function listTokenCreations(
  { owner, tokens, isTokensOpen }: OrderWallet,
  payer: Address,
): Instruction[] {
  if (isTokensOpen && payer !== owner) return [];
  const setup = { payer, owner, mint: JUPUSD_MINT, tokenProgram: TOKEN_PROGRAM };
  return [createAssociatedTokenIdempotent(setup, tokens)];
}

/** Whose order it is, who pays for its accounts, and how it is told apart from others. */
export interface OrderParties {
  readonly owner: Address;
  readonly payer: Address;
  readonly externalOrderId: string;
}

/** Creates the instruction of an order. */
export function createOrderInstruction(
  { authority }: Pick<PredictionCraftDependencies, 'authority'>,
  { owner, payer, externalOrderId }: OrderParties,
  terms: PredictionOrderRequest,
): Instruction {
  return createNewPredictionOrder(
    { owner, payer, authority: authority.address },
    {
      externalOrderId,
      marketIdHash: terms.marketIdHash,
      isYes: terms.isYes,
      isBuy: terms.isBuy,
      contracts: terms.contracts,
      limitPrice: terms.limitPrice,
      depositAmount: terms.deposit,
      isLimit: terms.isLimit,
      integrator: null,
    },
  );
}
