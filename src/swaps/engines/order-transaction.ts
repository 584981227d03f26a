import type { Chain } from '../../chain/chain.ts';
import type { Pools } from '../../market/pools/pools.ts';
import type { FillTerms } from '../fill-terms.ts';
import { isTokenProgram, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import {
  type BuildingDependencies,
  buildTransaction,
  readAccounts,
  type TransactionBuild,
  type TransactionPlan,
} from '../../transactions/build/build-transaction.ts';
import { listWritableAccounts } from '../../transactions/build/transaction-message.ts';
import {
  type CreatedAccount,
  type AccountStates,
  type Costs,
  type Rents,
  computeRents,
  type LackingFunds,
  computeLamportsLeft,
} from '../../transactions/build/costs.ts';
import {
  computeUnitPrice,
  PRICE_PERCENTILE,
  computePriorityFee,
} from '../../transactions/build/priority-fee.ts';
import type { DescribeFailure } from '../../transactions/transaction-failure.ts';
import type { Assembly } from '../build/assembly.ts';
import type { SwapTerms } from '../build/swap-terms.ts';
import { listCleanupInstructions, listGuards, removeCreations, signForTaker } from '../build/around-swap.ts';
import type { Creation } from '../build/token-flow.ts';
import { estimateUnits, type Priority, computeTokenAccountRent } from '../build/route-costs.ts';
import type { Route } from '../../market/router/index.ts';
import { LAMPORTS_PER_SIGNATURE } from '../../solana/programs/message-fee.ts';
import { createFailing, SwapRefused } from '../refusals.ts';
import type { BuiltOrder, Unbuildable } from './engine.ts';
import type { OrderRequest } from './order-request.ts';

/** Values of `errorCode` of the on-chain router. */
const INSUFFICIENT_FUNDS = 1;
export const INSUFFICIENT_SOL = 2;
export const BELOW_GASLESS_MINIMUM = 3;

const SOL_DECIMALS = 9;

export interface OrderToBuild {
  readonly order: Pick<OrderRequest, 'receiver' | 'priorityFee'>;
  readonly terms: SwapTerms;
  readonly assembly: Assembly;
  /** Null when no maker takes part. */
  readonly coSigner: FillTerms | null;
  /** Whether the service's sponsor pays. */
  readonly isSponsored: boolean;
  /** Counts the transactions that were built. */
  readonly serial: number;
}

export interface OrderTransactionDependencies {
  readonly chain: BuildingDependencies['chain'] & Pick<Chain, 'getAccounts'>;
  readonly pools: Pools;
  readonly describeFailure: DescribeFailure;
}

/**
 * Reads the accounts that an order's transaction depends on.
 * @throws SwapRefused when the receiver is a token account
 */
export async function readOrderAccounts(
  { chain, pools }: OrderTransactionDependencies,
  toBuild: OrderToBuild,
): Promise<AccountStates> {
  const { receiver } = toBuild.order;
  const states = await readAccounts(
    chain,
    createOrderPlan(pools, toBuild),
    receiver === null ? [] : [receiver],
  );
  const account = receiver === null ? null : states.get(receiver);
  if (receiver !== null && account && isTokenProgram(account.owner)) {
    throw new SwapRefused({ kind: 'receiver-is-token-account', receiver });
  }
  return states;
}

/**
 * Builds the unsigned transaction of an order.
 * @param states - The accounts as `readOrderAccounts` read them.
 * @returns the transaction, or what the wallets lack for it
 * @throws SwapRefused as `failing` when the programs refuse the swap
 */
export async function buildOrderTransaction(
  { chain, describeFailure, pools }: OrderTransactionDependencies,
  toBuild: OrderToBuild,
  states: AccountStates,
): Promise<BuiltOrder | Unbuildable> {
  const build = await buildTransaction({ chain, describeFailure }, createOrderPlan(pools, toBuild), states);
  return toBuiltOrder(build, toBuild);
}

/** What an order is expected to cost before it is simulated. */
export interface ExpectedCosts {
  readonly costs: Costs;
  readonly rents: Rents;
  /** Lamports that the payer has left at the least, before lent rent comes back; negative if it has too few. */
  readonly left: bigint;
}

/** Estimates the costs of an order's transaction by the accounts as they are. */
export function estimateOrderCosts(
  { chain, pools }: OrderTransactionDependencies,
  toBuild: OrderToBuild,
  route: Pick<Route, 'legs'>,
  states: AccountStates,
): ExpectedCosts {
  const plan = createOrderPlan(pools, toBuild);
  const rents = computeRents(plan.creations, states);
  const costs: Costs = {
    ...estimateOrderFees(chain, toBuild, route),
    rentFee: rents.spent,
    ...(rents.paidBy === null ? {} : { rentPayer: rents.paidBy }),
  };
  return { costs, rents, left: computeLamportsLeft(plan.spends, states, costs, rents.lent) };
}

/** Estimates what an order's transaction costs beside rent. */
export function estimateOrderFees(
  chain: Pick<Chain, 'recentPriorityFees'>,
  { order, terms, assembly, coSigner }: OrderToBuild,
  route: Pick<Route, 'legs'>,
): Costs {
  const { payer, taker, tipAmount, vault } = terms;
  const wallets = vault?.signers.length ?? (payer === taker ? 1 : 2);
  const signers = BigInt(wallets + (coSigner === null ? 0 : 1));
  const prioritizationFee = tipAmount + createPriorityEstimator(chain, order, assembly)(estimateUnits(route));
  return {
    payer,
    signatureFee: LAMPORTS_PER_SIGNATURE * signers,
    prioritizationFee,
    statedPrioritizationFee: prioritizationFee,
    rentFee: 0n,
  };
}

/** Returns what estimates the priority fee of an order by the recent ones. */
export function createPriorityEstimator(
  chain: Pick<Chain, 'recentPriorityFees'>,
  { priorityFee: asked }: Pick<OrderRequest, 'priorityFee'>,
  { swap }: Assembly,
): Priority {
  const recent = computeUnitPrice(chain.recentPriorityFees(listWritableAccounts(swap)), PRICE_PERCENTILE);
  return (units) => computePriorityFee(asked, recent, units).lamports;
}

function toBuiltOrder(build: TransactionBuild, { terms, coSigner }: OrderToBuild): BuiltOrder | Unbuildable {
  switch (build.kind) {
    case 'built': {
      const { messageBytes, lastValidBlockHeight, costs } = build;
      return { messageBytes, lastValidBlockHeight, costs, coSigner };
    }
    case 'lacking':
      return { unbuildable: describeLack(build.lack, terms), costs: build.costs };
    case 'refused':
      throw createFailing(build.failure);
  }
}

function describeLack(lack: LackingFunds, { inputMint }: SwapTerms): Unbuildable['unbuildable'] {
  switch (lack.kind) {
    case 'amount': {
      const { wallet, amount } = lack.spending;
      const details = `the swap takes ${amount} atoms of ${inputMint}, ${wallet} has ${lack.held}`;
      return { code: INSUFFICIENT_FUNDS, message: 'Insufficient funds', details };
    }
    case 'lamports':
      return createInsufficientSol(lack.missing, `${lack.payer} needs ${lack.missing} lamports more`);
    case 'rent-exemption':
      return createInsufficientSol(
        lack.missing,
        'a wallet would be left with less than an account must hold',
      );
  }
}

function createInsufficientSol(lamports: bigint, details: string): Unbuildable['unbuildable'] {
  return { code: INSUFFICIENT_SOL, message: `Top up ${formatSol(lamports)} SOL for gas`, details };
}

/** Formats lamports as SOL without trailing zeros, such as `0.00204928`. */
function formatSol(lamports: bigint): string {
  const digits = lamports.toString().padStart(SOL_DECIMALS + 1, '0');
  const fraction = digits.slice(-SOL_DECIMALS).replace(/0+$/, '');
  return `${digits.slice(0, -SOL_DECIMALS)}${fraction === '' ? '' : `.${fraction}`}`;
}

function createOrderPlan(
  pools: Pools,
  { order, terms, assembly, isSponsored, serial }: OrderToBuild,
): TransactionPlan {
  const { taker, payer, inputMint, amount, wrapAndUnwrapSol, source } = terms;
  const isNative = inputMint === WRAPPED_SOL_MINT && wrapAndUnwrapSol && source === undefined;
  const tokenAccount = isNative ? null : assembly.source;
  return {
    feePayer: payer,
    instructions: (rents) => signForTaker(terms, listOrderInstructions(terms, assembly, rents)),
    lookupTables: assembly.tables,
    creations: assembly.creations.map((creation) => toAccountCreation(pools, terms, assembly, creation)),
    spends: [{ wallet: taker, amount: amount - (source?.unsynced ?? 0n), tokenAccount }],
    tip: terms.tipAmount,
    priority: { asked: order.priorityFee, competesFor: listWritableAccounts(assembly.swap), isSponsored },
    serial,
  };
}

/**
 * Leaves out the creation of existing accounts if another wallet than the taker pays: the taker could close such an
 * account in the meantime and keep the rent, which the payer is not charged for.
 */
function listOrderInstructions(
  { taker, payer }: SwapTerms,
  assembly: Assembly,
  { missing, existing }: Rents,
) {
  const { setup, swap, tip } = assembly;
  const instructions = [
    ...(payer === taker ? setup : removeCreations(setup, existing)),
    ...listGuards(assembly, missing),
    swap,
    ...listCleanupInstructions(assembly, missing),
  ];
  if (tip !== null) instructions.push(tip);
  return instructions;
}

function toAccountCreation(
  pools: Pools,
  { payer }: SwapTerms,
  { rentReturns }: Assembly,
  { account, mint, paidBy, rentGoesTo }: Creation,
): CreatedAccount {
  return {
    account,
    rent: () => computeTokenAccountRent(pools, mint),
    isReturned: rentGoesTo === paidBy || rentReturns.has(account),
    ...(paidBy === payer ? {} : { paidBy }),
  };
}
