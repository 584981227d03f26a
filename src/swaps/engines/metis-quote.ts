import type { Chain } from '../../chain/chain.ts';
import type { LookupTableIndex } from '../../market/pools/lookup-tables.ts';
import type { Pools } from '../../market/pools/pools.ts';
import type { Prices } from '../../market/prices/prices.ts';
import { computePriceImpact } from '../../market/prices/price-impact.ts';
import type { Route } from '../../market/router/index.ts';
import type { ExtraCandidates, ExtraLiquidity } from '../extra-liquidity.ts';
import type { FillTerms } from '../fill-terms.ts';
import type { Address } from '../../solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import type { Bps } from '../../solana/units.ts';
import type { AccountStates } from '../../transactions/build/costs.ts';
import { PLACEHOLDER_TAKER } from '../../transactions/placeholder-taker.ts';
import type { Sponsorship } from '../../transactions/prepared/store.ts';
import type { Assembly } from '../build/assembly.ts';
import { type BestFit, findBestFit, type ExtraCost, refit, type RouteSearch } from '../build/best-fit.ts';
import { estimateExtraFees, convertLamportsToOutput } from '../build/route-costs.ts';
import { type SlippageDependencies, estimateSlippage } from '../build/slippage.ts';
import { createSwapTerms, type SwapDestination, type SwapTerms, allowsVenue } from '../build/swap-terms.ts';
import { type PlatformFee, computeQuotedFees } from '../fees/platform-fee.ts';
import { createPriorityEstimator, type OrderToBuild } from './order-transaction.ts';
import { computeSponsoredFees } from '../fees/gas-fee.ts';
import type { EngineRequest, QuotedSwap } from './engine.ts';
import { createBookBid, type LosingReason } from './maker-bid.ts';
import type { OrderRequest } from './order-request.ts';

export interface MetisQuoteDependencies extends SlippageDependencies {
  readonly chain: Pick<Chain, 'clock' | 'recentPriorityFees'>;
  readonly pools: Pools;
  readonly prices: Pick<Prices, 'deepDollarsPerAtom'>;
  readonly lookupTables: LookupTableIndex;
  /** Picks one of the accounts that tips can be paid to. */
  readonly pickTipAccount: () => Address;
  /** The makers' order books; null without makers. */
  readonly books: ExtraLiquidity | null;
}

/** A quote with what its transaction is built from. */
export interface MetisQuote extends QuotedSwap {
  readonly route: Pick<Route, 'legs'>;
  readonly terms: SwapTerms;
  readonly assembly: Assembly;
  /** The maker that also has to sign; null when none takes part. */
  readonly coSigner: FillTerms | null;
  /** Whether the service's sponsor is the payer. */
  readonly isSponsored: boolean;
  /** The size from which on the swap would be sponsored; null when its size is not the reason why it is not. */
  readonly belowMinimum: BelowMinimum | null;
  /** Whether the sponsor might pay, but its budget could not be looked up. */
  readonly isBudgetUnknown: boolean;
  /** The accounts that the transaction depends on; null if they have not been read yet. */
  readonly accounts: AccountStates | null;
}

/** US dollars: the value of the swap, and the value from which on it would be sponsored. */
export interface BelowMinimum {
  readonly dollars: number;
  readonly minimum: number;
}

/** The payer in the taker's place, and what the taker is charged for it. */
export interface Gas {
  readonly payer: Address;
  /** Pays the sponsor back. Null while the cost of the transaction is unknown; then no fee is taken. */
  readonly fee: PlatformFee | null;
  /** Null while the cost of the transaction is unknown. */
  readonly sponsorship: Sponsorship | null;
}

/**
 * Finds the route that pays most.
 * @param gas - Null if the taker pays, or the payer of the order.
 * @param restrained - Which routes may be taken, and what they cost beside their amounts. Default: all may, and the fees of
 *   the network count unless another wallet pays them.
 * @throws SwapRefused when no route fits a transaction
 */
export function findBestQuote(
  dependencies: MetisQuoteDependencies,
  request: EngineRequest,
  gas: Gas | null,
  restrained: Pick<RouteSearch, 'extraCost' | 'admits'> = {},
): MetisQuote {
  const { order, avoid } = request;
  const { whole: fee } = getChargedFees(request, gas);
  const terms = toOrderTerms(order, fee, avoid, gas);
  const { liquidities, makerIds } = findLiquidity(dependencies, request, gas);
  const extraCost = order.payer === null ? createExtraCost(dependencies, order) : undefined;
  const search = { liquidities, extraCost, ...restrained };
  const fit = findBestFit(dependencies, terms, fee, createSlippageEstimator(dependencies, order), search);
  return toMetisQuote(dependencies, request, gas, { terms, fit, makerIds });
}

/**
 * Quotes the route of an earlier quote again, with the platform fee and the fee that pays the sponsor back. Another
 * route is only searched if a pool now refuses the amount, or the fee makes the transaction too large.
 * @throws SwapRefused when no route fits a transaction
 */
export function quoteWithGas(
  dependencies: MetisQuoteDependencies,
  request: EngineRequest,
  route: Pick<Route, 'legs'>,
  gas: Gas,
): MetisQuote {
  const { order, avoid } = request;
  const { whole: fee } = getChargedFees(request, gas);
  const terms = toOrderTerms(order, fee, avoid, gas);
  const fit = refit(dependencies, terms, fee, createSlippageEstimator(dependencies, order), route);
  if (fit === null) return findBestQuote(dependencies, request, gas);
  return toMetisQuote(dependencies, request, gas, { terms, fit, makerIds: [] });
}

/** The fees of a quote, and the one that the program takes. */
function getChargedFees({ order, fee }: EngineRequest, gas: Gas | null) {
  if (gas === null) return { platform: fee, gas: null, whole: fee };
  if (gas.fee === null) return { platform: null, gas: null, whole: null };
  return computeSponsoredFees(order, fee, gas.fee);
}

/** What the network takes for more steps and for a maker's signature, in atoms of the output. */
export function createExtraCost(
  { chain, prices }: Pick<MetisQuoteDependencies, 'chain' | 'prices'>,
  order: OrderRequest,
): ExtraCost {
  const { inputMint, outputMint, amount: inAmount } = order;
  return ({ route, assembly }) => {
    const swap = { inputMint, outputMint, inAmount, outAmount: route.outAmount };
    const lamports = estimateExtraFees(route, () => createPriorityEstimator(chain, order, assembly));
    return convertLamportsToOutput(prices, swap, lamports);
  };
}

function createSlippageEstimator(
  dependencies: MetisQuoteDependencies,
  order: OrderRequest,
): (route: Route) => Bps {
  return (route) => order.slippageBps ?? estimateSlippage(dependencies, route);
}

function toMetisQuote(
  { chain, books }: MetisQuoteDependencies,
  request: EngineRequest,
  gas: Gas | null,
  {
    terms,
    fit: { route, assembly },
    makerIds,
  }: { readonly terms: SwapTerms; readonly fit: BestFit; readonly makerIds: readonly string[] },
): MetisQuote {
  const { quotedOut, threshold, slippageBps } = assembly;
  const { order } = request;
  return {
    outAmount: quotedOut,
    netOut: quotedOut,
    threshold,
    slippageBps,
    priceImpact: computePriceImpact(route, chain.clock()),
    route,
    fees: computeQuotedFees(order, getChargedFees(request, gas), {
      paid: order.amount,
      out: route.outAmount,
    }),
    sponsorship: gas?.sponsorship ?? null,
    makerIds,
    terms,
    assembly,
    coSigner: findCoSigner({ books }, order, route),
    isSponsored: gas !== null,
    belowMinimum: null,
    isBudgetUnknown: false,
    accounts: null,
  };
}

function findCoSigner(
  { books }: Pick<MetisQuoteDependencies, 'books'>,
  { receiver, outputMint }: OrderRequest,
  route: Route,
): FillTerms | null {
  const terms = books?.fillTermsOf(route) ?? null;
  if (terms === null || receiver === null) return terms;
  const isSol = outputMint === WRAPPED_SOL_MINT;
  return {
    ...terms,
    handedOnTo: isSol ? receiver : deriveAssociatedTokenAddress(receiver, outputMint, TOKEN_PROGRAM),
  };
}

/**
 * All pools, and the pools together with one of the most promising order books each. A fill has the taker pay for the
 * transaction, so order books take no part for another payer.
 */
function findLiquidity(
  { chain, pools, books }: MetisQuoteDependencies,
  { order, avoid, noteBid }: EngineRequest,
  gas: Gas | null,
): ExtraCandidates {
  const eligible = order.payer === null && gas === null && canHandOn(pools, order);
  const allows = (label: string) => allowsVenue(order.venues, label);
  if (books === null || !eligible || !allows(books.label)) {
    return { liquidities: [pools], makerIds: [] };
  }
  const { liquidities, makerIds } = books.candidatesFor(pools, {
    inputMint: order.inputMint,
    outputMint: order.outputMint,
    amount: order.amount,
    clock: chain.clock(),
    taker: order.taker,
    allows,
    avoid: new Set([...avoid, ...listOthersPaid(order)]),
    ...(noteBid === undefined
      ? {}
      : {
          onPassed: (makerId: string, lost: LosingReason) => noteBid(createBookBid(makerId, lost)),
          onConsidered: (makerId: string, estimatedOut: number) =>
            noteBid(createBookBid(makerId, null, estimatedOut)),
        }),
  });
  return { liquidities: [pools, ...liquidities], makerIds };
}

/**
 * Who else is paid. A fill moves the maker's own accounts, which a payment to the maker as referrer or receiver would name
 * too, so the maker would not sign.
 */
function listOthersPaid({ referral, receiver }: OrderRequest): readonly Address[] {
  return [...(referral === null ? [] : [referral.account]), ...(receiver === null ? [] : [receiver])];
}

/**
 * A fill pays the taker's own account, from which the aggregator program hands on what another wallet gets. It transfers
 * plainly, which not all mints of Token-2022 allow.
 */
function canHandOn(pools: Pools, { receiver, outputMint }: OrderRequest): boolean {
  return receiver === null || pools.account(outputMint)?.owner === TOKEN_PROGRAM;
}

function toOrderTerms(
  order: OrderRequest,
  fee: PlatformFee | null,
  avoid: ReadonlySet<Address>,
  gas: Gas | null,
): SwapTerms {
  const taker = order.taker ?? PLACEHOLDER_TAKER;
  return createSwapTerms({
    inputMint: order.inputMint,
    outputMint: order.outputMint,
    amount: order.amount,
    taker,
    ...(order.vault === null ? {} : { vault: order.vault }),
    wrapAndUnwrapSol: order.wrapsSol,
    payer: gas?.payer ?? order.payer ?? taker,
    venues: order.venues,
    avoid,
    platformFee: fee === null ? undefined : { bps: fee.bps, account: fee.account },
    destination: toOrderDestination(order),
    tipAmount: order.tipLamports,
    chargesRent: gas !== null,
  });
}

function toOrderDestination({ receiver, outputMint }: OrderRequest): SwapDestination {
  if (receiver === null) return { kind: 'taker' };
  return { kind: outputMint === WRAPPED_SOL_MINT ? 'native' : 'wallet', address: receiver };
}

/** @param serial - Distinguishes transactions that are otherwise alike. Default: 0, for one that is only estimated. */
export function createOrderToBuild(
  order: OrderRequest,
  { terms, assembly, coSigner, isSponsored }: MetisQuote,
  serial = 0,
): OrderToBuild {
  return { order, terms, assembly, coSigner, isSponsored, serial };
}
