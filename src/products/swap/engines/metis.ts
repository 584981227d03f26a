import { priceImpact } from '../../../market/prices/price-impact.ts';
import type { Route } from '../../../market/router/index.ts';
import {
  type Beside,
  type BookLiquidity,
  fillTermsOf,
  type FillTerms,
  JUPITER_RFQ_V2,
} from '../../../rfq/index.ts';
import type { Address } from '../../../solana/address.ts';
import { MAX_ACCOUNTS } from '../../../solana/messages/message-accounts.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import type { Bps } from '../../../solana/units.ts';
import type { Assembly } from '../build/assembly.ts';
import { bestFit } from '../build/best-fit.ts';
import type { BuildParts } from '../build/build-parts.ts';
import { SwapRefused } from '../errors.ts';
import { PLACEHOLDER_TAKER } from '../../../transactions/placeholder-taker.ts';
import type { OrderRequest } from './order-request.ts';
import type { Sponsorship } from '../../../transactions/prepared/store.ts';
import { BELOW_GASLESS_MINIMUM, buildOrderTransaction, INSUFFICIENT_SOL } from './order-transaction.ts';
import { type PlatformFee, quotedFees } from '../fees.ts';
import { slippageFor } from '../build/slippage.ts';
import type { Destination, SwapTerms } from '../build/swap-terms.ts';
import { allowsVenue } from '../build/venue-choice.ts';
import {
  chargedLamports,
  covers,
  type EligibleParts,
  type Eligibility,
  eligibilityOf,
  recoup,
  worthOf,
} from './gasless.ts';
import { Unavailable } from '../../../common/unavailable.ts';
import {
  type BuiltOrder,
  type Costs,
  type Engine,
  type EngineQuote,
  type EngineRefusal,
  type EngineRequest,
  totalOf,
  type Unbuildable,
} from './engine.ts';

export interface MetisParts extends BuildParts, EligibleParts {
  /** What makers stream; null where there are no makers. */
  readonly books: BookLiquidity | null;
}

/** The on-chain router: routes over the pools and the makers' books, executed by the aggregator program. */
export function metisEngine(parts: MetisParts): Engine {
  let builds = 0;
  const build: Build = (request, quoted) => buildQuote(parts, request.order, quoted, builds++);
  return {
    router: 'metis',
    swapType: 'aggregator',
    takesPayer: true,
    quote: (request) => quote(parts, request, build),
    build: (request, quoted) => build(request, quoted as MetisQuote),
  };
}

/** A quote with what its transaction is made of. */
interface MetisQuote extends EngineQuote {
  readonly terms: SwapTerms;
  readonly assembly: Assembly;
  /** The maker that has to sign too; null when none takes part. */
  readonly coSigner: FillTerms | null;
  /** Whether the service's sponsor is the payer. */
  readonly isSponsored: boolean;
  /** From which size on the swap would be sponsored; null when size is not why it is not. */
  readonly belowMinimum: BelowMinimum | null;
}

/** In US dollars: what the swap is worth, and from what on it would be sponsored. */
interface BelowMinimum {
  readonly dollars: number;
  readonly least: number;
}

type Build = (request: EngineRequest, quoted: MetisQuote) => Promise<BuiltOrder | Unbuildable>;

async function quote(
  parts: MetisParts,
  request: EngineRequest,
  build: Build,
): Promise<MetisQuote | EngineRefusal> {
  const quoted = (gas: Gas | null) => bestQuote(parts, request, gas);
  try {
    const eligibility = await eligibilityOf(parts, request.order);
    if (eligibility.kind === 'no') return quoted(null);
    if (eligibility.kind === 'too small') return unsponsored(quoted(null), eligibility);
    return await sponsoredQuote(parts, request.order, eligibility, {
      quoted,
      build: (each) => build(request, each),
    });
  } catch (error) {
    if (error instanceof SwapRefused) return { refused: error.message };
    throw error;
  }
}

/** Who pays for the transaction in the taker's place, and what the taker is charged for that. */
interface Gas {
  readonly payer: Address;
  readonly fee: PlatformFee | null;
  /** Null while it is not known yet what the transaction costs. */
  readonly sponsorship: Sponsorship | null;
}

/** What the transaction costs is known once it is built: it is quoted anew with a fee that makes up for that. */
async function sponsoredQuote(
  parts: MetisParts,
  order: OrderRequest,
  eligibility: Extract<Eligibility, { kind: 'pays' }>,
  {
    quoted,
    build,
  }: {
    readonly quoted: (gas: Gas | null) => MetisQuote;
    readonly build: (quote: MetisQuote) => Promise<BuiltOrder | Unbuildable>;
  },
): Promise<MetisQuote> {
  const payer = eligibility.sponsor.keypair.address;
  const first = quoted({ payer, fee: null, sponsorship: null });
  const worth = worthOf(parts, order, eligibility.feeMint, first);
  if (worth === null) return quoted(null);
  const { leastDollars: least } = eligibility.sponsor;
  if (worth.dollars < least) return unsponsored(quoted(null), { ...worth, least });
  const trial = await build(first);
  if (trial.unbuildable !== undefined || (await isBeyondBudget(order, eligibility, trial.costs))) {
    return quoted(null);
  }
  const sponsorship = { sponsor: payer, chargedLamports: chargedLamports(trial.costs) };
  const fee = recoup(parts, order, eligibility, worth, sponsorship.chargedLamports);
  if (fee === null) return quoted(null);
  if ('least' in fee) return unsponsored(quoted(null), { ...worth, ...fee });
  const last = quoted({ payer, fee, sponsorship });
  // Pools may have moved while the first was simulated.
  if (!covers(parts, order, fee, last, sponsorship.chargedLamports)) return quoted(null);
  return last;
}

/** The transaction of a quote. */
async function buildQuote(
  parts: MetisParts,
  order: OrderRequest,
  { terms, assembly, coSigner, isSponsored, sponsorship, belowMinimum }: MetisQuote,
  serial: number,
): Promise<BuiltOrder | Unbuildable> {
  const toBuild = { order, terms, assembly, coSigner, isSponsored, serial };
  const built = await buildOrderTransaction(parts, toBuild);
  if (sponsorship !== null) return withinCharge(built, sponsorship);
  return belowMinimum === null ? built : explained(built, belowMinimum);
}

/** @throws Unavailable when it costs the sponsor more than the fee gives back, since it would not sign it */
function withinCharge(
  built: BuiltOrder | Unbuildable,
  { chargedLamports: charged }: Sponsorship,
): BuiltOrder | Unbuildable {
  const cost = totalOf(built.costs);
  if (built.unbuildable !== undefined || cost <= charged) return built;
  throw new Unavailable(
    `the gas of the swap rose to ${cost} lamports while it was quoted for ${charged}; ask again`,
  );
}

/** The sponsor would not sign. */
async function isBeyondBudget(
  { taker }: OrderRequest,
  { sponsor }: Extract<Eligibility, { kind: 'pays' }>,
  costs: Costs,
): Promise<boolean> {
  if (taker === null) return false;
  return (await sponsor.budget.refusal(taker, totalOf(costs))) !== null;
}

function unsponsored(quoted: MetisQuote, { dollars, least }: BelowMinimum): MetisQuote {
  return { ...quoted, belowMinimum: { dollars, least } };
}

/** Tells a taker who has too little SOL for gas from which size on a swap would be sponsored. */
function explained(
  built: BuiltOrder | Unbuildable,
  { dollars, least }: BelowMinimum,
): BuiltOrder | Unbuildable {
  if (built.unbuildable?.code !== INSUFFICIENT_SOL) return built;
  const worth = `the swap is worth $${dollars.toFixed(2)}, and from $${least.toFixed(2)} on its gas would be paid`;
  const message = `Below the minimum for gasless swaps: ${worth}. ${built.unbuildable.message}`;
  return { unbuildable: { code: BELOW_GASLESS_MINIMUM, message }, costs: built.costs };
}

function bestQuote(
  parts: MetisParts,
  { order, avoid, ...request }: EngineRequest,
  gas: Gas | null,
): MetisQuote {
  const fee = gas === null ? request.fee : gas.fee;
  const slippageOf = (route: Route): Bps => order.slippageBps ?? slippageFor(parts, route);
  const terms = { ...termsOf(order, fee), avoid, ...(gas === null ? {} : { payer: gas.payer }) };
  const { liquidities, makerIds } = liquidityFor(parts, order, gas, avoid);
  const { route, assembly } = bestFit(parts, terms, fee, slippageOf, { liquidities });
  const fees = quotedFees(
    order,
    { platform: gas === null ? request.fee : null, gas: gas?.fee ?? null },
    { paid: order.amount, out: route.outAmount },
  );
  return {
    outAmount: assembly.quotedOut,
    threshold: assembly.threshold,
    slippageBps: assembly.slippageBps,
    priceImpact: priceImpact(route, parts.chain.clock()),
    route,
    fees,
    sponsorship: gas?.sponsorship ?? null,
    makerIds,
    terms,
    assembly,
    coSigner: fillTermsOf(route),
    isSponsored: gas !== null,
    belowMinimum: null,
  };
}

/**
 * All pools, and the pools with one book each for the books that promise most. A fill pays the taker's own account and
 * has the taker pay for the transaction, so books take no part for another receiver or payer.
 */
function liquidityFor(
  { pools, books }: MetisParts,
  order: OrderRequest,
  gas: Gas | null,
  avoid: ReadonlySet<Address>,
): Beside {
  const eligible = order.payer === null && order.receiver === null && gas === null;
  const allows = (label: string) => allowsVenue(order.venues, label);
  if (books === null || !eligible || !allows(JUPITER_RFQ_V2.label)) {
    return { liquidities: [pools], makerIds: [] };
  }
  const { liquidities, makerIds } = books.beside(pools, {
    inputMint: order.inputMint,
    outputMint: order.outputMint,
    amount: order.amount,
    taker: order.taker,
    allows,
    avoid,
  });
  return { liquidities: [pools, ...liquidities], makerIds };
}

function termsOf(order: OrderRequest, fee: EngineRequest['fee']): SwapTerms {
  const taker = order.taker ?? PLACEHOLDER_TAKER;
  return {
    inputMint: order.inputMint,
    outputMint: order.outputMint,
    amount: order.amount,
    taker,
    payer: order.payer ?? taker,
    fast: false,
    venues: order.venues,
    maxAccounts: MAX_ACCOUNTS,
    platformFee: fee === null ? undefined : { bps: fee.bps, account: fee.account },
    wrapAndUnwrapSol: true,
    destination: destinationOf(order),
    tipAmount: order.tipLamports,
    returnsRent: true,
  };
}

function destinationOf({ receiver, outputMint }: OrderRequest): Destination {
  if (receiver === null) return { kind: 'taker' };
  return { kind: outputMint === WRAPPED_SOL_MINT ? 'native' : 'wallet', address: receiver };
}
