import type { Chain, RecentBlockhash } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import type { LookupTableContents } from '../../solana/messages/message-accounts.ts';
import { TransactionInvalid } from '../../solana/messages/transaction-invalid.ts';
import { MAX_COMPUTE_UNITS } from '../../solana/programs/compute-budget.ts';
import {
  LAMPORTS_PER_SIGNATURE,
  computeStatedPriorityFeeLamports,
} from '../../solana/programs/message-fee.ts';
import { MIN_WALLET_LAMPORTS } from '../../solana/rent.ts';
import type { DescribeFailure, TransactionFailure } from '../transaction-failure.ts';
import {
  compileContents,
  signersOf,
  type TransactionContents,
  computeUnitLimit,
  simulateMessage,
} from './transaction-message.ts';
import {
  type CreatedAccount,
  type AccountStates,
  type Costs,
  type Rents,
  computeRents,
  type LackingFunds,
  findLackingFunds,
  computeLamportsLeft,
  type WalletSpending,
} from './costs.ts';
import {
  type AskedPriorityFee,
  type AskedUnitPrice,
  computeUnitPrice,
  PRICE_PERCENTILE,
  computePriorityFee,
  computeSponsoredPriorityFee,
} from './priority-fee.ts';

export interface BuildingDependencies {
  readonly chain: Pick<Chain, 'recentBlockhash' | 'recentPriorityFees' | 'simulate'>;
  readonly describeFailure: DescribeFailure;
}

/** A transaction as a product specifies it. */
export interface TransactionPlan {
  /** Pays the fees and the rent. */
  readonly feePayer: Address;
  /** Creates the instructions. Called when it is known which of the accounts in `creations` exist. */
  readonly instructions: (rents: Rents) => readonly Instruction[];
  /** The whole contents of each table that accounts may be looked up in; null if there are none. */
  readonly lookupTables: LookupTableContents | null;
  /** The version of the message. Default: 0. */
  readonly version?: TransactionContents['version'];
  /** Accounts that the instructions create unless they exist. */
  readonly creations: readonly CreatedAccount[];
  /** What the instructions take from wallets. It is checked before anything is simulated. */
  readonly spends: readonly WalletSpending[];
  /** Lamports of the fee payer that the instructions tip. */
  readonly tip: bigint;
  readonly priority: PriorityPlan;
  /** Distinguishes transactions that are otherwise alike: see `computeUnitLimit`. */
  readonly serial: number;
}

/** How the price per compute unit is found. */
export interface PriorityPlan {
  /** What the request asks for; null leaves it to the service. */
  readonly asked: AskedPriorityFee | AskedUnitPrice | null;
  /** The price is taken from recent transactions that wrote these accounts. */
  readonly competesFor: readonly Address[];
  /** Whether a sponsor is the fee payer: it bids no more than `MAX_SPONSORED_PRIORITY_FEE`. */
  readonly isSponsored: boolean;
}

export type TransactionBuild =
  /** The transaction can be signed. */
  | ({ readonly kind: 'built' } & BuiltTransaction)
  /** The wallets lack the funds. `costs` are known as far as they were computed. */
  | { readonly kind: 'lacking'; readonly lack: LackingFunds; readonly costs: Costs }
  /** A program refuses the transaction, or the chain does because a program that it calls stands where a wallet should. */
  | { readonly kind: 'refused'; readonly failure: TransactionFailure; readonly costs: Costs };

/** An unsigned transaction. */
export interface BuiltTransaction {
  readonly messageBytes: Uint8Array;
  readonly lastValidBlockHeight: bigint;
  readonly costs: Costs;
}

/**
 * Reads the accounts that a plan depends on, in one call.
 * @param others - Further accounts that the product needs.
 * @throws ChainUnavailable when the network does not answer
 */
export async function readAccounts(
  chain: Pick<Chain, 'getAccounts'>,
  { feePayer, spends, creations }: Pick<TransactionPlan, 'feePayer' | 'spends' | 'creations'>,
  others: readonly Address[] = [],
): Promise<AccountStates> {
  const asked = new Set([feePayer, ...others]);
  for (const { wallet, tokenAccount } of spends) asked.add(wallet).add(tokenAccount ?? wallet);
  for (const { account } of creations) asked.add(account);
  const found = await chain.getAccounts([...asked]);
  return new Map(found.map(({ address, account }) => [address, account]));
}

/**
 * Builds the unsigned transaction of a plan. The compute-unit limit is measured by simulation, and the price is
 * computed from what others pay to write the same accounts.
 * @param states - The accounts as `readAccounts` read them.
 * @returns the transaction with its costs, or why it cannot be made
 * @throws TransactionInvalid when the instructions do not make a valid message for another reason than such a program
 * @throws TransactionInvalid when the transaction would be too large
 * @throws ChainUnavailable when the network does not answer
 * @example
 * ```ts
 * import type { Chain } from '../../chain/chain.ts';
 * import type { Address } from '../../solana/address.ts';
 * import { transferLamports } from '../../solana/programs/system.ts';
 * import { buildTransaction, readAccounts, type TransactionPlan } from './build-transaction.ts';
 * import { createFailureDescriber } from '../transaction-failure.ts';
 *
 * export async function payment(chain: Chain, from: Address, to: Address, lamports: bigint) {
 *   const describeFailure = createFailureDescriber(() => null);
 *   const plan: TransactionPlan = {
 *     feePayer: from,
 *     instructions: () => [transferLamports(from, to, lamports)],
 *     lookupTables: null,
 *     creations: [],
 *     spends: [{ wallet: from, amount: lamports, tokenAccount: null }],
 *     tip: 0n,
 *     priority: { asked: null, competesFor: [from, to], isSponsored: false },
 *     serial: 0,
 *   };
 *   const build = await buildTransaction({ chain, describeFailure }, plan, await readAccounts(chain, plan));
 *   return build.kind === 'built' ? build.messageBytes : null;
 * }
 * ```
 */
export async function buildTransaction(
  dependencies: BuildingDependencies,
  plan: TransactionPlan,
  states: AccountStates,
): Promise<TransactionBuild> {
  const { chain } = dependencies;
  const { feePayer, lookupTables, version = 0, spends, tip } = plan;
  const rents = computeRents(plan.creations, states);
  const instructions = plan.instructions(rents);
  const contents: TransactionContents = { feePayer, instructions, lookupTables, version };
  const costs: Costs = {
    payer: feePayer,
    signatureFee: LAMPORTS_PER_SIGNATURE * BigInt(signersOf(contents).size),
    prioritizationFee: tip,
    statedPrioritizationFee: tip,
    rentFee: rents.spent,
    ...(rents.paidBy === null ? {} : { rentPayer: rents.paidBy }),
  };
  const lack = findLackingFunds(spends, states, costs, rents.lent);
  if (lack !== null) return { kind: 'lacking', lack, costs };
  const blockhash = chain.recentBlockhash();
  const left = (taken: Costs) => computeLamportsLeft(spends, states, taken, rents.lent);
  const draft = compileDraft(contents, blockhash);
  if (!draft.ok) return unbuilt(draft.failure, costs, left(costs));
  const simulated = await simulateMessage(dependencies, draft.messageBytes);
  if (!simulated.ok) return unbuilt(simulated.failure, costs, left(costs));
  const limit = computeUnitLimit(simulated.unitsConsumed, plan.serial);
  const { price, lamports } = priorityFor(chain, plan.priority, limit);
  const all: Costs = {
    ...costs,
    prioritizationFee: tip + lamports,
    statedPrioritizationFee: tip + computeStatedPriorityFeeLamports(price, BigInt(limit)),
  };
  const stillLacking = findLackingFunds(spends, states, all, rents.lent);
  if (stillLacking !== null) return { kind: 'lacking', lack: stillLacking, costs: all };
  const messageBytes = compileContents(contents, { limit, price }, blockhash);
  // The network drops a transaction that leaves its payer less than a wallet must hold, and the draft paid no priority fee.
  if (lamports > 0n && left(all) < MIN_WALLET_LAMPORTS) {
    const again = await simulateMessage(dependencies, messageBytes);
    if (!again.ok) return unbuilt(again.failure, all, left(all));
  }
  const { lastValidBlockHeight } = blockhash;
  return { kind: 'built', messageBytes, lastValidBlockHeight, costs: all };
}

/** A client can name a program where a wallet should be. The chain refuses the message if it also calls that program. */
function compileDraft(
  contents: TransactionContents,
  blockhash: RecentBlockhash,
):
  | { readonly ok: true; readonly messageBytes: Uint8Array }
  | { readonly ok: false; readonly failure: TransactionFailure } {
  try {
    return {
      ok: true,
      messageBytes: compileContents(contents, { limit: MAX_COMPUTE_UNITS, price: 0n }, blockhash),
    };
  } catch (error) {
    if (!(error instanceof TransactionInvalid) || error.kind !== 'misplaced-program') throw error;
    const message = `the accounts make no valid transaction: ${error.message}`;
    return { ok: false, failure: { code: null, program: null, callers: [], message } };
  }
}

function priorityFor(
  chain: Pick<Chain, 'recentPriorityFees'>,
  { asked, competesFor, isSponsored }: PriorityPlan,
  limit: number,
) {
  const recent = computeUnitPrice(chain.recentPriorityFees(competesFor), PRICE_PERCENTILE);
  return (isSponsored ? computeSponsoredPriorityFee : computePriorityFee)(asked, recent, limit);
}

/** @param left - What the fee payer has when everything is paid. */
function unbuilt(failure: TransactionFailure, costs: Costs, left: bigint): TransactionBuild {
  // The runtime's errors InsufficientFundsForFee and InsufficientFundsForRent.
  if (failure.message.startsWith('InsufficientFundsFor')) {
    // If the fee payer has enough, another wallet has too little, and at most this much.
    const missing = left < MIN_WALLET_LAMPORTS ? MIN_WALLET_LAMPORTS - left : MIN_WALLET_LAMPORTS;
    return { kind: 'lacking', lack: { kind: 'rent-exemption', missing }, costs };
  }
  return { kind: 'refused', failure, costs };
}
