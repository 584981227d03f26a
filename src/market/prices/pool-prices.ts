import type { ChainClock } from '../../chain/chain.ts';
import { SETTLED_CLOCK } from '../../protocol/venue/venue.ts';
import type { Address } from '../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { BEYOND_RESERVES, estimateReceived } from '../estimate-received.ts';
import type { PoolHandle } from '../pools/liquidity.ts';
import type { Pools } from '../pools/pools.ts';
import { DOLLARS, DOLLARS_PER_ATOM, type Prices, type PriceSource } from './prices.ts';

/**
 * Prices of the tokens of some pools: those of a source that knows more than the pools do, such as trades, and without one
 * those of the pools.
 */
export class PoolPrices implements Prices {
  readonly #pools: Pools;
  readonly #source: PriceSource | null;
  #kept: KeptPrices | null = null;

  /** @param source - Every price is taken from it. Default: from the pools. */
  constructor(pools: Pools, source: PriceSource | null = null) {
    this.#pools = pools;
    this.#source = source;
  }

  get changes(): number {
    return this.#pools.changes;
  }

  /**
   * It is the price of the source. Without one, it is that of the pools: see `poolPrice`. A receipt token without pools is
   * worth what it is redeemed for.
   */
  dollarsPerAtom(mint: Address): number | null {
    if (DOLLARS.includes(mint)) return DOLLARS_PER_ATOM;
    return this.#source === null ? this.#ofPools(mint) : this.#source(mint);
  }

  /**
   * Only pools count in which a trade of 1,000 dollars in either direction pays at least nine tenths of that. A
   * constant-product pool needs some 9,000 dollars on each side for it. The price is that of the source. Without one, it
   * is the median of those pools, weighted by the dollars in them. An attacker who wants to move the price has to move pools
   * that hold half of those dollars, or add as many. To move it by a tenth, that means trades of about a twentieth of those
   * dollars, plus fees and what others earn by trading back.
   */
  worthInDollars(mint: Address, atoms: bigint): number | null {
    const deep = this.#deepPrice(mint);
    return deep === null ? null : Math.min(Number(atoms) * deep.dollarsPerAtom, deep.depth);
  }

  deepDollarsPerAtom(mint: Address): number | null {
    return this.#deepPrice(mint)?.dollarsPerAtom ?? null;
  }

  #deepPrice(mint: Address): DeepPrice | null {
    const deep = this.#deepPriceOfPools(mint);
    if (deep === null || this.#source === null || DOLLARS.includes(mint)) return deep;
    const followed = this.#source(mint);
    return followed === null ? null : { ...deep, dollarsPerAtom: followed };
  }

  #deepPriceOfPools(mint: Address): DeepPrice | null {
    if (DOLLARS.includes(mint)) return { dollarsPerAtom: DOLLARS_PER_ATOM, depth: Number.POSITIVE_INFINITY };
    const { deep } = this.#keptNow();
    const kept = deep.get(mint);
    if (kept !== undefined) return kept;
    const sol = mint === WRAPPED_SOL_MINT ? null : this.#deepPriceOfPools(WRAPPED_SOL_MINT);
    const price = deepPrice(this.#pools, mint, sol);
    // Mints without a price are not cached, as in `#ofPools`.
    if (price !== null) deep.set(mint, price);
    return price;
  }

  #keptNow(): KeptPrices {
    const { changes, clock } = this.#pools;
    const { slot, epoch } = clock;
    if (this.#kept?.changes !== changes || this.#kept.slot !== slot || this.#kept.epoch !== epoch) {
      this.#kept = { changes, slot, epoch, prices: new Map(), deep: new Map() };
    }
    return this.#kept;
  }

  #ofPools(mint: Address): number | null {
    const pools = this.#pools;
    const { prices } = this.#keptNow();
    const kept = prices.get(mint);
    if (kept !== undefined) return kept;
    const sol = mint === WRAPPED_SOL_MINT ? null : this.dollarsPerAtom(WRAPPED_SOL_MINT);
    const price = poolPrice(pools, mint, sol) ?? findReceiptPrice(pools, mint, sol);
    // Mints without a price are not cached: a request may name any mint, so there would be no bound.
    if (price !== null) prices.set(mint, price);
    return price;
  }
}

/** What the pools say until one of them changes, or the slot and the epoch, on which depends what pools and transfers cost. */
interface KeptPrices {
  readonly changes: number;
  readonly slot: bigint;
  readonly epoch: bigint;
  readonly prices: Map<Address, number>;
  readonly deep: Map<Address, DeepPrice>;
}

/** The price by one pool, and the dollars in it. */
interface PoolPrice {
  readonly dollarsPerAtom: number;
  readonly depth: number;
  /** Whether the pool's fee is so high now that its price decides nothing where other pools exist. */
  readonly isDear: boolean;
}

/**
 * Computes US dollars per atom of the mint between the pools' prices for buying and selling, whatever it was last traded
 * for: the median of the mint's pools against dollars and SOL, weighted by the dollars in them, so that small pools with
 * odd prices do not count. A pool that charges about a tenth or more counts only if there is no other.
 *
 * @param sol - US dollars per lamport; null if that is unknown, or if the mint is that of SOL itself
 * @returns null if no such pool exists
 */
function poolPrice(pools: Pools, mint: Address, sol: number | null): number | null {
  const poolPrices: PoolPrice[] = [];
  for (const dollar of DOLLARS)
    addPrices(poolPrices, pools.between(mint, dollar), [mint, dollar], DOLLARS_PER_ATOM, pools.clock);
  if (sol !== null)
    addPrices(poolPrices, pools.between(mint, WRAPPED_SOL_MINT), [mint, WRAPPED_SOL_MINT], sol, pools.clock);
  return computeWeightedMedian(leaveOutDear(poolPrices));
}

/** Anybody may open pools of any mint, so that no more of them are looked through. */
const MAX_COUNTERPARTS = 100;

/** Prices a receipt token that is not traded for dollars or SOL by the token that was deposited for it. */
function findReceiptPrice(pools: Pools, mint: Address, sol: number | null): number | null {
  let left = MAX_COUNTERPARTS;
  for (const other of pools.counterparts(mint).keys()) {
    if (left-- === 0) return null;
    const receipts = pools.between(mint, other).filter(({ venue }) => venue.issuesReceipts === true);
    const price =
      receipts.length === 0 ? null : poolPrice(pools, other, other === WRAPPED_SOL_MINT ? null : sol);
    const poolPrices: PoolPrice[] = [];
    if (price !== null) addPrices(poolPrices, receipts, [mint, other], price, pools.clock);
    if (poolPrices.length > 0) return computeWeightedMedian(leaveOutDear(poolPrices));
  }
  return null;
}

/** Adds the prices by the pools of one pair. */
function addPrices(
  poolPrices: PoolPrice[],
  handles: readonly PoolHandle[],
  [mint, quote]: readonly [Address, Address],
  dollarsPerQuoteAtom: number,
  clock: ChainClock,
): void {
  for (const handle of handles) {
    const price = computeMidPrice(handle, mint, quote);
    const depth =
      handle.venue.estimate(handle.pool, mint, BEYOND_RESERVES, SETTLED_CLOCK) * dollarsPerQuoteAtom;
    if (price > 0 && Number.isFinite(price) && depth > 0) {
      const isDear = isDearPool(handle, mint, quote, clock);
      poolPrices.push({ dollarsPerAtom: price * dollarsPerQuoteAtom, depth, isDear });
    }
  }
}

/** What is left of a little that is traded there and back if a pool charges a tenth each time. */
const LEFT_OF_DEAR_TRIP = 0.81;

/** Whether the pool's fees take about a tenth or more of each small swap now, or it trades in one direction at most. */
export function isDearPool(
  { venue, pool }: PoolHandle,
  mint: Address,
  quote: Address,
  clock: ChainClock,
): boolean {
  const left = venue.estimate(pool, mint, 1, clock) * venue.estimate(pool, quote, 1, clock);
  return !(left > LEFT_OF_DEAR_TRIP);
}

/** Returns the prices without those of dear pools, unless there are no others. */
export function leaveOutDear<Priced extends { readonly isDear: boolean }>(
  prices: readonly Priced[],
): readonly Priced[] {
  const fair = prices.filter(({ isDear }) => !isDear);
  return fair.length === 0 ? prices : fair;
}

/**
 * Returns atoms of `quote` for one of `mint`, halfway between selling and buying, because the pool's fees move those
 * apart by the same factor. What a pool charges for a while is therefore left aside.
 */
export function computeMidPrice({ venue, pool }: PoolHandle, mint: Address, quote: Address): number {
  return Math.sqrt(
    venue.estimate(pool, mint, 1, SETTLED_CLOCK) / venue.estimate(pool, quote, 1, SETTLED_CLOCK),
  );
}

/** Returns the price that half of the depth is not above; null if there is none. */
export function computeWeightedMedian(poolPrices: readonly Omit<PoolPrice, 'isDear'>[]): number | null {
  const sorted = [...poolPrices].sort((one, other) => one.dollarsPerAtom - other.dollarsPerAtom);
  const half = sorted.reduce((sum, { depth }) => sum + depth, 0) / 2;
  let below = 0;
  for (const { dollarsPerAtom: price, depth } of sorted) {
    below += depth;
    if (below >= half) return price;
  }
  return null;
}

/** A pool may price money decisions if a trade of this many dollars, either way, pays nearly that much. */
const PROBE_DOLLARS = 1_000;
const MIN_PROBE_SHARE = 0.9;

/** The price by deep pools alone, and the dollars in all of them. */
interface DeepPrice {
  readonly dollarsPerAtom: number;
  readonly depth: number;
}

/** @param sol - That of SOL; null if there is none, or if the mint is that of SOL itself. */
function deepPrice(pools: Pools, mint: Address, sol: DeepPrice | null): DeepPrice | null {
  const poolPrices: PoolPrice[] = [];
  for (const dollar of DOLLARS) addDeepPrices(poolPrices, pools, mint, dollar, DOLLARS_PER_ATOM);
  if (sol !== null) addDeepPrices(poolPrices, pools, mint, WRAPPED_SOL_MINT, sol.dollarsPerAtom);
  const price = computeWeightedMedian(poolPrices);
  if (price === null) return null;
  return { dollarsPerAtom: price, depth: poolPrices.reduce((sum, { depth }) => sum + depth, 0) };
}

/** Adds the prices by the deep pools of one pair. */
function addDeepPrices(
  poolPrices: PoolPrice[],
  pools: Pools,
  mint: Address,
  quote: Address,
  dollarsPerQuoteAtom: number,
): void {
  const handles = pools.between(mint, quote).filter((handle) => {
    const price = computeMidPrice(handle, mint, quote) * dollarsPerQuoteAtom;
    const received = (input: Address, amount: number) => estimateReceived(handle, input, amount, pools.clock);
    const sold = received(mint, PROBE_DOLLARS / price) * dollarsPerQuoteAtom;
    const bought = received(quote, PROBE_DOLLARS / dollarsPerQuoteAtom) * price;
    return Math.min(sold, bought) >= PROBE_DOLLARS * MIN_PROBE_SHARE;
  });
  addPrices(poolPrices, handles, [mint, quote], dollarsPerQuoteAtom, pools.clock);
}
