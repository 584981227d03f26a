import { priceImpact } from '../../../market/prices/price-impact.ts';
import type { Route } from '../../../market/router/index.ts';
import { type Beside, type BookLiquidity, fillTermsOf, JUPITER_RFQ_V2 } from '../../../rfq/index.ts';
import type { Address } from '../../../solana/address.ts';
import { MAX_ACCOUNTS } from '../../../solana/messages/message-accounts.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import type { Bps } from '../../../solana/units.ts';
import { bestFit } from '../build/best-fit.ts';
import type { BuildParts } from '../build/build-parts.ts';
import { SwapRefused } from '../errors.ts';
import { PLACEHOLDER_TAKER } from '../../../transactions/placeholder-taker.ts';
import type { OrderRequest } from './order-request.ts';
import type { Sponsorship } from '../../../transactions/prepared/store.ts';
import { BELOW_GASLESS_MINIMUM, buildOrderTransaction, INSUFFICIENT_SOL } from './order-transaction.ts';
import type { PlatformFee } from '../fees.ts';
import { orderRoutePlanJson } from '../route-plan-json.ts';
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
  return {
    router: 'metis',
    swapType: 'aggregator',
    takesPayer: true,
    quote: (request) => quote(parts, request, () => builds++),
  };
}

async function quote(
  parts: MetisParts,
  request: EngineRequest,
  nextSerial: () => number,
): Promise<EngineQuote | EngineRefusal> {
  const quoted = (gas: Gas | null) => bestQuote(parts, request, gas, nextSerial);
  try {
    const eligibility = await eligibilityOf(parts, request.order);
    if (eligibility.kind === 'no') return quoted(null);
    if (eligibility.kind === 'too small') return unsponsored(quoted(null), eligibility);
    return await sponsoredQuote(parts, request.order, eligibility, quoted);
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
  quoted: (gas: Gas | null) => EngineQuote,
): Promise<EngineQuote> {
  const payer = eligibility.sponsor.keypair.address;
  const first = quoted({ payer, fee: null, sponsorship: null });
  const worth = worthOf(parts, order, eligibility.feeMint, first);
  if (worth === null) return quoted(null);
  const { leastDollars: least } = eligibility.sponsor;
  if (worth.dollars < least) return unsponsored(quoted(null), { ...worth, least });
  const trial = await first.build();
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
  return withinCharge(last, sponsorship);
}

/** Builds nothing that costs the sponsor more than the fee gives back, since it would not sign it. */
function withinCharge(quoted: EngineQuote, { chargedLamports: charged }: Sponsorship): EngineQuote {
  const build = async (): Promise<BuiltOrder | Unbuildable> => {
    const built = await quoted.build();
    const cost = totalOf(built.costs);
    if (built.unbuildable !== undefined || cost <= charged) return built;
    throw new Unavailable(
      `the gas of the swap rose to ${cost} lamports while it was quoted for ${charged}; ask again`,
    );
  };
  return { ...quoted, build };
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

/** A taker who has too little SOL for gas is told from which size on a swap would be sponsored. */
function unsponsored(
  quoted: EngineQuote,
  { dollars, least }: { readonly dollars: number; readonly least: number },
): EngineQuote {
  const build = async (): Promise<BuiltOrder | Unbuildable> => {
    const built = await quoted.build();
    if (built.unbuildable?.code !== INSUFFICIENT_SOL) return built;
    const worth = `the swap is worth $${dollars.toFixed(2)}, and from $${least.toFixed(2)} on its gas would be paid`;
    const message = `Below the minimum for gasless swaps: ${worth}. ${built.unbuildable.message}`;
    return { ...built, unbuildable: { code: BELOW_GASLESS_MINIMUM, message } };
  };
  return { ...quoted, build };
}

function bestQuote(
  parts: MetisParts,
  { order, avoid, ...request }: EngineRequest,
  gas: Gas | null,
  nextSerial: () => number,
): EngineQuote {
  const fee = gas === null ? request.fee : gas.fee;
  const slippageOf = (route: Route): Bps => order.slippageBps ?? slippageFor(parts, route);
  const terms = { ...termsOf(order, fee), avoid, ...(gas === null ? {} : { payer: gas.payer }) };
  const { liquidities, makerIds } = liquidityFor(parts, order, gas, avoid);
  const { route, assembly } = bestFit(parts, terms, fee, slippageOf, { liquidities });
  const coSigner = fillTermsOf(route);
  return {
    outAmount: assembly.quotedOut,
    threshold: assembly.threshold,
    slippageBps: assembly.slippageBps,
    priceImpact: priceImpact(route, parts.chain.clock()),
    routePlan: orderRoutePlanJson(parts.pools, route),
    feeAmount:
      fee === null || gas !== null
        ? null
        : fee.amountOf(fee.side === 'input' ? order.amount : route.outAmount),
    gasFee: gas?.fee ?? null,
    sponsorship: gas?.sponsorship ?? null,
    makerIds,
    build: () => {
      const isSponsored = gas !== null;
      const serial = nextSerial();
      return buildOrderTransaction(parts, { order, terms, assembly, coSigner, isSponsored, serial });
    },
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
