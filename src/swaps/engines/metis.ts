import { Unavailable } from '../../common/unavailable.ts';
import type { Prices } from '../../market/prices/prices.ts';
import { type Costs, sumCosts } from '../../transactions/build/costs.ts';
import type { Sponsorship } from '../../transactions/prepared/store.ts';
import { createSponsorship } from '../../transactions/sponsor/charge.ts';
import { type BudgetRefusal, isBudgetLost } from '../../transactions/sponsor/budget.ts';
import { SwapRefused } from '../refusals.ts';
import { coversGas, computeGasFee, computeSponsoredFees, computeSwapWorth } from '../fees/gas-fee.ts';
import type { BuiltOrder, Engine, EngineQuote, EngineRefusal, EngineRequest, Unbuildable } from './engine.ts';
import {
  type SponsorEligibility,
  type SponsorEligibilityDependencies,
  checkSponsorEligibility,
} from './gasless.ts';
import {
  type BelowMinimum,
  findBestQuote,
  type MetisQuote,
  type MetisQuoteDependencies,
  quoteWithGas,
} from './metis-quote.ts';
import { findPayableQuote } from './payable-quote.ts';
import type { OrderRequest } from './order-request.ts';
import {
  BELOW_GASLESS_MINIMUM,
  buildOrderTransaction,
  INSUFFICIENT_SOL,
  type OrderToBuild,
  type OrderTransactionDependencies,
  readOrderAccounts,
} from './order-transaction.ts';

export interface MetisDependencies
  extends Omit<MetisQuoteDependencies, 'chain' | 'prices'>,
    Omit<SponsorEligibilityDependencies, 'chain' | 'prices'>,
    Omit<OrderTransactionDependencies, 'chain'> {
  readonly prices: Prices;
  readonly chain: MetisQuoteDependencies['chain'] &
    SponsorEligibilityDependencies['chain'] &
    OrderTransactionDependencies['chain'];
}

/** The on-chain router: routes over the pools and the makers' books, executed by the aggregator program. */
export function createMetisEngine(dependencies: MetisDependencies): Engine {
  let builds = 0;
  const nextSerial = () => builds++;
  return {
    router: 'metis',
    swapType: 'aggregator',
    takesPayer: true,
    asksOthers: false,
    quote: async (request, _signal, offer) => {
      const build = (quoted: MetisQuote) => buildQuote(dependencies, request.order, quoted, nextSerial());
      const offered = (quoted: MetisQuote) => offer(toEngineQuote(quoted, build));
      const answer = await quote(dependencies, request, offered, nextSerial);
      return 'refused' in answer ? answer : toEngineQuote(answer, build);
    },
  };
}

function toEngineQuote(
  quoted: MetisQuote,
  build: (quoted: MetisQuote) => ReturnType<EngineQuote['build']>,
): EngineQuote {
  return { ...quoted, settlement: { kind: 'route', route: quoted.route }, build: () => build(quoted) };
}

async function quote(
  dependencies: MetisDependencies,
  request: EngineRequest,
  offer: OfferMetisQuote,
  nextSerial: () => number,
): Promise<MetisQuote | EngineRefusal> {
  if (request.order.swapMode === 'ExactOut') return { refused: 'metis quotes exact inputs only' };
  try {
    const unsponsored: Unsponsored = (reason) => quoteUnsponsored(dependencies, request, offer, reason);
    const eligibility = await checkSponsorEligibility(dependencies, request.order);
    if (eligibility.kind === 'pays')
      return await quoteSponsored(dependencies, request, eligibility, unsponsored, nextSerial());
    if (eligibility.kind === 'unknown') return await unsponsored({ isBudgetUnknown: true });
    if (eligibility.kind === 'no') return await unsponsored({});
    const { dollars, minimum } = eligibility;
    return await unsponsored({ belowMinimum: { dollars, minimum } });
  } catch (error) {
    if (error instanceof SwapRefused) return { refused: error.message };
    throw error;
  }
}

/** Why the sponsor does not pay, where the answer depends on it. With an unknown budget, the taker has to be able to pay. */
type Reason = Partial<Pick<MetisQuote, 'belowMinimum' | 'isBudgetUnknown'>>;
type OfferMetisQuote = (quote: MetisQuote) => void;
/** Quotes the order of a request without a sponsor. */
type Unsponsored = (reason: Reason) => Promise<MetisQuote>;

/** Quotes an order that the sponsor does not pay for. Order books of makers take part. */
async function quoteUnsponsored(
  dependencies: MetisDependencies,
  request: EngineRequest,
  offer: OfferMetisQuote,
  reason: Reason,
): Promise<MetisQuote> {
  const quoted = await findPayableQuote(dependencies, request, (quote) => offer({ ...quote, ...reason }));
  return { ...quoted, ...reason };
}

/**
 * Quotes a sponsored order. The taker is charged for the cost of the transaction, which is measured by building the
 * route without that charge. The route is searched and its accounts are read once; afterwards the same route is
 * quoted with the fee. The transaction is simulated again when it is built, because the fee adds an account to the
 * swap and changes its compute units and amounts.
 */
async function quoteSponsored(
  dependencies: MetisDependencies,
  request: EngineRequest,
  eligibility: Extract<SponsorEligibility, { kind: 'pays' }>,
  unsponsored: Unsponsored,
  serial: number,
): Promise<MetisQuote> {
  const { order } = request;
  const { sponsor, paid, feeMint } = eligibility;
  const { prices } = dependencies;
  const payer = sponsor.keypair.address;
  const free = findBestQuote(dependencies, request, { payer, fee: null, sponsorship: null });
  const worth = computeSwapWorth(prices, order, paid, feeMint, free);
  if (worth === null) return unsponsored({});
  const { dollars } = worth;
  if (dollars < sponsor.leastDollars) {
    return unsponsored({ belowMinimum: { dollars, minimum: sponsor.leastDollars } });
  }
  const toBuild = createOrderToBuild(order, free, serial);
  const accounts = await readOrderAccounts(dependencies, toBuild);
  const trial = await buildOrderTransaction(dependencies, toBuild, accounts);
  if (trial.unbuildable !== undefined) return unsponsored({});
  const refusal = await findBudgetRefusal(order, eligibility, trial.costs);
  if (refusal !== null) {
    return unsponsored(isBudgetLost(refusal) ? { isBudgetUnknown: true } : {});
  }
  const sponsorship = createSponsorship(sponsor, trial.costs);
  const gas = computeGasFee(prices, order, eligibility, worth, sponsorship.chargedLamports);
  if (gas.kind === 'unpriced') return unsponsored({});
  if (gas.kind === 'too-small') {
    return unsponsored({ belowMinimum: { dollars, minimum: gas.minimum } });
  }
  const { fee } = gas;
  const charged = quoteWithGas(dependencies, request, free.route, { payer, fee, sponsorship });
  // The pools may have changed during the simulation.
  const fees = computeSponsoredFees(order, request.fee, fee);
  if (!coversGas(prices, order.amount, fees, charged, sponsorship.chargedLamports)) {
    return unsponsored({});
  }
  return { ...charged, accounts: isSameRoute(charged, free) ? accounts : null };
}

/** Whether both quotes depend on the same accounts. */
function isSameRoute({ route }: MetisQuote, { route: other }: MetisQuote): boolean {
  return (
    route.legs.length === other.legs.length &&
    route.legs.every(({ handle }, index) => handle.pool.address === other.legs[index]?.handle.pool.address)
  );
}

function createOrderToBuild(
  order: OrderRequest,
  { terms, assembly, coSigner, isSponsored }: MetisQuote,
  serial: number,
): OrderToBuild {
  return { order, terms, assembly, coSigner, isSponsored, serial };
}

/**
 * Builds the transaction of a quote.
 * @throws Unavailable when the taker cannot pay for it, and whether the sponsor would is not known now
 */
async function buildQuote(
  dependencies: MetisDependencies,
  order: OrderRequest,
  quoted: MetisQuote,
  serial: number,
): Promise<BuiltOrder | Unbuildable> {
  const { sponsorship, belowMinimum, isBudgetUnknown } = quoted;
  const toBuild = createOrderToBuild(order, quoted, serial);
  const accounts = quoted.accounts ?? (await readOrderAccounts(dependencies, toBuild));
  const built = await buildOrderTransaction(dependencies, toBuild, accounts);
  if (sponsorship !== null) return requireWithinCharge(built, sponsorship);
  if (isBudgetUnknown && built.unbuildable?.code === INSUFFICIENT_SOL) {
    throw new Unavailable(
      'whether the gas of the swap would be paid cannot be looked up at the moment; try again in a second',
    );
  }
  return belowMinimum === null ? built : addGaslessMinimum(built, belowMinimum);
}

/**
 * @throws Unavailable when the transaction costs the sponsor more than the fee pays back, because it would not sign
 *   it
 */
function requireWithinCharge(
  built: BuiltOrder | Unbuildable,
  { chargedLamports: charged }: Sponsorship,
): BuiltOrder | Unbuildable {
  const cost = sumCosts(built.costs);
  if (built.unbuildable !== undefined || cost <= charged) return built;
  throw new Unavailable(
    `the gas of the swap rose to ${cost} lamports while it was quoted for ${charged}; ask again`,
  );
}

/** Returns why the sponsor would not sign by its budget; null if it would. */
async function findBudgetRefusal(
  { taker }: OrderRequest,
  { sponsor }: Extract<SponsorEligibility, { kind: 'pays' }>,
  costs: Costs,
): Promise<BudgetRefusal | null> {
  if (taker === null) return null;
  return sponsor.budget.refusal(taker, sumCosts(costs));
}

/** Adds, for a taker with too little SOL for gas, from which size on a swap would be sponsored. */
function addGaslessMinimum(
  built: BuiltOrder | Unbuildable,
  { dollars, minimum }: BelowMinimum,
): BuiltOrder | Unbuildable {
  if (built.unbuildable?.code !== INSUFFICIENT_SOL) return built;
  const worth = `the swap is worth $${dollars.toFixed(2)}, and from $${minimum.toFixed(2)} on its gas would be paid`;
  const message = `Minimum $${minimum.toFixed(2)} for gasless`;
  const details = `${worth}. ${built.unbuildable.details}`;
  return { unbuildable: { code: BELOW_GASLESS_MINIMUM, message, details }, costs: built.costs };
}
