import type { Prices } from '../../market/prices/prices.ts';
import type { Address } from '../../solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { type Costs, sumCosts } from '../../transactions/build/costs.ts';
import { type BudgetRefusal, isBudgetLost } from '../../transactions/sponsor/budget.ts';
import { createSponsorship } from '../../transactions/sponsor/charge.ts';
import type { Sponsor } from '../../transactions/sponsor/sponsor.ts';
import type { TokenAccountMints } from '../../transactions/token-account-mints.ts';
import {
  chooseSponsorFeeMint,
  computeGasFee,
  computeSponsoredFees,
  computeSwapWorth,
  coversGas,
} from '../fees/gas-fee.ts';
import type { EngineRequest } from './engine.ts';
import { createOrderToBuild, findBestQuote, type MetisQuote, quoteWithGas } from './metis-quote.ts';
import type { OrderRequest } from './order-request.ts';
import { buildOrderTransaction, readOrderAccounts } from './order-transaction.ts';
import type { PayableQuoteDependencies } from './payable-quote.ts';

export interface SponsoredQuoteDependencies extends PayableQuoteDependencies {
  readonly prices: PayableQuoteDependencies['prices'] & Pick<Prices, 'worthInDollars'>;
  readonly tokenAccountMints: TokenAccountMints;
}

/** A quote that the sponsor pays for, or what a quote without it has to say about that. */
export type SponsoredAnswer =
  | { readonly kind: 'sponsored'; readonly quote: MetisQuote }
  | { readonly kind: 'unsponsored'; readonly reason: UnsponsoredReason };

/** Why the sponsor does not pay, where the answer depends on it. With an unknown budget, the taker has to be able to pay. */
export type UnsponsoredReason = Partial<Pick<MetisQuote, 'belowMinimum' | 'isBudgetUnknown'>>;

/**
 * Quotes an order that the sponsor pays for.
 * @param nextSerial - Returns the serial number of a transaction that is built. Only called if one is.
 * @throws SwapRefused when no route fits a transaction
 * @throws ChainUnavailable when the network does not answer
 */
export async function findSponsoredQuote(
  dependencies: SponsoredQuoteDependencies,
  sponsor: Sponsor,
  request: EngineRequest,
  nextSerial: () => number,
): Promise<SponsoredAnswer> {
  const eligibility = await checkEligibility(dependencies, sponsor, request.order);
  switch (eligibility.kind) {
    case 'pays':
      return quoteEligible(dependencies, request, eligibility, nextSerial());
    case 'too small':
      return unsponsored({ belowMinimum: { dollars: eligibility.dollars, minimum: eligibility.minimum } });
    case 'unknown':
      return unsponsored({ isBudgetUnknown: true });
    case 'no':
      return unsponsored({});
  }
}

function unsponsored(reason: UnsponsoredReason): SponsoredAnswer {
  return { kind: 'unsponsored', reason };
}

/** Whether the sponsor pays for an order: it does, it would if the swap were larger, or it does not. */
type SponsorEligibility =
  | {
      readonly kind: 'pays';
      readonly sponsor: Sponsor;
      readonly feeMint: Address;
      readonly feeAccount: Address;
      /** The input in US dollars, by deep pools; null when no deep pool prices it. */
      readonly paid: number | null;
    }
  | { readonly kind: 'too small'; readonly dollars: number; readonly minimum: number }
  /** It may pay, but its budget cannot be looked up now. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'no' };

/** A taker with this many lamports pays for its own transactions. */
const ENOUGH_LAMPORTS = 10_000_000n;
/** The least that a swap costs: two signatures. */
const MIN_LAMPORTS = 10_000n;

const NO: SponsorEligibility = { kind: 'no' };
const UNKNOWN: SponsorEligibility = { kind: 'unknown' };

/**
 * Decides whether the sponsor pays for an order. It never does if another wallet pays or takes a fee, the output goes
 * to another wallet, or the request has a tip or an exact priority fee.
 * @throws ChainUnavailable when the network does not answer
 */
async function checkEligibility(
  dependencies: SponsoredQuoteDependencies,
  sponsor: Sponsor,
  order: OrderRequest,
): Promise<SponsorEligibility> {
  const { chain, prices } = dependencies;
  const { taker, payer, referral, receiver, tipLamports } = order;
  if (taker === null || payer !== null || referral !== null || receiver !== null) return NO;
  if (tipLamports > 0n || taker === sponsor.keypair.address) return NO;
  // The taker must not choose what a failed swap costs the sponsor.
  if (order.priorityFee?.kind === 'exactFee') return NO;
  const [read] = await chain.getAccounts([taker]);
  if ((read?.account?.lamports ?? 0n) >= ENOUGH_LAMPORTS) return NO;
  const feeMint = chooseSponsorFeeMint(sponsor.feeMints, order.inputMint, order.outputMint);
  if (feeMint === null) return NO;
  const paid = prices.worthInDollars(order.inputMint, order.amount);
  if (paid !== null && paid < sponsor.leastDollars) {
    return { kind: 'too small', dollars: paid, minimum: sponsor.leastDollars };
  }
  const refusal = await sponsor.budget.refusal(taker, MIN_LAMPORTS);
  if (refusal !== null) return isBudgetLost(refusal) ? UNKNOWN : NO;
  const feeAccount = await findFeeAccount(dependencies, sponsor, feeMint);
  return feeAccount === null ? NO : { kind: 'pays', sponsor, feeMint, feeAccount, paid };
}

/** Finds the sponsor's own token account. Null if it has none for the mint and could therefore not be paid back. */
async function findFeeAccount(
  { pools, tokenAccountMints }: Pick<SponsoredQuoteDependencies, 'pools' | 'tokenAccountMints'>,
  { keypair }: Sponsor,
  mint: Address,
): Promise<Address | null> {
  const program = pools.account(mint)?.owner;
  if (program === undefined) return null;
  const account = deriveAssociatedTokenAddress(keypair.address, mint, program);
  return (await tokenAccountMints.of(account)) === mint ? account : null;
}

/**
 * Quotes a sponsored order. The taker is charged for the cost of the transaction, which is measured by building the
 * route without that charge. The route is searched and its accounts are read once; afterwards the same route is
 * quoted with the fee. The transaction is simulated again when it is built, because the fee adds an account to the
 * swap and changes its compute units and amounts.
 */
async function quoteEligible(
  dependencies: SponsoredQuoteDependencies,
  request: EngineRequest,
  eligibility: Extract<SponsorEligibility, { kind: 'pays' }>,
  serial: number,
): Promise<SponsoredAnswer> {
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
  const quote = { ...charged, accounts: isSameRoute(charged, free) ? accounts : null };
  return { kind: 'sponsored', quote };
}

/** Whether both quotes depend on the same accounts. */
function isSameRoute({ route }: MetisQuote, { route: other }: MetisQuote): boolean {
  return (
    route.legs.length === other.legs.length &&
    route.legs.every(({ handle }, index) => handle.pool.address === other.legs[index]?.handle.pool.address)
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
