import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import type { Account } from '../../chain/accounts.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import type { Bps } from '../../solana/units.ts';
import { listGuards, removeCreations } from '../../swaps/build/around-swap.ts';
import type { Assembly } from '../../swaps/build/assembly.ts';
import { refit } from '../../swaps/build/best-fit.ts';
import { createSwapTerms } from '../../swaps/build/swap-terms.ts';
import { isOpened } from '../../swaps/build/token-flow.ts';
import { computeTokenAccountRent } from '../../swaps/build/route-costs.ts';
import {
  makePaidOrder,
  type HalfSignedTransaction,
  type OrderPayer,
  signOrderTransaction,
} from '../../predictions/crafting/paying/order-transaction.ts';
import { refuseOrder } from '../../predictions/prediction-refused.ts';
import type { ForecastMarket } from '../forecast-market.ts';
import { FORECAST_USDC } from '../../protocols/bisonfi-forecast/forecast-program.ts';
import type { ForecastCraftDependencies } from './forecast-dependencies.ts';

/** The compute units that a transaction may use. */
const UNITS = 400_000;

/** A swap between USDC and an outcome token as an order asks for it. */
export interface ForecastSwapRequest {
  readonly owner: Address;
  readonly market: ForecastMarket;
  readonly isBuy: boolean;
  /** Atoms that go in. */
  readonly amount: bigint;
  readonly slippageBps: Bps;
}

/** The owner's accounts, as the chain has them. */
export interface ForecastWallet {
  readonly lamports: bigint;
  readonly outcomeTokens: SwappedAccount;
  readonly dollars: SwappedAccount;
}

/** One of the owner's token accounts. */
interface SwappedAccount {
  readonly address: Address;
  /** Null while it does not exist. */
  readonly account: Account | null;
}

/** A swap whose transaction waits for its owner's signature. */
export interface CraftedForecastSwap {
  readonly transaction: HalfSignedTransaction;
  /** Who pays, if that is not the owner. */
  readonly sponsor: Address | null;
  /** What the swap pays at the state that it was made on. */
  readonly outAmount: bigint;
  /** The least that it pays. */
  readonly threshold: bigint;
}

/** Derives the account in which a wallet holds an outcome token. */
export function deriveOutcomeAccount(owner: Address, outcomeMint: Address): Address {
  return deriveAssociatedTokenAddress(owner, outcomeMint, TOKEN_2022_PROGRAM);
}

/**
 * Reads a wallet with its accounts of an outcome token and of USDC.
 * @throws ChainUnavailable when the network does not answer
 */
export async function readForecastWallet(
  { chain }: Pick<ForecastCraftDependencies, 'chain'>,
  owner: Address,
  outcomeMint: Address,
): Promise<ForecastWallet> {
  const outcomeTokens = deriveOutcomeAccount(owner, outcomeMint);
  const dollars = deriveAssociatedTokenAddress(owner, FORECAST_USDC, TOKEN_PROGRAM);
  const [wallet, tokens, usdc] = await chain.getAccounts([owner, outcomeTokens, dollars]);
  const findOpened = (account: Account | null | undefined) =>
    account != null && isOpened(account) ? account : null;
  return {
    lamports: wallet?.account?.lamports ?? 0n,
    outcomeTokens: { address: outcomeTokens, account: findOpened(tokens?.account) },
    dollars: { address: dollars, account: findOpened(usdc?.account) },
  };
}

/**
 * Makes the transaction of a swap over the one pool of a side.
 * @param worthOf - Called with what the swap pays. Returns what the order is worth in micro USD; null where a sponsor asks for no
 *   minimum.
 * @throws PredictionRefused when the round offers nothing for the amount, or nobody can pay for the transaction
 */
export async function craftForecastSwap(
  dependencies: ForecastCraftDependencies,
  request: ForecastSwapRequest,
  wallet: ForecastWallet,
  worthOf: (outAmount: bigint) => bigint | null,
): Promise<CraftedForecastSwap> {
  const { owner, isBuy, market } = request;
  const received = isBuy ? wallet.outcomeTokens : wallet.dollars;
  const quoted = assembleSwap(dependencies, request, owner);
  const created = isBuy ? market.forecast.outcomeMint : FORECAST_USDC;
  const rent = received.account === null ? computeTokenAccountRent(dependencies.pools, created) : 0n;
  const payable = {
    owner,
    walletLamports: wallet.lamports,
    cost: { signatures: 1, units: UNITS, rent, returned: 0n },
    worth: worthOf(quoted.quotedOut),
    order: null,
  };
  return makePaidOrder(dependencies, payable, async (payer) => {
    const assembly = payer.sponsor === null ? quoted : assembleSwap(dependencies, request, payer.address);
    return {
      transaction: signOrderTransaction(dependencies, {
        owner,
        payer,
        authority: null,
        instructions: listInstructions(assembly, received, payer),
        lookupTables: assembly.tables,
        units: UNITS,
      }),
      sponsor: payer.sponsor === null ? null : payer.address,
      outAmount: assembly.quotedOut,
      threshold: assembly.threshold,
    };
  });
}

function assembleSwap(
  dependencies: ForecastCraftDependencies,
  { owner, market: { forecast }, isBuy, amount, slippageBps }: ForecastSwapRequest,
  payer: Address,
): Assembly {
  const { outcomeMint, pool } = forecast;
  const [inputMint, outputMint] = isBuy ? [FORECAST_USDC, outcomeMint] : [outcomeMint, FORECAST_USDC];
  const terms = createSwapTerms({ inputMint, outputMint, amount, taker: owner, payer, fast: true });
  const handle = dependencies.pools.find(pool);
  const leg = { inputMint, outputMint, bps: 10_000, inputIndex: 0, outputIndex: 1 };
  const fit =
    handle === null
      ? null
      : refit(dependencies, terms, null, () => slippageBps, { legs: [{ handle, ...leg }] });
  return fit?.assembly ?? refuseOrder('no_route', 'No route found: the round does not offer this amount now');
}

/**
 * A sponsor that pays for an account is the only one that may close it, so that nobody else gets the rent. It pays for none
 * that is open already: the owner could close that in the meantime, and keep the rent.
 */
function listInstructions(
  assembly: Assembly,
  { address, account }: SwappedAccount,
  { sponsor }: OrderPayer,
): readonly Instruction[] {
  const { setup, swap } = assembly;
  const received = new Set([address]);
  if (account === null) return [...setup, swap, ...listGuards(assembly, received)];
  return [...(sponsor === null ? setup : removeCreations(setup, received)), swap];
}
