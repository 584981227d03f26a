import { requireAvailable } from '../../../chain/chain.ts';
import { priceImpact } from '../../../market/prices/price-impact.ts';
import { findRoutes, findRoutesExactOut, type Leg, type Route } from '../../../market/router/index.ts';
import { bps, U64_MAX } from '../../../solana/units.ts';
import { type Assembly, assemble, type SwapForm } from '../build/assembly.ts';
import { firstFit } from '../build/best-fit.ts';
import type { BuildParts } from '../build/build-parts.ts';
import { SwapRefused } from '../errors.ts';
import type { Headroom } from '../build/fit.ts';
import { HANDING_ON, runnable } from '../build/instruction-count.ts';
import { PLACEHOLDER_TAKER, PLACEHOLDER_FEE_ACCOUNT } from '../../../transactions/placeholder-taker.ts';
import { feeInto, type PlatformFee } from '../fees.ts';
import { swapInfoWithFeeJson } from '../route-plan-json.ts';
import type { SwapTerms } from '../build/swap-terms.ts';
import type { Timers } from '../../../common/ports/timers.ts';
import { allowsVenue } from '../build/venue-choice.ts';
import { beforeFee, mostInput } from './exact-out.ts';
import { OWN_ACCOUNTS } from '../build/forms.ts';
import type { QuoteRequest } from './quote-request.ts';
import type { QuoteResponse } from './schema.ts';

export interface QuoteParts extends BuildParts {
  readonly timers: Timers;
}

/**
 * What the second call may add to the transaction: a payer, who signs; another account or wallet for the output; a tip
 * with its account; a tracking account. A fee account is in the quote already.
 */
const ADDED_LATER: Headroom = { accounts: 4, bytes: 223 };

/** Pools of the pair that are quoted beside the route. */
const MAX_REPORTED = 10;

/**
 * The best route that fits a transaction, as a quote that `swap` and `swap-instructions` take. The platform fee is
 * reckoned off the output; whether input or output pays it is only known with the fee account. With `ExactOut` the
 * input pays it, on top of what the route takes.
 * @throws SwapRefused when there is no such route
 */
export function quoteSwap(parts: QuoteParts, request: QuoteRequest): QuoteResponse {
  requireAvailable(parts.chain);
  const startedAt = parts.timers.now();
  const form = OWN_ACCOUNTS[request.version];
  const exactOut = request.swapMode === 'ExactOut';
  const feeMint = exactOut ? request.inputMint : request.outputMint;
  const fee =
    request.platformFeeBps === 0
      ? null
      : feeInto(PLACEHOLDER_FEE_ACCOUNT, feeMint, request.platformFeeBps, request.inputMint);
  const { route, assembly } = exactOut
    ? bestExactOut(parts, request, fee, form)
    : bestExactIn(parts, request, fee, form);
  const inAmount = exactOut ? (beforeFee(route.inAmount, request.platformFeeBps) ?? 0n) : request.amount;
  const feeAmount = exactOut ? inAmount - route.inAmount : (fee?.amountOf(route.outAmount) ?? 0n);
  return {
    inputMint: request.inputMint,
    inAmount: inAmount.toString(),
    outputMint: request.outputMint,
    outAmount: assembly.quotedOut.toString(),
    otherAmountThreshold: (exactOut
      ? mostInput(inAmount, request.slippageBps)
      : assembly.threshold
    ).toString(),
    instructionVersion: request.version,
    swapMode: request.swapMode,
    slippageBps: request.slippageBps,
    ...(fee === null ? {} : { platformFee: { amount: feeAmount.toString(), feeBps: fee.bps } }),
    priceImpactPct: priceImpact(route, parts.chain.clock()),
    routePlan: route.legs.map(routePlanStep),
    mostReliableAmmsQuoteReport: { info: singlePools(parts, request, inAmount) },
    contextSlot: Number(parts.chain.slot('processed')),
    timeTaken: (parts.timers.now() - startedAt) / 1_000,
  };
}

interface Best {
  readonly route: Route;
  readonly assembly: Assembly;
}

function bestExactIn(
  parts: BuildParts,
  request: QuoteRequest,
  fee: PlatformFee | null,
  form: SwapForm,
): Best {
  const { slippageBps, legacy } = request;
  const routes = findRoutes(parts.pools, {
    ...search(parts, request),
    amount: request.amount,
    maxPaths: request.onlyDirect ? 0 : 5,
    shareUnit: form.shareUnit,
  });
  const terms = termsOf(request, request.amount, fee);
  const assembled = (route: Route) => assemble(parts, terms, { route, fee, slippageBps, form, legacy });
  // With a fee, an output that goes elsewhere is handed on.
  const others = fee === null ? 0 : HANDING_ON;
  return firstFit(parts, terms, runnable(routes, request.version, others), assembled, ADDED_LATER);
}

function bestExactOut(
  parts: BuildParts,
  request: QuoteRequest,
  fee: PlatformFee | null,
  form: SwapForm,
): Best {
  const { amount, platformFeeBps, slippageBps, legacy } = request;
  if (platformFeeBps === 10_000) throw new SwapRefused('platformFeeBps 10000 leaves no input; give less');
  const spends = (route: Route) => beforeFee(route.inAmount, platformFeeBps) ?? U64_MAX + 1n;
  const routes = findRoutesExactOut(parts.pools, { ...search(parts, request), amount });
  const payable = runnable(
    where(routes, (route) => spends(route) <= U64_MAX),
    request.version,
  );
  const assembled = (route: Route) =>
    assemble(parts, termsOf(request, mostInput(spends(route), slippageBps), fee), {
      route,
      fee,
      form,
      legacy,
      slippageBps: bps(0),
      quotedOut: amount,
    });
  return firstFit(parts, termsOf(request, amount, fee), payable, assembled, ADDED_LATER);
}

function* where(routes: Iterable<Route>, holds: (route: Route) => boolean): Iterable<Route> {
  for (const route of routes) if (holds(route)) yield route;
}

function search(parts: BuildParts, { inputMint, outputMint, venues, onlyDirect, onlyHubs }: QuoteRequest) {
  return {
    inputMint,
    outputMint,
    onlyHubs,
    clock: parts.chain.clock(),
    allows: (label: string) => allowsVenue(venues, label),
    maxHops: onlyDirect ? (1 as const) : (3 as const),
  };
}

function termsOf(request: QuoteRequest, amount: bigint, fee: PlatformFee | null): SwapTerms {
  const { inputMint, outputMint, venues, maxAccounts } = request;
  return {
    inputMint,
    outputMint,
    amount,
    venues,
    maxAccounts,
    taker: PLACEHOLDER_TAKER,
    payer: PLACEHOLDER_TAKER,
    fast: false,
    platformFee: fee === null ? undefined : { bps: fee.bps, account: fee.account },
    wrapAndUnwrapSol: true,
    destination: { kind: 'taker' },
    tipAmount: 0n,
    returnsRent: false,
  };
}

function routePlanStep(leg: Leg): QuoteResponse['routePlan'][number] {
  const { bps: share } = leg;
  return {
    swapInfo: swapInfoWithFeeJson(leg),
    percent: share % 100 === 0 ? share / 100 : null,
    bps: share,
  };
}

/** What each pool of the pair alone would pay for the input, most first. */
function singlePools(parts: BuildParts, request: QuoteRequest, inAmount: bigint): Record<string, string> {
  const { inputMint, outputMint, venues } = request;
  const clock = parts.chain.clock();
  const quotes = parts.pools.between(inputMint, outputMint).flatMap(({ venue, pool }) => {
    const quote = allowsVenue(venues, venue.label)
      ? venue.quoteExactIn(pool, inputMint, inAmount, clock)
      : null;
    return quote === null ? [] : [{ address: pool.address, out: quote.outAmount }];
  });
  quotes.sort((one, other) => (one.out > other.out ? -1 : 1));
  return Object.fromEntries(
    quotes.slice(0, MAX_REPORTED).map(({ address, out }) => [address, out.toString()]),
  );
}
