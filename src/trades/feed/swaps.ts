import type { ExecutedCall } from '../../chain/executed-transactions.ts';
import type { ReportedTransaction } from '../../chain/reported-transactions.ts';
import type { PoolHandle } from '../../market/pools/liquidity.ts';
import type { PoolState, Venue } from '../../market/venue.ts';
import type { Address } from '../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import type { TradedAmount } from '../trade.ts';
import { balanceChanges, type Flow, flowOf, flowsWithin } from './flows.ts';

/** A swap in a transaction, as the tokens moved. */
export interface Swap {
  /** Null when a market maker filled it. */
  readonly pool: Address | null;
  readonly venue: string;
  readonly paid: TradedAmount;
  readonly received: TradedAmount;
  readonly trader: Address;
  readonly isRoundTrip: boolean;
}

/** What swaps are found with. */
export interface SwapReader {
  /** The venues, by each of their programs: that of their pools, and that which routes call. */
  readonly venues: ReadonlyMap<Address, Venue>;
  /** The programs in which market makers fill swaps, with the labels of their trades. The taker is the first account. */
  readonly fillPrograms: ReadonlyMap<Address, string>;
  /** @returns the pool at the address; null if it is not known */
  readonly poolAt: (address: Address) => PoolHandle | null;
}

/**
 * Reads the swaps of a transaction from what its calls moved. They cannot be forged: a venue's program pays out of a pool
 * only for what was paid into it, whatever logs and arguments say.
 *
 * @returns in order of execution
 */
export function swapsOf(reader: SwapReader, transaction: ReportedTransaction): readonly Swap[] {
  const { calls } = transaction;
  const found: SwapInTransaction[] = [];
  /** What a venue's program calls, such as the program behind a wrapper, belongs to the outer call. */
  let swapDepth = Number.POSITIVE_INFINITY;
  for (const [index, call] of calls.entries()) {
    if (call.depth > swapDepth) continue;
    swapDepth = Number.POSITIVE_INFINITY;
    const venue = reader.venues.get(call.program);
    const label = reader.fillPrograms.get(call.program);
    if (venue === undefined && label === undefined) continue;
    const flows = flowsWithin(calls, index);
    const swaps =
      venue === undefined
        ? fillOf(transaction, call.accounts, flows, label ?? '')
        : poolSwapsOf(reader, venue, transaction, { call, flows });
    if (swaps.length > 0) swapDepth = call.depth;
    found.push(...swaps);
  }
  const circular = circularTrades(found);
  return found.map((swap, index) => ({ ...swap, isRoundTrip: circular.has(index) }));
}

type SwapInTransaction = Omit<Swap, 'isRoundTrip'>;

/** Most calls trade in one pool. A call that is no swap, such as a deposit of liquidity, has none. */
function poolSwapsOf(
  { poolAt }: SwapReader,
  venue: Venue,
  transaction: ReportedTransaction,
  { call, flows }: { readonly call: ExecutedCall; readonly flows: readonly Flow[] },
): readonly SwapInTransaction[] {
  if (flows.length < 2) return [];
  // A user who calls the venue directly deposits. Only routes and wrappers trade by deposits.
  if (venue.issues === true && call.program === venue.program && call.depth === 1) return [];
  return [...new Set(call.accounts)].flatMap((account) => {
    const handle = poolAt(account);
    if (handle === null || handle.venue.program !== venue.program) return [];
    return poolSwapOf(venue, handle.pool, transaction, flows) ?? [];
  });
}

function poolSwapOf(
  venue: Venue,
  pool: PoolState,
  transaction: ReportedTransaction,
  flows: readonly Flow[],
): SwapInTransaction | null {
  const holdings = venue.holdings?.(pool);
  if (holdings === undefined) return null;
  const into = (side: 0 | 1) => flows.filter(({ to }) => to === holdings[side]);
  const out = (side: 0 | 1) => flows.filter(({ from }) => from === holdings[side]);
  for (const [side, other] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const payment = largest(into(side));
    const payout = largest(out(other));
    if (payment === null || payout === null || into(other).length > 0 || out(side).length > 0) continue;
    return {
      pool: pool.address,
      venue: venue.label,
      // With fees that the payer's account pays to others than the pool.
      paid: { mint: pool.mints[side], amount: sum(flows.filter(({ from }) => from === payment.from)) },
      received: { mint: pool.mints[other], amount: arrived(transaction, flows, payout) },
      trader: traderOf(transaction, flows),
    };
  }
  return null;
}

/** The taker is the first account of a fill, the maker the second. Lamports are SOL. */
function fillOf(
  transaction: ReportedTransaction,
  [taker, maker]: readonly Address[],
  flows: readonly Flow[],
  venue: string,
): readonly SwapInTransaction[] {
  const payment = largest(flows.filter(({ authority }) => authority === taker));
  const payout = largest(flows.filter(({ authority }) => authority === maker));
  if (taker === undefined || payment === null || payout === null) return [];
  const [paidMint, receivedMint] = [mintOf(transaction, payment), mintOf(transaction, payout)];
  if (paidMint === receivedMint) return [];
  return [
    {
      pool: null,
      venue,
      paid: { mint: paidMint, amount: payment.amount },
      received: { mint: receivedMint, amount: arrived(transaction, flows, payout) },
      trader: taker,
    },
  ];
}

function mintOf({ preTokenBalances, postTokenBalances }: ReportedTransaction, { from, to }: Flow): Address {
  for (const balances of [preTokenBalances, postTokenBalances]) {
    const known = balances.find(({ account }) => account === from || account === to);
    if (known !== undefined) return known.mint;
  }
  return WRAPPED_SOL_MINT;
}

/**
 * What is left of a payout. A fee of the token is withheld, and a wrapper's fee leaves the account again within the same
 * call.
 */
function arrived(transaction: ReportedTransaction, flows: readonly Flow[], payout: Flow): bigint {
  const { to } = payout;
  const net = flows.reduce(
    (left, { from, to: target, amount, fee }) =>
      left + (target === to ? amount - fee : 0n) - (from === to ? amount : 0n),
    0n,
  );
  // The account of a wrapper hands all of it on to the trader.
  if (net <= 0n) return payout.amount - payout.fee;
  const change = balanceChanges(transaction).get(to);
  if (change === undefined || change >= net || change <= 0n) return net;
  // A transfer need not state the fee that is withheld. The balance tells, if nothing else moved it.
  const moves = transaction.calls.map(flowOf).filter((each) => each?.from === to || each?.to === to);
  return moves.length === 1 ? change : net;
}

/** The wallet that signed for the payment. Where a program signs for the hops of a route, the one that paid the route. */
function traderOf({ signers, calls }: ReportedTransaction, flows: readonly Flow[]): Address {
  const signed = flows.find(({ authority }) => signers.includes(authority));
  if (signed !== undefined) return signed.authority;
  const authorities = calls.flatMap((call) => flowOf(call)?.authority ?? []);
  const [payer] = signers;
  const trader = authorities.find((authority) => authority !== payer && signers.includes(authority));
  // A transaction has at least one signer.
  return trader ?? (payer as Address);
}

/**
 * Finds the trades that lead back to the token that they began with: those on a cycle of what was paid and received.
 *
 * @returns their indexes
 */
function circularTrades(swaps: readonly SwapInTransaction[]): ReadonlySet<number> {
  if (swaps.length < 2) return new Set();
  const next = new Map<Address, Set<Address>>();
  for (const { paid, received } of swaps) {
    next.set(paid.mint, (next.get(paid.mint) ?? new Set()).add(received.mint));
  }
  const leads = (from: Address, to: Address): boolean => {
    const seen = new Set([from]);
    for (const mint of seen) {
      if (mint === to) return true;
      for (const each of next.get(mint) ?? []) seen.add(each);
    }
    return false;
  };
  return new Set(
    swaps.flatMap(({ paid, received }, index) => (leads(received.mint, paid.mint) ? [index] : [])),
  );
}

function largest(flows: readonly Flow[]): Flow | null {
  let found: Flow | null = null;
  for (const flow of flows) if (found === null || flow.amount > found.amount) found = flow;
  return found;
}

function sum(flows: readonly Flow[]): bigint {
  return flows.reduce((total, { amount }) => total + amount, 0n);
}
