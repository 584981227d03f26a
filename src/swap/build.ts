import type { Chain } from '../chain/chain.ts';
import type { Pools } from '../market/pools.ts';
import { priceImpact } from '../market/price-impact.ts';
import { findRoutes, type Route } from '../market/router/index.ts';
import { setComputeUnitPrice } from '../solana/compute-budget.ts';
import { type Instruction, isWritable } from '../solana/instruction.ts';
import { type Assembly, assemble } from './assembly.ts';
import type { BuildParts } from './build-parts.ts';
import type { BuildRequest } from './build-request.ts';
import { computeUnitPrice } from './compute-unit-price.ts';
import { SwapRefused } from './errors.ts';
import { misfit } from './fit.ts';
import { instructionJson } from './instruction-json.ts';
import { type PlatformFee, platformFee } from './platform-fee.ts';
import type { BuildResponse } from './schema.ts';

/**
 * The best route that fits one transaction, as instructions for the caller to assemble.
 * What it quotes is what the programs pay at the state it was built on.
 * @throws SwapRefused when there is no such route, or the request contradicts the chain.
 */
export async function buildSwap(parts: BuildParts, request: BuildRequest): Promise<BuildResponse> {
  await checkDestination(parts, request);
  const fee = await platformFee(parts.tokenAccountMints, request);
  const { route, assembly } = bestFit(parts, request, fee);
  const price = localPrice(parts.chain, request, assembly.swap);
  return {
    inputMint: request.inputMint,
    outputMint: request.outputMint,
    inAmount: request.amount.toString(),
    outAmount: assembly.quotedOut.toString(),
    otherAmountThreshold: assembly.threshold.toString(),
    swapMode: 'ExactIn',
    slippageBps: request.slippageBps,
    priceImpactPct: priceImpact(route, parts.chain.clock()),
    routePlan: routePlan(route),
    computeBudgetInstructions: [instructionJson(setComputeUnitPrice(price))],
    setupInstructions: assembly.setup.map(instructionJson),
    swapInstruction: instructionJson(assembly.swap),
    cleanupInstruction: assembly.cleanup === null ? null : instructionJson(assembly.cleanup),
    otherInstructions: [],
    tipInstruction: assembly.tip === null ? null : instructionJson(assembly.tip),
    addressesByLookupTableAddress: assembly.tables,
    blockhashWithMetadata: blockhashWithMetadata(parts.chain, request.blockhashSlotsToExpiry),
  };
}

async function checkDestination(parts: BuildParts, { destination, outputMint }: BuildRequest): Promise<void> {
  if (destination.kind !== 'token-account') return;
  const mint = await parts.tokenAccountMints.of(destination.address);
  if (mint === outputMint) return;
  const found = mint === null ? 'is not a token account' : `is a token account of ${mint}`;
  throw new SwapRefused(
    `destinationTokenAccount must be a token account of outputMint ${outputMint}, but ${destination.address} ${found}`,
  );
}

function bestFit(
  parts: BuildParts,
  request: BuildRequest,
  fee: PlatformFee | null,
): { readonly route: Route; readonly assembly: Assembly } {
  const spent = fee?.side === 'input' ? request.amount - fee.amountOf(request.amount) : request.amount;
  const routes = findRoutes(parts.pools, {
    inputMint: request.inputMint,
    outputMint: request.outputMint,
    amount: spent,
    clock: parts.chain.clock(),
    allows: (label) => allowed(request, label),
    maxHops: 3,
    maxPaths: request.fast ? 0 : 5,
    onlyHubs: false,
  });
  let reason = noRoute(parts.pools, request);
  for (const route of routes) {
    const assembly = assemble(parts, request, fee, route);
    const tooLarge = misfit(assembly, request);
    if (tooLarge === null) return { route, assembly };
    reason = tooLarge;
  }
  throw new SwapRefused(reason);
}

function allowed({ venues }: BuildRequest, label: string): boolean {
  return venues === undefined || venues.labels.has(label) === (venues.kind === 'only');
}

function noRoute(pools: Pools, { inputMint, outputMint, amount }: BuildRequest): string {
  if (!pools.knows(inputMint)) return `no pool trades inputMint ${inputMint}`;
  if (!pools.knows(outputMint)) return `no pool trades outputMint ${outputMint}`;
  return `no route from inputMint ${inputMint} to outputMint ${outputMint} for the amount ${amount}`;
}

/** Local fees are those of transactions that write what this swap writes; `fast` looks at all transactions instead. */
function localPrice(chain: Chain, request: BuildRequest, swap: Instruction): bigint {
  const writable = request.fast
    ? []
    : swap.accounts.filter(({ role }) => isWritable(role)).map(({ address }) => address);
  return computeUnitPrice(chain.recentPriorityFees(writable), request.computeUnitPricePercentile);
}

function routePlan(route: Route): BuildResponse['routePlan'] {
  return route.legs.map(({ market, inputMint, outputMint, quote, bps }) => ({
    swapInfo: {
      ammKey: market.pool.address,
      label: market.venue.label,
      inputMint,
      outputMint,
      inAmount: quote.inAmount.toString(),
      outAmount: quote.outAmount.toString(),
    },
    percent: bps / 100,
    bps,
  }));
}

function blockhashWithMetadata(chain: Chain, slotsToExpiry: number): BuildResponse['blockhashWithMetadata'] {
  const { bytes, lastValidBlockHeight, fetchedAt } = chain.recentBlockhash(slotsToExpiry);
  return {
    blockhash: [...bytes],
    lastValidBlockHeight: Number(lastValidBlockHeight),
    fetchedAt: {
      secs_since_epoch: Math.floor(fetchedAt / 1_000),
      nanos_since_epoch: Math.floor((fetchedAt % 1_000) * 1_000_000),
    },
  };
}
