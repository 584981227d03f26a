import type { ExecutedCall } from '../../chain/executed-transactions.ts';
import type { ReportedTransaction } from '../../chain/reported-transactions.ts';
import type { PoolHandle } from '../../market/pools/liquidity.ts';
import type { PoolState, Venue } from '../../protocol/venue/venue.ts';
import type { Address } from '../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import type { TradedAmount } from '../trades/trade.ts';
import { type AssetFlow, decodeFlow, collectFlows, findLargestFlow } from './flows.ts';
import { computeArrivedAmount } from './payouts.ts';

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
  /** Returns the pool at the address; null if it is not known. */
  readonly poolAt: (address: Address) => PoolHandle | null;
}

/**
 * Reads the swaps of a transaction from what its calls moved. They cannot be forged: a venue's program pays out of a pool
 * only for what was paid into it, whatever logs and arguments say.
 *
 * Returns in order of execution.
 */
export function findSwaps(reader: SwapReader, transaction: ReportedTransaction): readonly Swap[] {
  const { calls } = transaction;
  const found: SwapInTransaction[] = [];
  /** What a venue's program calls, such as the program behind a wrapper, belongs to the outer call. */
  let swapDepth = Number.POSITIVE_INFINITY;
  for (let index = 0; index < calls.length; index++) {
    const call = calls[index];
    if (call === undefined || call.depth > swapDepth) continue;
    swapDepth = Number.POSITIVE_INFINITY;
    const venue = reader.venues.get(call.program);
    const label = reader.fillPrograms.get(call.program);
    if (venue === undefined && label === undefined) continue;
    const flows = collectFlows(calls, index);
    const swaps =
      venue === undefined
        ? findFillSwap(transaction, call.accounts, flows, label ?? '')
        : findPoolSwaps(reader, venue, transaction, { call, flows });
    if (swaps.length > 0) swapDepth = call.depth;
    found.push(...swaps);
  }
  const circular = circularTrades(found);
  return found.map((swap, index) => ({ ...swap, isRoundTrip: circular.has(index) }));
}

type SwapInTransaction = Omit<Swap, 'isRoundTrip'>;

/** Most calls trade in one pool. A call that is no swap, such as a deposit of liquidity, has none. */
function findPoolSwaps(
  reader: SwapReader,
  venue: Venue,
  transaction: ReportedTransaction,
  { call, flows }: { readonly call: ExecutedCall; readonly flows: readonly AssetFlow[] },
): readonly SwapInTransaction[] {
  if (flows.length < 2) return [];
  // A user who calls the venue directly deposits. Only routes and wrappers trade by deposits.
  if (venue.isIssuer === true && call.program === venue.program && call.depth === 1) return [];
  const found: SwapInTransaction[] = [];
  const pools = new Set<PoolHandle>();
  for (const account of call.accounts) {
    const handle = reader.poolAt(account);
    if (handle === null || handle.venue.program !== venue.program || pools.has(handle)) continue;
    pools.add(handle);
    const swap = findPoolSwap(reader, { venue, pool: handle.pool }, transaction, flows);
    if (swap !== null) found.push(swap);
  }
  return found;
}

function findPoolSwap(
  reader: SwapReader,
  { venue, pool }: { readonly venue: Venue; readonly pool: PoolState },
  transaction: ReportedTransaction,
  flows: readonly AssetFlow[],
): SwapInTransaction | null {
  const holdings = venue.vaults?.(pool);
  if (holdings === undefined) return null;
  const into = (side: 0 | 1) => flows.filter(({ to }) => to === holdings[side]);
  const out = (side: 0 | 1) => flows.filter(({ from }) => from === holdings[side]);
  for (const [side, other] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const payment = findLargestFlow(into(side));
    const payout = findLargestFlow(out(other));
    if (payment === null || payout === null || into(other).length > 0 || out(side).length > 0) continue;
    return {
      pool: pool.address,
      venue: venue.label,
      // With fees that the payer's account pays to others than the pool.
      paid: { mint: pool.mints[side], amount: sum(flows.filter(({ from }) => from === payment.from)) },
      received: { mint: pool.mints[other], amount: computeArrivedAmount(transaction, flows, payout) },
      trader: resolveTrader(reader, transaction, flows),
    };
  }
  return null;
}

/** The taker is the first account of a fill, the maker the second. Lamports are SOL. */
function findFillSwap(
  transaction: ReportedTransaction,
  [taker, maker]: readonly Address[],
  flows: readonly AssetFlow[],
  venue: string,
): readonly SwapInTransaction[] {
  const payment = findLargestFlow(flows.filter(({ authority }) => authority === taker));
  const payout = findLargestFlow(flows.filter(({ authority }) => authority === maker));
  if (taker === undefined || payment === null || payout === null) return [];
  const [paidMint, receivedMint] = [getFlowMint(transaction, payment), getFlowMint(transaction, payout)];
  if (paidMint === receivedMint) return [];
  return [
    {
      pool: null,
      venue,
      paid: { mint: paidMint, amount: payment.amount },
      received: { mint: receivedMint, amount: computeArrivedAmount(transaction, flows, payout) },
      trader: taker,
    },
  ];
}

function getFlowMint(
  { preTokenBalances, postTokenBalances }: ReportedTransaction,
  { from, to }: AssetFlow,
): Address {
  for (const balances of [preTokenBalances, postTokenBalances]) {
    const known = balances().find(({ account }) => account === from || account === to);
    if (known !== undefined) return known.mint;
  }
  return WRAPPED_SOL_MINT;
}

/**
 * The wallet that signed for the payment. Where a program signs for the hops of a route, the one that paid the route: not
 * a market maker that fills another swap of the transaction.
 */
function resolveTrader(
  { fillPrograms }: SwapReader,
  { signers, calls }: ReportedTransaction,
  flows: readonly AssetFlow[],
): Address {
  const signed = flows.find(({ authority }) => signers.includes(authority));
  if (signed !== undefined) return signed.authority;
  const makers = calls.flatMap(({ program, accounts: [, maker] }) =>
    fillPrograms.has(program) && maker !== undefined ? [maker] : [],
  );
  const wallets = signers.filter((signer) => !makers.includes(signer));
  const authorities = new Set(calls.flatMap((call) => decodeFlow(call)?.authority ?? []));
  // The payer of the network's fee may be a sponsor.
  const trader = wallets.slice(1).find((wallet) => authorities.has(wallet));
  // A transaction has at least one signer.
  return trader ?? wallets[0] ?? (signers[0] as Address);
}

/**
 * Finds the trades that lead back to the token that they began with: those on a cycle of what was paid and received.
 *
 * Returns their indexes.
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

function sum(flows: readonly AssetFlow[]): bigint {
  return flows.reduce((total, { amount }) => total + amount, 0n);
}
