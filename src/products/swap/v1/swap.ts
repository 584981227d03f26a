import type { Chain, RecentBlockhash } from '../../../chain/chain.ts';
import { compileMessage } from '../../../solana/messages/compile-message.ts';
import {
  MAX_COMPUTE_UNITS,
  setComputeUnitLimit,
  setComputeUnitPrice,
} from '../../../solana/programs/compute-budget.ts';
import { type Instruction, isWritable } from '../../../solana/messages/instruction.ts';
import { MessageInvalid, ProgramMisplaced } from '../../../solana/messages/message-accounts.ts';
import { transferLamports } from '../../../solana/programs/system.ts';
import { encodeTransaction, TransactionInvalid } from '../../../solana/messages/transaction.ts';
import type { Assembly } from '../build/assembly.ts';
import { blockhashWithMetadata } from '../build/build.ts';
import type { BuildParts } from '../build/build-parts.ts';
import { computeUnitPrice } from '../../../transactions/compute-unit-price.ts';
import { SwapRefused } from '../errors.ts';
import { instructionJson } from '../instruction-json.ts';
import { transactionFailure } from '../../../transactions/transaction-failure.ts';
import { type PreparedSwap, prepareSwap } from './prepared-swap.ts';
import { feeFor, pricesLookedAt } from './prioritization.ts';
import type { CostsJson, SwapInstructionsResponse, SwapResponse } from './schema.ts';
import type { SwapRequest } from './swap-request.ts';

/** @throws SwapRefused as `prepareSwap` does, and when the transaction would be too large. */
export async function swapTransaction(parts: BuildParts, request: SwapRequest): Promise<SwapResponse> {
  const prepared = await prepareSwap(parts, request);
  const priced = await priceSwap(parts, request, prepared);
  const blockhash = parts.chain.recentBlockhash(request.blockhashSlotsToExpiry);
  const wire = encode(request, prepared.assembly, priced, blockhash);
  return {
    swapTransaction: Buffer.from(wire).toString('base64'),
    lastValidBlockHeight: Number(blockhash.lastValidBlockHeight),
    ...costsJson(request, prepared, priced),
  };
}

/** @throws SwapRefused as `prepareSwap` does, and when a transaction of these instructions would be too large. */
export async function swapInstructions(
  parts: BuildParts,
  request: SwapRequest,
): Promise<SwapInstructionsResponse> {
  const prepared = await prepareSwap(parts, request);
  const priced = await priceSwap(parts, request, prepared);
  // The caller puts the same together: what would be too large is refused already here.
  encode(request, prepared.assembly, priced, parts.chain.recentBlockhash());
  const { setup, swap, cleanup, tables } = prepared.assembly;
  return {
    otherInstructions: priced.tip === null ? [] : [instructionJson(priced.tip)],
    computeBudgetInstructions: budget(priced).map(instructionJson),
    setupInstructions: setup.map(instructionJson),
    swapInstruction: instructionJson(swap),
    ...(cleanup === null ? {} : { cleanupInstruction: instructionJson(cleanup) }),
    addressLookupTableAddresses: Object.keys(tables ?? {}),
    blockhashWithMetadata: blockhashWithMetadata(parts.chain, request.blockhashSlotsToExpiry),
    ...costsJson(request, prepared, priced),
  };
}

/** What surrounds the swap in its transaction. */
interface Pricing {
  readonly limit: number;
  /** Micro-lamports per compute unit; null with a tip instead. */
  readonly price: bigint | null;
  readonly tip: Instruction | null;
}

interface Priced extends Pricing {
  /** Priority fee or tip. */
  readonly lamports: bigint;
  readonly simulationError: CostsJson['simulationError'];
}

async function priceSwap(
  parts: BuildParts,
  request: SwapRequest,
  { assembly }: PreparedSwap,
): Promise<Priced> {
  const { prioritization: asked } = request;
  const tip =
    asked.kind === 'tip'
      ? transferLamports(asked.payer ?? request.payer, parts.pickTipAccount(), asked.lamports)
      : null;
  const { limit, simulationError } = await computeUnits(parts.chain, request, assembly, tip);
  if (asked.kind === 'tip') return { limit, price: null, tip, lamports: asked.lamports, simulationError };
  const { percentile, global } = pricesLookedAt(asked);
  const recent = computeUnitPrice(
    parts.chain.recentPriorityFees(global ? [] : written(assembly)),
    percentile,
  );
  return { limit, tip, simulationError, ...feeFor(asked, recent, limit) };
}

function written({ swap }: Assembly) {
  return swap.accounts.filter(({ role }) => isWritable(role)).map(({ address }) => address);
}

interface Measured {
  readonly limit: number;
  readonly simulationError: CostsJson['simulationError'];
}

/** A fifth above what a simulation uses; the most there is when it fails, or is not asked for. */
async function computeUnits(
  chain: Chain,
  request: SwapRequest,
  assembly: Assembly,
  tip: Instruction | null,
): Promise<Measured> {
  if (!request.measuresComputeUnits) return { limit: MAX_COMPUTE_UNITS, simulationError: null };
  const pricing = { limit: MAX_COMPUTE_UNITS, price: tip === null ? 0n : null, tip };
  const wire = encode(request, assembly, pricing, chain.recentBlockhash());
  const { error, logs, unitsConsumed } = await chain.simulate(wire, { verifySignatures: false });
  if (error !== null) {
    const { message } = transactionFailure(error, logs);
    return { limit: MAX_COMPUTE_UNITS, simulationError: { errorCode: 'TRANSACTION_ERROR', error: message } };
  }
  return {
    limit: Math.min(MAX_COMPUTE_UNITS, Math.ceil(Number(unitsConsumed) * 1.2)),
    simulationError: null,
  };
}

function budget({ limit, price }: Pricing): Instruction[] {
  return [setComputeUnitLimit(limit), ...(price === null ? [] : [setComputeUnitPrice(price)])];
}

/** The transaction without signatures. @throws SwapRefused when it is too large, or a program stands for a wallet */
function encode(
  { payer, legacy }: SwapRequest,
  { setup, swap, cleanup, tables }: Assembly,
  pricing: Pricing,
  blockhash: RecentBlockhash,
): Uint8Array {
  const { tip } = pricing;
  try {
    const message = compileMessage({
      feePayer: payer,
      blockhash: blockhash.bytes,
      instructions: [
        ...budget(pricing),
        ...setup,
        swap,
        ...(cleanup === null ? [] : [cleanup]),
        ...(tip === null ? [] : [tip]),
      ],
      version: legacy ? 'legacy' : 0,
      lookupTables: tables,
    });
    // A legacy message begins with the number of its signers, the other with its version.
    const signers = message[legacy ? 0 : 1] ?? 0;
    return encodeTransaction(new Array<null>(signers).fill(null), message);
  } catch (error) {
    if (!(error instanceof MessageInvalid || error instanceof TransactionInvalid)) throw error;
    // One of the wallets that the request names is a program.
    if (error instanceof ProgramMisplaced) {
      throw new SwapRefused(`the swap makes no valid transaction: ${error.message}`);
    }
    const remedy = legacy ? 'quote with asLegacyTransaction=true' : 'quote with fewer maxAccounts';
    throw new SwapRefused(`the swap does not fit a transaction: ${error.message}; ${remedy}`);
  }
}

function costsJson(request: SwapRequest, { slippage }: PreparedSwap, priced: Priced): CostsJson {
  return {
    prioritizationFeeLamports: Number(priced.lamports),
    computeUnitLimit: priced.limit,
    ...(request.estimatedSlippage !== null
      ? {
          dynamicSlippageReport: {
            slippageBps: slippage.bps,
            otherAmount: slippage.otherAmount,
          },
        }
      : {}),
    simulationError: priced.simulationError,
  };
}
