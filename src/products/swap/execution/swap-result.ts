import type { LandedTransaction } from '../../../chain/chain.ts';
import { decodeEvent, type SwapAmounts } from '../../../market/aggregator/events.ts';
import { AGGREGATOR_PROGRAM } from '../../../market/aggregator/program.ts';
import type { Address } from '../../../solana/address.ts';
import { associatedTokenAddress } from '../../../solana/pda.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import type { ExecuteResponse } from './execute-schema.ts';
import type { StoredOrder } from './stored-order.ts';
import { TOKEN_ACCOUNT_RENT } from '../build/token-flow.ts';

type SwapResult = Pick<
  ExecuteResponse,
  'totalInputAmount' | 'totalOutputAmount' | 'inputAmountResult' | 'outputAmountResult' | 'swapEvents'
>;

/** What a transaction that failed has moved. */
export const NOTHING_SWAPPED: SwapResult = {
  totalInputAmount: '0',
  totalOutputAmount: '0',
  inputAmountResult: '0',
  outputAmountResult: '0',
  swapEvents: [],
};

/** What a swap that succeeded has moved: the route's own account of itself, and what the wallets' balances say. */
export function swapResult(order: StoredOrder, landed: LandedTransaction): SwapResult {
  const events = swapEvents(landed);
  const { inputMint, outputMint, taker, receiver } = order;
  const spent = events.filter((event) => event.inputMint === inputMint);
  const paid = events.filter((event) => event.outputMint === outputMint);
  return {
    totalInputAmount: (-change(order, landed, taker, inputMint)).toString(),
    totalOutputAmount: change(order, landed, receiver ?? taker, outputMint).toString(),
    inputAmountResult: spent.reduce((sum, { inputAmount }) => sum + inputAmount, 0n).toString(),
    outputAmountResult: paid.reduce((sum, { outputAmount }) => sum + outputAmount, 0n).toString(),
    swapEvents: events.map((event) => ({
      inputMint: event.inputMint,
      inputAmount: event.inputAmount.toString(),
      outputMint: event.outputMint,
      outputAmount: event.outputAmount.toString(),
    })),
  };
}

/** The aggregator calls itself with what each step did. */
function swapEvents({ calls }: LandedTransaction): readonly SwapAmounts[] {
  return calls.flatMap(({ call }) => {
    const event = call.program === AGGREGATOR_PROGRAM ? decodeEvent(call.data) : null;
    return event?.kind === 'swaps' ? event.swaps : [];
  });
}

/** How much more of the token the wallet has, its costs for the transaction left out. */
function change(order: StoredOrder, landed: LandedTransaction, wallet: Address, mint: Address): bigint {
  return mint === WRAPPED_SOL_MINT ? solChange(order, landed, wallet) : tokenChange(landed, wallet, mint);
}

/** How many more tokens of the mint the wallet's accounts have. */
export function tokenChange(landed: LandedTransaction, wallet: Address, mint: Address): bigint {
  const held = (balances: LandedTransaction['preTokenBalances']) =>
    balances.reduce(
      (sum, balance) => (balance.owner === wallet && balance.mint === mint ? sum + balance.amount : sum),
      0n,
    );
  return held(landed.postTokenBalances) - held(landed.preTokenBalances);
}

/** SOL and wrapped SOL are one: a swap wraps what it pays and unwraps what it gets. */
function solChange(order: StoredOrder, landed: LandedTransaction, wallet: Address): bigint {
  const wrapped = associatedTokenAddress(wallet, WRAPPED_SOL_MINT, TOKEN_PROGRAM);
  const passing = passingRent(order);
  let moved = lamportChange(landed, wallet) + lamportChange(landed, wrapped);
  if (wallet === order.payer) {
    moved += landed.fee + order.tipLamports + createdRent(landed, wrapped) + passing;
  }
  return wallet === order.receiver ? moved - passing : moved;
}

/** Rent of the account that SOL for another wallet passes through: the payer's loss and the receiver's gain. */
function passingRent({ receiver, outputMint }: StoredOrder): bigint {
  return receiver !== null && outputMint === WRAPPED_SOL_MINT ? TOKEN_ACCOUNT_RENT : 0n;
}

function lamportChange({ accounts, preBalances, postBalances }: LandedTransaction, address: Address): bigint {
  const index = accounts.indexOf(address);
  return (postBalances[index] ?? 0n) - (preBalances[index] ?? 0n);
}

/** Lamports that were paid into token accounts which did not exist before, without the tokens in them. */
function createdRent(landed: LandedTransaction, except: Address): bigint {
  const existed = new Set(landed.preTokenBalances.map(({ account }) => account));
  return landed.postTokenBalances.reduce((sum, { account, mint, amount }) => {
    if (account === except || existed.has(account)) return sum;
    return sum + lamportChange(landed, account) - (mint === WRAPPED_SOL_MINT ? amount : 0n);
  }, 0n);
}
