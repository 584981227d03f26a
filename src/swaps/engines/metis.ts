import { Unavailable } from '../../common/unavailable.ts';
import { sumCosts } from '../../transactions/build/costs.ts';
import type { Sponsorship } from '../../transactions/prepared/store.ts';
import type { Sponsor } from '../../transactions/sponsor/sponsor.ts';
import { SwapRefused } from '../refusals.ts';
import type { BuiltOrder, Engine, EngineQuote, EngineRefusal, EngineRequest, Unbuildable } from './engine.ts';
import { type BelowMinimum, createOrderToBuild, type MetisQuote } from './metis-quote.ts';
import type { OrderRequest } from './order-request.ts';
import {
  BELOW_GASLESS_MINIMUM,
  buildOrderTransaction,
  INSUFFICIENT_SOL,
  readOrderAccounts,
} from './order-transaction.ts';
import { findPayableQuote } from './payable-quote.ts';
import { findSponsoredQuote, type SponsoredQuoteDependencies } from './sponsored-quote.ts';

export interface MetisDependencies extends SponsoredQuoteDependencies {
  /** Null without a sponsor: every taker pays. */
  readonly sponsor: Sponsor | null;
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
  offer: (quote: MetisQuote) => void,
  nextSerial: () => number,
): Promise<MetisQuote | EngineRefusal> {
  if (request.order.swapMode === 'ExactOut') return { refused: 'metis quotes exact inputs only' };
  const { sponsor } = dependencies;
  try {
    if (sponsor === null) return await findPayableQuote(dependencies, request, offer);
    const sponsored = await findSponsoredQuote(dependencies, sponsor, request, nextSerial);
    if (sponsored.kind === 'sponsored') return sponsored.quote;
    const { reason } = sponsored;
    const quoted = await findPayableQuote(dependencies, request, (each) => offer({ ...each, ...reason }));
    return { ...quoted, ...reason };
  } catch (error) {
    if (error instanceof SwapRefused) return { refused: error.sentence };
    throw error;
  }
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
