import { type Chain, type RecentBlockhash, requireAvailable } from '../../chain/chain.ts';
import { computePriceImpact } from '../../market/prices/price-impact.ts';
import type { Address } from '../../solana/address.ts';
import { setComputeUnitPrice } from '../../solana/programs/compute-budget.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { isTokenProgram } from '../../solana/program-addresses.ts';
import type { Route } from '../../market/router/index.ts';
import type { Bps } from '../../solana/units.ts';
import type { Assembly } from './assembly.ts';
import { findBestFit, type ExtraCost, type RoutingDependencies } from './best-fit.ts';
import { estimateExtraFees, estimateUnits, type Priority, convertLamportsToOutput } from './route-costs.ts';
import type { Prices } from '../../market/prices/prices.ts';
import { listWritableAccounts } from '../../transactions/build/transaction-message.ts';
import type { TokenAccountMints } from '../../transactions/token-account-mints.ts';
import type { InstructionVersion } from '../../market/aggregator/route-plan.ts';
import { computePriorityFee, computeUnitPrice } from '../../transactions/build/priority-fee.ts';
import { SwapRefused } from '../refusals.ts';
import { checkFeeProgram, findPlatformFee } from '../fees/platform-fee.ts';
import { type SlippageDependencies, estimateSlippage } from './slippage.ts';
import type { SwapTerms } from './swap-terms.ts';
import { listCleanupInstructions, findAccounts, listGuards, chargeTakerForCreations } from './around-swap.ts';

/** The request `GET /swap/v2/build`. Each value is checked on its own and against the others. */
export interface BuildRequest extends SwapTerms {
  /** Null with `slippageBps=rtse`: the slippage is estimated. */
  readonly slippageBps: Bps | null;
  readonly blockhashSlotsToExpiry: number;
  readonly instructionVersion: InstructionVersion;
  /** Percentile of recent compute-unit prices in basis points: 5,000 is the median. */
  readonly computeUnitPricePercentile: Bps;
}

/** A swap as instructions. The quoted amounts are what the programs pay at the state it was built on. */
export interface BuiltSwap {
  readonly inputMint: Address;
  readonly outputMint: Address;
  /** Atoms that the taker spends. */
  readonly inAmount: bigint;
  /** Atoms that the taker receives, after the platform fee. */
  readonly outAmount: bigint;
  /** The swap fails if it would pay fewer atoms. */
  readonly threshold: bigint;
  readonly slippageBps: Bps;
  /** Share of the price that the size of the swap costs, as a decimal. */
  readonly priceImpact: string;
  readonly route: Route;
  readonly computeBudget: readonly Instruction[];
  readonly setup: readonly Instruction[];
  readonly swap: Instruction;
  readonly cleanup: Instruction | null;
  /** What follows the cleanup, such as closing further accounts that the setup opens. */
  readonly others: readonly Instruction[];
  readonly tip: Instruction | null;
  /** The contents of the lookup tables that shorten the transaction; null if there are none. */
  readonly lookupTables: Assembly['tables'];
  readonly blockhash: RecentBlockhash;
}

export interface BuildDependencies
  extends RoutingDependencies,
    SlippageDependencies,
    DestinationDependencies {
  readonly chain: Pick<
    Chain,
    'clock' | 'getAccounts' | 'recentBlockhash' | 'recentPriorityFees' | 'unhealthy'
  >;
  readonly prices: Pick<Prices, 'deepDollarsPerAtom'>;
}

/**
 * Finds the best route that fits one transaction, and creates its instructions.
 * @throws SwapRefused if there is no such route, or the request contradicts the chain
 * @throws ChainUnavailable while the chain is out of date
 *
 * @example
 * ```ts
 * import { type BuildDependencies, type BuildRequest, buildSwap } from './build.ts';
 *
 * // The atoms that a taker receives at the current state of the pools.
 * async function quoteOutput(dependencies: BuildDependencies, request: BuildRequest): Promise<bigint> {
 *   return (await buildSwap(dependencies, request)).outAmount;
 * }
 * ```
 */
export async function buildSwap(dependencies: BuildDependencies, request: BuildRequest): Promise<BuiltSwap> {
  requireAvailable(dependencies.chain);
  // Most requests name no account that would have to be read.
  if (request.destination.kind !== 'taker') await checkDestination(dependencies, request);
  const fee =
    request.platformFee === undefined ? null : await findPlatformFee(dependencies.tokenAccountMints, request);
  checkFeeProgram(dependencies.pools, fee, request.instructionVersion);
  const { route, assembly } = findBestFit(
    dependencies,
    request,
    fee,
    (each) => request.slippageBps ?? estimateSlippage(dependencies, each),
    { version: request.instructionVersion, extraCost: createBuildExtraCost(dependencies, request) },
  );
  const around = await findInstructionsAroundSwap(dependencies, request, assembly);
  const recent = findLocalPrice(dependencies.chain, request, assembly.swap);
  const { price } = computePriorityFee(null, recent, estimateUnits(route));
  return {
    inputMint: request.inputMint,
    outputMint: request.outputMint,
    inAmount: request.amount,
    outAmount: assembly.quotedOut,
    threshold: assembly.threshold,
    slippageBps: assembly.slippageBps,
    priceImpact: computePriceImpact(route, dependencies.chain.clock()),
    route,
    computeBudget: [setComputeUnitPrice(price)],
    ...around,
    swap: assembly.swap,
    tip: assembly.tip,
    lookupTables: assembly.tables,
    blockhash: dependencies.chain.recentBlockhash(request.blockhashSlotsToExpiry),
  };
}

/** What more steps cost the taker at the price that the answer suggests. A payer's costs are not the taker's. */
function createBuildExtraCost(
  { chain, prices }: BuildDependencies,
  request: BuildRequest,
): ExtraCost | undefined {
  if (request.payer !== request.taker) return undefined;
  const { inputMint, outputMint, amount: inAmount } = request;
  return ({ route, assembly }) => {
    const priorityNow = (): Priority => {
      const recent = findLocalPrice(chain, request, assembly.swap);
      return (units) => computePriorityFee(null, recent, units).lamports;
    };
    const swap = { inputMint, outputMint, inAmount, outAmount: route.outAmount };
    return convertLamportsToOutput(prices, swap, estimateExtraFees(route, priorityNow));
  };
}

/**
 * The instructions around the swap. Only accounts that the swap passes through, and those that a payer pays for, have to be
 * read.
 */
async function findInstructionsAroundSwap(
  { chain }: Pick<BuildDependencies, 'chain'>,
  { taker, payer }: BuildRequest,
  assembly: Assembly,
): Promise<Pick<BuiltSwap, 'setup' | 'cleanup' | 'others'>> {
  const { setup, cleanup, closings } = assembly;
  if (closings.length === 0 && payer === taker) return { setup, cleanup, others: [] };
  const { missing, existing } = await findAccounts(chain, assembly);
  const [first = null, ...others] = listCleanupInstructions(assembly, missing);
  const funded = payer === taker ? setup : chargeTakerForCreations(setup, existing, taker);
  return { setup: [...funded, ...listGuards(assembly, missing)], cleanup: first, others };
}

export interface DestinationDependencies {
  readonly chain: Pick<Chain, 'getAccounts'>;
  readonly tokenAccountMints: TokenAccountMints;
}

/** @throws SwapRefused when the account that the request names cannot receive the output */
export async function checkDestination(
  dependencies: DestinationDependencies,
  { destination, outputMint }: SwapTerms,
): Promise<void> {
  if (destination.kind === 'native') await checkNativeDestination(dependencies.chain, destination.address);
  if (destination.kind !== 'token-account') return;
  const mint = await dependencies.tokenAccountMints.of(destination.address);
  if (mint === outputMint) return;
  throw new SwapRefused({
    kind: 'destination-of-other-mint',
    outputMint,
    account: destination.address,
    mint,
  });
}

/** A wallet cannot spend SOL in an account that a token program owns. */
async function checkNativeDestination(
  chain: DestinationDependencies['chain'],
  address: Address,
): Promise<void> {
  const [found] = await chain.getAccounts([address]);
  const owner = found?.account?.owner;
  if (owner === undefined || !isTokenProgram(owner)) return;
  throw new SwapRefused({ kind: 'native-destination-of-token-program', account: address });
}

/**
 * Finds the price per compute unit among transactions that write the same accounts; with `fast`, among all transactions.
 * A cheap transaction that writes a pool's account can offer any price, so the fee for it needs a bound.
 */
function findLocalPrice(
  chain: Pick<Chain, 'recentPriorityFees'>,
  request: BuildRequest,
  swap: Instruction,
): bigint {
  const writable = request.fast ? [] : listWritableAccounts(swap);
  return computeUnitPrice(chain.recentPriorityFees(writable), request.computeUnitPricePercentile);
}
