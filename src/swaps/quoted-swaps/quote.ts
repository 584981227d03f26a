import type { InstructionVersion } from '../../market/aggregator/route-plan.ts';
import type { Address } from '../../solana/address.ts';
import { type Bps, U64_MAX } from '../../solana/units.ts';
import { type VenueChoice, createSwapTerms, type SwapTerms, allowsVenue } from '../build/swap-terms.ts';
import { computePriceImpact } from '../../market/prices/price-impact.ts';
import { findDeliveringRoutes } from '../../market/router/delivering-routes.ts';
import { findRoutes, type Route } from '../../market/router/index.ts';
import { assemble, type SwapForm } from '../build/assembly.ts';
import { type BestFit, findFirstFit, type RoutingDependencies, filterRoutes } from '../build/best-fit.ts';
import { type Chain, requireAvailable } from '../../chain/chain.ts';
import { SwapRefused } from '../refusals.ts';
import type { FixedAmountMode } from '../swap-mode.ts';
import { type Headroom, INTERMEDIATE_ACCOUNT_INSTRUCTIONS, filterRunnable } from '../build/fit.ts';
import { PLACEHOLDER_TAKER, PLACEHOLDER_FEE_ACCOUNT } from '../../transactions/placeholder-taker.ts';
import { createPlatformFee, type PlatformFee } from '../fees/platform-fee.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { computeInputFee, computeMaximumInput } from './exact-out.ts';
import { EXACT_OUT_FORMS, EXACT_IN_FORMS } from '../build/forms.ts';

/** The request `GET /swap/v1/quote` or `/swap/v2/quote`. Each value is checked on its own and against the others. */
export interface QuoteRequest {
  readonly inputMint: Address;
  readonly outputMint: Address;
  /** Atoms of the input mint, or with `ExactOut` of the output mint. */
  readonly amount: bigint;
  readonly swapMode: FixedAmountMode;
  readonly slippageBps: Bps;
  readonly venues: VenueChoice | undefined;
  readonly onlyHubs: boolean;
  readonly onlyDirect: boolean;
  /** Whether the amount may be split over several pools or paths. A direct route is never split. */
  readonly splits: boolean;
  /** Whether the transaction must not use lookup tables. */
  readonly legacy: boolean;
  readonly platformFeeBps: Bps;
  readonly maxAccounts: number;
  readonly version: InstructionVersion;
}

export interface QuoteDependencies extends RoutingDependencies {
  readonly chain: Pick<Chain, 'clock' | 'slot' | 'unhealthy'>;
  readonly timers: Timers;
}

/**
 * What the second call may add to the transaction: a payer, who signs; another account or wallet for the output; a
 * tip with its account; a tracking account; and what keeps the payer's rent for the payer. The quote includes a fee account
 * already.
 */
const ADDED_LATER: Headroom = { accounts: 4, bytes: 280 };

/** How many single pools of the pair are quoted in addition to the route. */
const MAX_REPORTED = 10;

/** A quote for `buildSwapTransaction` and `buildSwapInstructions`. Amounts are atoms. */
export interface SwapQuote {
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly swapMode: FixedAmountMode;
  readonly slippageBps: Bps;
  readonly version: InstructionVersion;
  readonly inAmount: bigint;
  /** After the platform fee, before slippage. */
  readonly outAmount: bigint;
  /** The least that is received, or with `ExactOut` the most that is spent. */
  readonly otherAmount: bigint;
  readonly platformFee: { readonly amount: bigint; readonly bps: Bps } | null;
  /** The price impact as a decimal. */
  readonly priceImpact: string;
  readonly route: Route;
  /** What single pools of the pair would pay for the input, the highest first. */
  readonly singlePools: readonly SinglePoolQuote[];
  readonly slot: bigint;
  /** Milliseconds that quoting took. */
  readonly totalMs: number;
}

/** What one pool alone would pay. */
export interface SinglePoolQuote {
  readonly pool: Address;
  readonly outAmount: bigint;
}

/**
 * Quotes the best route that fits a transaction. The platform fee is taken from the output, because the fee account,
 * which decides between input and output, is not known yet. With `ExactOut`, the route delivers exactly the amount, and
 * the input pays the fee in addition to what the route takes.
 * @throws SwapRefused if there is no such route
 * @throws ChainUnavailable while the chain is out of date
 *
 * @example
 * ```ts
 * import { type QuoteDependencies, type QuoteRequest, quoteSwap } from './quote.ts';
 *
 * // The atoms that a request pays out, before slippage.
 * function findOutput(dependencies: QuoteDependencies, request: QuoteRequest): bigint {
 *   return quoteSwap(dependencies, request).outAmount;
 * }
 * ```
 */
export function quoteSwap(dependencies: QuoteDependencies, request: QuoteRequest): SwapQuote {
  requireAvailable(dependencies.chain);
  const startedAt = dependencies.timers.now();
  const exactOut = request.swapMode === 'ExactOut';
  const feeMint = exactOut ? request.inputMint : request.outputMint;
  const fee =
    request.platformFeeBps === 0
      ? null
      : createPlatformFee(PLACEHOLDER_FEE_ACCOUNT, feeMint, request.platformFeeBps, request.inputMint);
  const { route, assembly } = exactOut
    ? findBestExactOut(dependencies, request, fee)
    : findBestExactIn(dependencies, request, fee, EXACT_IN_FORMS[request.version]);
  if (assembly.quotedOut === 0n) {
    throw new SwapRefused({ kind: 'fee-leaves-no-output' });
  }
  const inAmount = exactOut ? computeSpentInput(route, request) : request.amount;
  const feeAmount = exactOut ? inAmount - route.inAmount : (fee?.amountOf(route.outAmount) ?? 0n);
  return {
    inputMint: request.inputMint,
    outputMint: request.outputMint,
    swapMode: request.swapMode,
    slippageBps: request.slippageBps,
    version: request.version,
    inAmount,
    outAmount: assembly.quotedOut,
    otherAmount: exactOut ? computeMaximumInput(inAmount, request.slippageBps) : assembly.threshold,
    platformFee: fee === null ? null : { amount: feeAmount, bps: fee.bps },
    priceImpact: computePriceImpact(route, dependencies.chain.clock()),
    route,
    singlePools: singlePools(dependencies, request, inAmount),
    slot: dependencies.chain.slot('processed'),
    totalMs: dependencies.timers.now() - startedAt,
  };
}

function findBestExactIn(
  dependencies: RoutingDependencies,
  request: QuoteRequest,
  fee: PlatformFee | null,
  form: SwapForm,
): BestFit {
  const { slippageBps, legacy } = request;
  const routes = findRoutes(dependencies.pools, {
    ...search(dependencies, request),
    amount: request.amount,
    maxPaths: canSplit(request) ? 5 : 0,
    shareUnit: form.shareUnit,
  });
  const terms = toQuoteTerms(request, request.amount, fee);
  const assembled = (route: Route) =>
    assemble(dependencies, terms, { route, fee, slippageBps, form, legacy });
  // With a fee, the output passes through an account of the taker's if it goes elsewhere.
  const others = fee === null ? 0 : INTERMEDIATE_ACCOUNT_INSTRUCTIONS;
  const runs = filterRunnable(routes, request.version, () => others);
  return findFirstFit(dependencies, terms, runs, assembled, { spare: ADDED_LATER });
}

function findBestExactOut(
  dependencies: RoutingDependencies,
  request: QuoteRequest,
  fee: PlatformFee | null,
): BestFit {
  const { amount, platformFeeBps, slippageBps, legacy, version } = request;
  if (platformFeeBps === 10_000) throw new SwapRefused({ kind: 'fee-leaves-no-input' });
  const wanted = { ...search(dependencies, request), amount, splits: canSplit(request) };
  const routes = filterRoutes(
    findDeliveringRoutes(dependencies.pools, wanted),
    (route) => computeSpentInput(route, request) <= U64_MAX,
  );
  const assembled = (route: Route) => {
    const quotedIn = computeSpentInput(route, request);
    const exactOut = { amount, quotedIn };
    const form = EXACT_OUT_FORMS[version];
    const terms = toQuoteTerms(request, computeMaximumInput(quotedIn, slippageBps), fee);
    return assemble(dependencies, terms, { route, fee, form, legacy, slippageBps, exactOut });
  };
  return findFirstFit(
    dependencies,
    toQuoteTerms(request, amount, fee),
    filterRunnable(routes, version),
    assembled,
    {
      spare: ADDED_LATER,
      deliversExactly: true,
    },
  );
}

function canSplit({ onlyDirect, splits }: QuoteRequest): boolean {
  return splits && !onlyDirect;
}

/** What the route takes, and the fee. */
function computeSpentInput({ inAmount }: Route, { platformFeeBps }: QuoteRequest): bigint {
  return inAmount + computeInputFee(inAmount, platformFeeBps);
}

function search(
  dependencies: RoutingDependencies,
  { inputMint, outputMint, venues, onlyDirect, onlyHubs }: QuoteRequest,
) {
  return {
    inputMint,
    outputMint,
    onlyHubs,
    clock: dependencies.chain.clock(),
    allows: (label: string) => allowsVenue(venues, label),
    maxHops: onlyDirect ? (1 as const) : (3 as const),
  };
}

function toQuoteTerms(request: QuoteRequest, amount: bigint, fee: PlatformFee | null): SwapTerms {
  const { inputMint, outputMint, venues, maxAccounts } = request;
  return createSwapTerms({
    inputMint,
    outputMint,
    amount,
    venues,
    maxAccounts,
    taker: PLACEHOLDER_TAKER,
    platformFee: fee === null ? undefined : { bps: fee.bps, account: fee.account },
  });
}

function singlePools(
  dependencies: RoutingDependencies,
  request: QuoteRequest,
  inAmount: bigint,
): readonly SinglePoolQuote[] {
  const { inputMint, outputMint, venues } = request;
  const clock = dependencies.chain.clock();
  const quotes = dependencies.pools.between(inputMint, outputMint).flatMap(({ venue, pool }) => {
    const quote = allowsVenue(venues, venue.label)
      ? venue.quoteExactIn(pool, inputMint, inAmount, clock)
      : null;
    return quote === null ? [] : [{ pool: pool.address, outAmount: quote.outAmount }];
  });
  quotes.sort((one, other) => (one.outAmount > other.outAmount ? -1 : 1));
  return quotes.slice(0, MAX_REPORTED);
}
