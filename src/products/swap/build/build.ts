import { type Chain, requireAvailable } from '../../../chain/chain.ts';
import { priceImpact } from '../../../market/prices/price-impact.ts';
import type { Address } from '../../../solana/address.ts';
import { setComputeUnitPrice } from '../../../solana/programs/compute-budget.ts';
import { type Instruction, isWritable } from '../../../solana/messages/instruction.ts';
import { isTokenProgram } from '../../../solana/program-addresses.ts';
import { bestFit } from './best-fit.ts';
import type { BuildParts } from './build-parts.ts';
import type { BuildRequest } from './build-request.ts';
import { computeUnitPrice } from '../../../transactions/compute-unit-price.ts';
import { SwapRefused } from '../errors.ts';
import { checkFeeProgram, platformFee } from '../fees.ts';
import { slippageFor } from './slippage.ts';
import { routePlanJson } from '../route-plan-json.ts';
import type { BuildResponse } from '../schema.ts';
import type { SwapTerms } from './swap-terms.ts';

interface BuiltInstructions {
  readonly computeBudgetInstructions: readonly Instruction[];
  readonly setupInstructions: readonly Instruction[];
  readonly swapInstruction: Instruction;
  readonly cleanupInstruction: Instruction | null;
  readonly otherInstructions: readonly Instruction[];
  readonly tipInstruction: Instruction | null;
}

/** The answer, but that its instructions are not written out yet. */
export type BuiltSwap = Omit<BuildResponse, keyof BuiltInstructions> & BuiltInstructions;

/**
 * The best route that fits one transaction, as instructions for the caller to assemble.
 * What it quotes is what the programs pay at the state it was built on.
 * @throws SwapRefused when there is no such route, or the request contradicts the chain.
 * @throws ChainUnavailable while the chain is out of date
 */
export async function buildSwap(parts: BuildParts, request: BuildRequest): Promise<BuiltSwap> {
  requireAvailable(parts.chain);
  // Nothing is waited for in vain: most requests name no account that would have to be read.
  if (request.destination.kind !== 'taker') await checkDestination(parts, request);
  const fee = request.platformFee === undefined ? null : await platformFee(parts.tokenAccountMints, request);
  checkFeeProgram(parts.pools, fee, request.instructionVersion);
  const { route, assembly } = bestFit(
    parts,
    request,
    fee,
    (each) => request.slippageBps ?? slippageFor(parts, each),
    { version: request.instructionVersion },
  );
  const price = localPrice(parts.chain, request, assembly.swap);
  return {
    inputMint: request.inputMint,
    outputMint: request.outputMint,
    inAmount: request.amount.toString(),
    outAmount: assembly.quotedOut.toString(),
    otherAmountThreshold: assembly.threshold.toString(),
    swapMode: 'ExactIn',
    slippageBps: assembly.slippageBps,
    priceImpactPct: priceImpact(route, parts.chain.clock()),
    routePlan: routePlanJson(parts.pools, route),
    computeBudgetInstructions: [setComputeUnitPrice(price)],
    setupInstructions: assembly.setup,
    swapInstruction: assembly.swap,
    cleanupInstruction: assembly.cleanup,
    otherInstructions: [],
    tipInstruction: assembly.tip,
    addressesByLookupTableAddress: assembly.tables,
    blockhashWithMetadata: blockhashWithMetadata(parts.chain, request.blockhashSlotsToExpiry),
  };
}

/** @throws SwapRefused when the account that the request names cannot receive the output. */
export async function checkDestination(
  parts: BuildParts,
  { destination, outputMint }: SwapTerms,
): Promise<void> {
  if (destination.kind === 'native') await checkNativeDestination(parts.chain, destination.address);
  if (destination.kind !== 'token-account') return;
  const mint = await parts.tokenAccountMints.of(destination.address);
  if (mint === outputMint) return;
  const found = mint === null ? 'is not a token account' : `is a token account of ${mint}`;
  throw new SwapRefused(
    `destinationTokenAccount must be a token account of outputMint ${outputMint}, but ${destination.address} ${found}`,
  );
}

/** SOL in an account of a token program is nobody's to spend. */
async function checkNativeDestination(chain: Chain, address: Address): Promise<void> {
  const [found] = await chain.getAccounts([address]);
  const owner = found?.account?.owner;
  if (owner === undefined || !isTokenProgram(owner)) return;
  throw new SwapRefused(
    `nativeDestinationAccount must be a wallet, but ${address} belongs to a token program`,
  );
}

/** Local fees are those of transactions that write what this swap writes; `fast` looks at all transactions instead. */
function localPrice(chain: Chain, request: BuildRequest, swap: Instruction): bigint {
  const writable = request.fast
    ? []
    : swap.accounts.filter(({ role }) => isWritable(role)).map(({ address }) => address);
  return computeUnitPrice(chain.recentPriorityFees(writable), request.computeUnitPricePercentile);
}

export function blockhashWithMetadata(
  chain: Chain,
  slotsToExpiry: number,
): BuildResponse['blockhashWithMetadata'] {
  const { bytes, lastValidBlockHeight, fetchedAt } = chain.recentBlockhash(slotsToExpiry);
  return {
    blockhash: numbersOf(bytes),
    lastValidBlockHeight: Number(lastValidBlockHeight),
    fetchedAt: {
      secs_since_epoch: Math.floor(fetchedAt / 1_000),
      nanos_since_epoch: Math.floor((fetchedAt % 1_000) * 1_000_000),
    },
  };
}

const knownNumbers = new WeakMap<Uint8Array, number[]>();

/** One and the same list for the same blockhash, which every answer of a slot has. */
function numbersOf(bytes: Uint8Array): number[] {
  let numbers = knownNumbers.get(bytes);
  if (numbers === undefined) {
    numbers = [...bytes];
    knownNumbers.set(bytes, numbers);
  }
  return numbers;
}
