import type { LandedTransaction } from '../../chain/landed-transactions.ts';
import { decodeEvent, type SwapAmounts } from '../../market/aggregator/events.ts';
import { AGGREGATOR_PROGRAM } from '../../protocol/venue/aggregator-program.ts';
import type { Address } from '../../solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import type { WebhookFill } from '../engines/engine.ts';
import type { StoredOrder } from './stored-order.ts';
import { TOKEN_ACCOUNT_RENT } from '../../transactions/build/closings.ts';

/** What a swap moved, in atoms. */
export interface SwappedAmounts {
  /** What left the taker's wallet, including fees in the input token and without the transaction's own costs. */
  readonly totalInput: bigint;
  /** What arrived in the wallet that gets the output, after fees in the output token. */
  readonly totalOutput: bigint;
  /** What went into the route, by the aggregator's events. */
  readonly routeInput: bigint;
  /** What the route paid, by the aggregator's events. */
  readonly routeOutput: bigint;
  /** Each step of the route. */
  readonly steps: readonly SwapAmounts[];
}

/** The amounts of a failed transaction. */
export const NOTHING_SWAPPED: SwappedAmounts = {
  totalInput: 0n,
  totalOutput: 0n,
  routeInput: 0n,
  routeOutput: 0n,
  steps: [],
};

/**
 * Reads what a swap moved from the events of the route and from the balances of the wallets.
 * @param order - The order whose transaction landed.
 * @param landed - The transaction, which succeeded.
 */
export function computeSwappedAmounts(order: StoredOrder, landed: LandedTransaction): SwappedAmounts {
  const { inputMint, outputMint, taker, receiver, webhookFill } = order;
  if (webhookFill !== undefined) return toFilledAmounts(inputMint, outputMint, webhookFill);
  const steps = decodeSwapEvents(landed);
  const spent = steps.filter((step) => step.inputMint === inputMint);
  const paid = steps.filter((step) => step.outputMint === outputMint);
  return {
    totalInput: -computeMintChange(order, landed, taker, inputMint),
    totalOutput: computeMintChange(order, landed, receiver ?? taker, outputMint),
    routeInput: spent.reduce((sum, { inputAmount }) => sum + inputAmount, 0n),
    routeOutput: paid.reduce((sum, { outputAmount }) => sum + outputAmount, 0n),
    steps,
  };
}

/** The order engine moves exactly the two amounts, or nothing. */
function toFilledAmounts(
  inputMint: Address,
  outputMint: Address,
  { inAmount: inputAmount, outAmount: outputAmount }: WebhookFill,
): SwappedAmounts {
  return {
    totalInput: inputAmount,
    totalOutput: outputAmount,
    routeInput: inputAmount,
    routeOutput: outputAmount,
    steps: [{ inputMint, inputAmount, outputMint, outputAmount }],
  };
}

/** The aggregator emits events by calling itself with what each step did. */
function decodeSwapEvents({ calls }: LandedTransaction): readonly SwapAmounts[] {
  return calls.flatMap(({ call }) => {
    const event = call.program === AGGREGATOR_PROGRAM ? decodeEvent(call.data) : null;
    return event?.kind === 'swaps' ? event.swaps : [];
  });
}

/** The change in the wallet's atoms, without what it paid for the transaction itself. */
function computeMintChange(
  order: StoredOrder,
  landed: LandedTransaction,
  wallet: Address,
  mint: Address,
): bigint {
  return mint === WRAPPED_SOL_MINT
    ? computeSolChange(order, landed, wallet)
    : computeTokenChange(landed, wallet, mint);
}

/** Returns the change in the wallet's atoms of the mint over all its token accounts. */
export function computeTokenChange(landed: LandedTransaction, wallet: Address, mint: Address): bigint {
  const held = (balances: LandedTransaction['preTokenBalances']) =>
    balances.reduce(
      (sum, balance) => (balance.owner === wallet && balance.mint === mint ? sum + balance.amount : sum),
      0n,
    );
  return held(landed.postTokenBalances) - held(landed.preTokenBalances);
}

/** SOL and wrapped SOL count as one token, because a swap wraps its input and unwraps its output. */
function computeSolChange(order: StoredOrder, landed: LandedTransaction, wallet: Address): bigint {
  const wrapped = deriveAssociatedTokenAddress(wallet, WRAPPED_SOL_MINT, TOKEN_PROGRAM);
  const lentRent = getIntermediateRent(order);
  // A receiver's account is not at the cost of a payer.
  const rentPayer = order.receiver === null ? order.payer : order.taker;
  let moved = computeLamportChange(landed, wallet) + computeLamportChange(landed, wrapped);
  if (wallet === order.payer) {
    moved += landed.fee + order.tipLamports;
  }
  if (wallet === rentPayer) moved += sumCreatedRent(landed, wrapped) + lentRent;
  return wallet === order.receiver ? moved - lentRent : moved;
}

/** Rent of the account that SOL for another wallet passes through. The payer loses it and the receiver gains it. */
function getIntermediateRent({ receiver, outputMint }: StoredOrder): bigint {
  return receiver !== null && outputMint === WRAPPED_SOL_MINT ? TOKEN_ACCOUNT_RENT : 0n;
}

function computeLamportChange(
  { accounts, preBalances, postBalances }: LandedTransaction,
  address: Address,
): bigint {
  const index = accounts.indexOf(address);
  return (postBalances[index] ?? 0n) - (preBalances[index] ?? 0n);
}

/** Rent of the token accounts that the transaction created, in lamports. */
function sumCreatedRent(landed: LandedTransaction, except: Address): bigint {
  const existed = new Set(landed.preTokenBalances.map(({ account }) => account));
  return landed.postTokenBalances.reduce((sum, { account, mint, amount }) => {
    if (account === except || existed.has(account)) return sum;
    return sum + computeLamportChange(landed, account) - (mint === WRAPPED_SOL_MINT ? amount : 0n);
  }, 0n);
}
