import type { Chain } from '../../chain/chain.ts';
import type { Route } from '../../market/router/index.ts';
import type { Address } from '../../solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { type AccountStates, type Costs, sumCosts } from '../../transactions/build/costs.ts';
import type { ExtraCost } from '../build/best-fit.ts';
import { isEmptied } from '../build/assembly.ts';
import {
  collectPassedMints,
  computeTokenAccountRent,
  convertLamportsToOutput,
} from '../build/route-costs.ts';
import { isOpened } from '../build/token-flow.ts';
import { SwapRefused } from '../refusals.ts';
import type { EngineRequest } from './engine.ts';
import {
  findBestQuote,
  createExtraCost,
  createOrderToBuild,
  type MetisQuote,
  type MetisQuoteDependencies,
} from './metis-quote.ts';
import type { OrderRequest } from './order-request.ts';
import {
  estimateOrderCosts,
  estimateOrderFees,
  type OrderTransactionDependencies,
  readOrderAccounts,
} from './order-transaction.ts';

export interface PayableQuoteDependencies
  extends Omit<MetisQuoteDependencies, 'chain'>,
    Omit<OrderTransactionDependencies, 'chain'> {
  readonly chain: MetisQuoteDependencies['chain'] & OrderTransactionDependencies['chain'];
}

/**
 * Finds the route that pays the taker most after what it costs in lamports, for an order that no sponsor pays for. Where the
 * payer has too little SOL to lend the rent of accounts between the steps, or such an account would stay open, routes over
 * accounts that the taker has, or over none, are searched too.
 * @param offer - Called with the route that pays most, before anything is read of the taker's accounts.
 * @throws SwapRefused when no route fits a transaction
 */
export async function findPayableQuote(
  dependencies: PayableQuoteDependencies,
  request: EngineRequest,
  offer: (quote: MetisQuote) => void,
): Promise<MetisQuote> {
  const { order } = request;
  const best = findBestQuote(dependencies, request, null);
  // Rent counts only once it is known which accounts exist.
  const fees = estimateOrderFees(dependencies.chain, createOrderToBuild(order, best), best.route);
  const first = subtractCosts(dependencies.prices, order, best, fees);
  if (order.taker === null) return first;
  offer(first);
  const states = await readIfAllowed(dependencies, order, first);
  if (states === null) return first;
  const known = weigh(dependencies, order, first, states);
  if (!isInNeed(known)) return known.quote;
  const other = await quoteOverOwnAccounts(dependencies, request, known);
  return other !== null && isBetter(other, known) ? other.quote : known.quote;
}

/** A quote, and what its transaction does to the payer. */
interface Weighed {
  readonly quote: MetisQuote;
  /** Lamports that the payer has left at the least; negative if it has too few. */
  readonly left: bigint;
  /** Rent that comes back within the transaction. */
  readonly lent: bigint;
  /** Rent of accounts between the steps that stay open. */
  readonly staying: bigint;
}

/** Computes what is left of a quote's output after what it costs the taker. Where another wallet pays, that is rent alone. */
function subtractCosts(
  prices: PayableQuoteDependencies['prices'],
  { inputMint, outputMint, amount: inAmount, payer }: OrderRequest,
  quote: MetisQuote,
  costs: Costs,
): MetisQuote {
  const rent = costs.rentPayer === undefined ? 0n : costs.rentFee;
  const lamports = payer === null ? sumCosts(costs) : rent;
  const swap = { inputMint, outputMint, inAmount, outAmount: quote.outAmount };
  return { ...quote, netOut: quote.outAmount - convertLamportsToOutput(prices, swap, lamports) };
}

/** @param states - The accounts that the transaction depends on. */
function weigh(
  dependencies: PayableQuoteDependencies,
  order: OrderRequest,
  quote: MetisQuote,
  states: AccountStates,
): Weighed {
  const { costs, rents, left } = estimateOrderCosts(
    dependencies,
    createOrderToBuild(order, quote),
    quote.route,
    states,
  );
  const { inputMint, outputMint } = order;
  const between = quote.assembly.creations.filter(
    ({ account, mint, rentGoesTo }) =>
      rents.missing.has(account) && rentGoesTo === null && mint !== inputMint && mint !== outputMint,
  );
  const staying = between.reduce(
    (sum, { mint }) => sum + computeTokenAccountRent(dependencies.pools, mint),
    0n,
  );
  const weighed = { ...subtractCosts(dependencies.prices, order, quote, costs), accounts: states };
  return { quote: weighed, left, lent: rents.lent, staying };
}

/** Returns null if the accounts do not allow the swap. The refusal is given when the transaction is built. */
async function readIfAllowed(
  dependencies: PayableQuoteDependencies,
  order: OrderRequest,
  quote: MetisQuote,
): Promise<AccountStates | null> {
  try {
    return await readOrderAccounts(dependencies, createOrderToBuild(order, quote));
  } catch (error) {
    if (error instanceof SwapRefused) return null;
    throw error;
  }
}

function isInNeed({ left, lent, staying }: Weighed): boolean {
  return (left < 0n && lent > 0n) || staying > 0n;
}

function isBetter(other: Weighed, than: Weighed): boolean {
  if (other.left < 0n) return false;
  return than.left < 0n || other.quote.netOut > than.quote.netOut;
}

/** Returns null if no other route exists. */
async function quoteOverOwnAccounts(
  dependencies: PayableQuoteDependencies,
  request: EngineRequest,
  { quote, left, lent, staying }: Weighed,
): Promise<Weighed | null> {
  const { order } = request;
  const { pools, prices } = dependencies;
  const own = await findOwnMints(dependencies, quote);
  const rentOf = (route: Route, counts: (mint: Address) => boolean) =>
    [...collectPassedMints(route)]
      .filter((mint) => !own.has(mint) && counts(mint))
      .reduce((sum, mint) => sum + computeTokenAccountRent(pools, mint), 0n);
  const spare = left + lent + staying;
  const fees = createExtraCost(dependencies, order);
  const extraCost: ExtraCost = (fit) => {
    const { route } = fit;
    const swap = { ...order, inAmount: order.amount, outAmount: route.outAmount };
    const stays = rentOf(route, (mint) => !isEmptied(route, mint));
    return fees(fit) + convertLamportsToOutput(prices, swap, stays);
  };
  const admits = (route: Route) => rentOf(route, () => true) <= (spare > 0n ? spare : 0n);
  try {
    const other = findBestQuote(dependencies, request, null, { extraCost, admits });
    const states = await readIfAllowed(dependencies, order, other);
    return states === null ? null : weigh(dependencies, order, other, states);
  } catch (error) {
    if (error instanceof SwapRefused) return null;
    throw error;
  }
}

/** Of the mints that most routes lead through, and those of a route, the ones that the taker has an account of. */
async function findOwnMints(
  { chain, pools }: Pick<PayableQuoteDependencies, 'pools'> & { readonly chain: Pick<Chain, 'getAccounts'> },
  { terms: { taker }, route: { legs } }: MetisQuote,
): Promise<ReadonlySet<Address>> {
  const mints = new Map<Address, Address>();
  for (const mint of [...pools.hubs(), ...legs.map(({ inputMint }) => inputMint)]) {
    const program = pools.account(mint)?.owner;
    if (program !== undefined) mints.set(deriveAssociatedTokenAddress(taker, mint, program), mint);
  }
  const read = await chain.getAccounts([...mints.keys()]);
  const own = new Set<Address>();
  for (const { address, account } of read) {
    const mint = mints.get(address);
    if (mint !== undefined && isOpened(account)) own.add(mint);
  }
  return own;
}
