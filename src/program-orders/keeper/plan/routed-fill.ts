import type { Address } from '../../../solana/address.ts';
import type { Keypair } from '../../../solana/keypair.ts';
import type { Instruction } from '../../../solana/messages/instruction.ts';
import { TransactionInvalid } from '../../../solana/messages/transaction-invalid.ts';
import { type Bps, bps } from '../../../solana/units.ts';
import { listCleanupInstructions, removeCreations } from '../../../swaps/build/around-swap.ts';
import type { Assembly } from '../../../swaps/build/assembly.ts';
import { type BestFit, findBestFit } from '../../../swaps/build/best-fit.ts';
import { computeTokenAccountRent } from '../../../swaps/build/route-costs.ts';
import { estimateSlippage } from '../../../swaps/build/slippage.ts';
import type { SwapTerms } from '../../../swaps/build/swap-terms.ts';
import { findFailingPools } from '../../../swaps/engines/failing-pools.ts';
import { createFailing, SwapRefused } from '../../../swaps/refusals.ts';
import { buildTransaction } from '../../../transactions/build/build-transaction.ts';
import type { AccountStates, CreatedAccount, Rents } from '../../../transactions/build/costs.ts';
import { describeLackingFunds, sumCosts } from '../../../transactions/build/costs.ts';
import { listWritableAccounts } from '../../../transactions/build/transaction-message.ts';
import { capSlippage } from '../../../waiting-orders/fills/fill-quote.ts';
import type { PlannedTask } from './order-plan.ts';
import { OrderPutOff } from './order-put-off.ts';
import type { PlanContext } from './plan-dependencies.ts';

/** How many routes are tried when simulation shows that their transactions would fail. */
const MAX_ATTEMPTS = 4;

/** A fill whose route is to be found. */
export interface RoutedFill {
  readonly terms: SwapTerms;
  /** Pools to leave out. */
  readonly suspects: ReadonlySet<Address>;
  /**
   * Returns the atoms of the output that the route has to pay at the least if it is quoted so much; null if the quote does not
   * reach what the order wants. The transaction fails on chain for less.
   */
  readonly findLeast: (quoted: bigint) => bigint | null;
  /** Returns the instructions before and after the swap. */
  readonly surround: (swap: SurroundedSwap) => SurroundingInstructions;
  /** Accounts that the surrounding instructions create unless they exist. */
  readonly creations: readonly CreatedAccount[];
  readonly states: AccountStates;
  readonly signers: readonly Keypair[];
  /** The program that holds the order. Another route does not change what it refuses. */
  readonly program: Address;
}

/** A swap of which the route is known, or is still to be found: then the amounts are 0, and all accounts are missing. */
export interface SurroundedSwap {
  /** What `findLeast` has returned. */
  readonly least: bigint;
  /** What the swap refuses to pay less than: `least` or more. */
  readonly threshold: bigint;
  readonly missing: Pick<ReadonlySet<Address>, 'has'>;
}

export interface SurroundingInstructions {
  readonly before: readonly Instruction[];
  /** Come before everything that closes accounts between the steps of the route, and after SOL were unwrapped. */
  readonly after: readonly Instruction[];
}

export type RoutedResult =
  | { readonly kind: 'planned'; readonly planned: PlannedTask; readonly fit: BestFit }
  | { readonly kind: 'too little'; readonly quoted: bigint };

/**
 * Finds the best route that pays enough, and builds the transaction around it. If simulation shows that it would fail, the next
 * best one without the pools that fail is tried.
 *
 * @throws OrderPutOff when the order has to wait
 * @throws SwapRefused when no route fits, or all that were tried fail
 * @throws ChainUnavailable when the network does not answer
 */
export async function planRoutedFill(dependencies: PlanContext, fill: RoutedFill): Promise<RoutedResult> {
  const { market, venueLabels } = dependencies;
  const avoid = new Set(fill.suspects);
  let failure: SwapRefused | null = null;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const terms = { ...fill.terms, avoid, alongside: listAlongside(fill) };
    let fit: BestFit;
    try {
      fit = findBestFit(market, terms, null, (route) => {
        const least = fill.findLeast(route.outAmount);
        return least === null
          ? NO_SLIPPAGE
          : capSlippage(estimateSlippage(market, route), route.outAmount, least);
      });
    } catch (error) {
      throw error instanceof SwapRefused ? (failure ?? error) : error;
    }
    const { quotedOut } = fit.assembly;
    const least = fill.findLeast(quotedOut);
    if (least === null) {
      if (failure !== null) throw failure;
      return { kind: 'too little', quoted: quotedOut };
    }
    try {
      return { kind: 'planned', planned: await buildFill(dependencies, fill, { terms, fit, least }), fit };
    } catch (error) {
      if (!(error instanceof SwapRefused && error.reason.kind === 'failing')) throw error;
      const { program } = error.reason;
      if (program === fill.program) throw error;
      failure = error;
      for (const pool of findFailingPools(venueLabels, fit.route, error.reason)) avoid.add(pool);
    }
  }
  throw failure ?? new Error('no route was tried');
}

const NO_SLIPPAGE: Bps = bps(0);
/** Creating two accounts, five calls each, and what the programs of orders call: transfers, events and closings. */
const MAX_CALLS = 22;

function listAlongside({ surround }: RoutedFill): NonNullable<SwapTerms['alongside']> {
  const { before, after } = surround({ least: 0n, threshold: 0n, missing: { has: () => true } });
  return { instructions: [...before, ...after], calls: MAX_CALLS };
}

interface FoundRoute {
  readonly terms: SwapTerms;
  readonly fit: BestFit;
  readonly least: bigint;
}

async function buildFill(
  { market, gasWallet, nextSerial }: PlanContext,
  fill: RoutedFill,
  { terms, fit: { assembly }, least }: FoundRoute,
): Promise<PlannedTask> {
  const { pools, chain } = market;
  const further: CreatedAccount[] = assembly.creations.map(({ account, mint, paidBy, rentGoesTo }) => ({
    account,
    rent: () => computeTokenAccountRent(pools, mint),
    isReturned: rentGoesTo === paidBy,
  }));
  const unread = further.map(({ account }) => account).filter((account) => !fill.states.has(account));
  const read = unread.length === 0 ? [] : await chain.getAccounts(unread);
  const states = new Map([
    ...fill.states,
    ...read.map(({ address, account }) => [address, account] as const),
  ]);
  const build = await buildTransaction(
    market,
    {
      feePayer: gasWallet.address,
      instructions: (rents) => listInstructions(fill, assembly, least, rents),
      lookupTables: assembly.tables,
      creations: [...fill.creations, ...further],
      spends: [],
      tip: 0n,
      priority: { asked: null, competesFor: listWritableAccounts(assembly.swap), isSponsored: true },
      serial: nextSerial(),
    },
    states,
  ).catch((error: unknown) => {
    if (error instanceof TransactionInvalid) throw new OrderPutOff('route', error.message);
    throw error;
  });
  if (build.kind === 'refused') throw createFailing(build.failure);
  if (build.kind === 'lacking') throw new OrderPutOff('gas', describeLackingFunds(build.lack));
  return {
    kind: 'planned',
    task: 'fill',
    messageBytes: build.messageBytes,
    lastValidBlockHeight: build.lastValidBlockHeight,
    signers: fill.signers,
    lamports: sumCosts(build.costs),
    fill: { inputAmount: terms.amount, threshold: assembly.threshold },
  };
}

function listInstructions(
  { surround }: RoutedFill,
  assembly: Assembly,
  least: bigint,
  { missing, existing }: Rents,
): readonly Instruction[] {
  const { before, after } = surround({ least, threshold: assembly.threshold, missing });
  return [
    ...before,
    ...removeCreations(assembly.setup, existing),
    assembly.swap,
    ...listCleanupInstructions(assembly, missing),
    ...after,
  ];
}
