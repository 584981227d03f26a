import type { Chain, RecentBlockhash } from '../../chain/chain.ts';
import { getFinalizedBlockhash } from '../../chain/recent-blockhashes.ts';
import { MAX_COMPUTE_UNITS } from '../../solana/programs/compute-budget.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { transferLamports } from '../../solana/programs/system.ts';
import {
  checkTransactionSize,
  encodeUnsigned,
  readSignerCount,
  computeTransactionSize,
} from '../../solana/messages/transaction.ts';
import { computeUnitPrice } from '../../transactions/build/priority-fee.ts';
import {
  type ComputeBudget,
  compileContents,
  computeBudgetInstructions,
  type TransactionContents,
  listWritableAccounts,
  computeUnitLimit,
  simulateMessage,
} from '../../transactions/build/transaction-message.ts';
import type { DescribeFailure } from '../../transactions/transaction-failure.ts';
import type { Address } from '../../solana/address.ts';
import type { Assembly } from '../build/assembly.ts';
import { SwapRefused } from '../refusals.ts';
import { type PreparationDependencies, type PreparedSwap, prepareSwap } from './prepared-swap.ts';
import { TransactionInvalid } from '../../solana/messages/transaction-invalid.ts';
import { computeStatedFee, getPriceSelection, type SwapRequest } from './swap-request.ts';

export interface V1SwapDependencies extends PreparationDependencies {
  readonly chain: PreparationDependencies['chain'] &
    Pick<Chain, 'blockHeight' | 'recentBlockhash' | 'recentPriorityFees' | 'simulate'>;
  readonly describeFailure: DescribeFailure;
  /** Picks one of the accounts that tips can be paid to. */
  readonly pickTipAccount: () => Address;
}

/** What a swap costs beyond its amounts. */
export interface SwapCosts {
  /** The priority fee, in lamports. */
  readonly priorityFee: bigint;
  readonly tipLamports: bigint;
  /** How the priority fee was computed; null if none is paid. */
  readonly unitPrice: UnitPrice | null;
  readonly computeUnitLimit: number;
  /** Null if the slippage of the quote was kept. */
  readonly estimatedSlippage: PreparedSwap['slippage'] | null;
  /** Why the simulation for the compute-unit limit failed; null if it succeeded, or none was requested. */
  readonly simulationError: string | null;
}

/** Prices in micro-lamports per compute unit. */
export interface UnitPrice {
  readonly paid: bigint;
  /** What recent transactions pay at the percentile that was used. */
  readonly estimated: bigint;
}

/** A quote as a transaction without signatures. */
export interface UnsignedSwap {
  /** In wire format, with zeros for the signatures. */
  readonly transaction: Uint8Array;
  readonly lastValidBlockHeight: bigint;
  readonly costs: SwapCosts;
}

/** A quote as instructions, for the caller to assemble. */
export interface SwapInstructions {
  readonly computeBudget: readonly Instruction[];
  readonly setup: readonly Instruction[];
  readonly swap: Instruction;
  readonly cleanup: Instruction | null;
  /** What follows the cleanup, such as closing further accounts that the setup opens. */
  readonly others: readonly Instruction[];
  readonly tip: Instruction | null;
  /** Comes before the caller's instructions that pay the input in; null for a swap of the quoted amount. */
  readonly setLedger: Instruction | null;
  /** The contents of the lookup tables that shorten the transaction; null if there are none. */
  readonly lookupTables: Assembly['tables'];
  readonly blockhash: RecentBlockhash;
  readonly costs: SwapCosts;
}

/**
 * Builds the transaction of a quote.
 * @throws SwapRefused as `prepareSwap` does, if the transaction would be too large, and if nothing could be paid in
 *   within it
 */
export async function buildSwapTransaction(
  dependencies: V1SwapDependencies,
  request: SwapRequest,
): Promise<UnsignedSwap> {
  if (request.spendsArrivals) {
    throw new SwapRefused({ kind: 'ledger-in-one-transaction' }, 'NOT_SUPPORTED');
  }
  const prepared = await prepareSwap(dependencies, request);
  const priced = await priceSwap(dependencies, request, prepared);
  const blockhash = getBlockhash(dependencies, request);
  const contents = toTransactionContents(request, prepared, priced.tip);
  return {
    transaction: encodeUnsigned(compile(request, contents, priced, blockhash)),
    lastValidBlockHeight: blockhash.lastValidBlockHeight,
    costs: toSwapCosts(request, prepared, priced),
  };
}

/**
 * Creates the instructions of a quote.
 * @throws SwapRefused as `prepareSwap` does, and if a transaction of these instructions would be too large
 */
export async function buildSwapInstructions(
  dependencies: V1SwapDependencies,
  request: SwapRequest,
): Promise<SwapInstructions> {
  const prepared = await prepareSwap(dependencies, request);
  const priced = await priceSwap(dependencies, request, prepared);
  // The caller assembles the same transaction, so one that would be too large is refused here.
  compile(
    request,
    toTransactionContents(request, prepared, priced.tip),
    priced,
    dependencies.chain.recentBlockhash(),
  );
  const { setup, swap, tables } = prepared.assembly;
  const [cleanup = null, ...others] = prepared.cleanup;
  return {
    computeBudget: computeBudgetInstructions(priced),
    setup,
    swap,
    cleanup,
    others,
    tip: priced.tip,
    setLedger: prepared.setLedger,
    lookupTables: tables,
    blockhash: getBlockhash(dependencies, request),
    costs: toSwapCosts(request, prepared, priced),
  };
}

/** Clients send with the preflight checks that nodes make by default, and those use the finalized state. */
function getBlockhash(
  { chain }: Pick<V1SwapDependencies, 'chain'>,
  { blockhashSlotsToExpiry: slots }: SwapRequest,
): RecentBlockhash {
  return slots === null ? getFinalizedBlockhash(chain) : chain.recentBlockhash(slots);
}

/** The compute budget of the swap's transaction, and its instructions apart from the swap. */
interface PricedSwap extends ComputeBudget {
  readonly tip: Instruction | null;
  readonly priorityFee: bigint;
  readonly unitPrice: UnitPrice | null;
  readonly simulationError: string | null;
}

async function priceSwap(
  dependencies: V1SwapDependencies,
  request: SwapRequest,
  prepared: PreparedSwap,
): Promise<PricedSwap> {
  const { fee: asked, tip: askedTip } = request.prioritization;
  const tip =
    askedTip === null
      ? null
      : transferLamports(askedTip.payer ?? request.payer, dependencies.pickTipAccount(), askedTip.lamports);
  const { limit, simulationError } = await computeUnits(dependencies, request, prepared, tip);
  if (asked === null) return { limit, price: null, tip, priorityFee: 0n, unitPrice: null, simulationError };
  const { percentile, global } = getPriceSelection(asked);
  const competesFor = global ? [] : listWritableAccounts(prepared.assembly.swap);
  const recent = computeUnitPrice(dependencies.chain.recentPriorityFees(competesFor), percentile);
  const { price, lamports: priorityFee } = computeStatedFee(asked, recent, limit);
  return { limit, price, tip, priorityFee, unitPrice: { paid: price, estimated: recent }, simulationError };
}

/**
 * If the simulation fails or is not requested, the limit is the highest possible. What the caller's own instructions
 * pay in does not exist yet, so a swap that spends it cannot be simulated.
 */
async function computeUnits(
  { chain, describeFailure }: Pick<V1SwapDependencies, 'chain' | 'describeFailure'>,
  request: SwapRequest,
  prepared: PreparedSwap,
  tip: Instruction | null,
): Promise<Pick<PricedSwap, 'limit' | 'simulationError'>> {
  if (!request.measuresComputeUnits || request.spendsArrivals)
    return { limit: MAX_COMPUTE_UNITS, simulationError: null };
  const budget: ComputeBudget = {
    limit: MAX_COMPUTE_UNITS,
    price: request.prioritization.fee === null ? null : 0n,
  };
  const draft = compile(
    request,
    toTransactionContents(request, prepared, tip),
    budget,
    chain.recentBlockhash(),
  );
  const simulated = await simulateMessage({ chain, describeFailure }, draft);
  if (simulated.ok) return { limit: computeUnitLimit(simulated.unitsConsumed), simulationError: null };
  const { message } = simulated.failure;
  return { limit: MAX_COMPUTE_UNITS, simulationError: message };
}

function toTransactionContents(
  { payer, legacy }: SwapRequest,
  { assembly: { setup, swap, tables }, cleanup, setLedger }: PreparedSwap,
  tip: Instruction | null,
): TransactionContents {
  const instructions = [...setup, swap];
  if (setLedger !== null) instructions.unshift(setLedger);
  instructions.push(...cleanup);
  if (tip !== null) instructions.push(tip);
  return { feePayer: payer, instructions, lookupTables: tables, version: legacy ? 'legacy' : 0 };
}

/**
 * Compiles a message that fits one packet.
 * @throws SwapRefused when it is too large, or a program is named where a wallet should be
 */
function compile(
  { legacy }: SwapRequest,
  contents: TransactionContents,
  budget: ComputeBudget,
  blockhash: RecentBlockhash,
): Uint8Array {
  try {
    const messageBytes = compileContents(contents, budget, blockhash);
    checkTransactionSize(computeTransactionSize(messageBytes.length, readSignerCount(messageBytes)));
    return messageBytes;
  } catch (error) {
    if (!(error instanceof TransactionInvalid)) throw error;
    // One of the wallets in the request is a program.
    if (error.kind === 'misplaced-program') {
      throw new SwapRefused(`the swap makes no valid transaction: ${error.message}`);
    }
    throw new SwapRefused(
      { kind: 'oversized-swap', problem: error.message, legacy },
      'MAX_ACCOUNT_GREATER_THAN_MAX',
    );
  }
}

function toSwapCosts(request: SwapRequest, { slippage }: PreparedSwap, priced: PricedSwap): SwapCosts {
  return {
    priorityFee: priced.priorityFee,
    tipLamports: request.prioritization.tip?.lamports ?? 0n,
    unitPrice: priced.unitPrice,
    computeUnitLimit: priced.limit,
    estimatedSlippage: request.estimatedSlippage === null ? null : slippage,
    simulationError: priced.simulationError,
  };
}
