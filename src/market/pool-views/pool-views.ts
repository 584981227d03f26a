import type { ChainClock } from '../../chain/chain.ts';
import type { Work } from '../../common/work/work.ts';
import type { PoolReserves, Quote, Venue } from '../../protocol/venue/venue.ts';
import type { Address } from '../../solana/address.ts';
import { estimateReceived } from '../estimate-received.ts';
import type { PoolHandle, UnusablePool } from '../pools/liquidity.ts';
import type { Pools } from '../pools/pools.ts';
import { computeMidPrice } from '../prices/pool-prices.ts';
import { quoteAlone } from './depth-curve.ts';
import { type PoolChange, PoolChanges } from './pool-changes.ts';
import { type PoolCurves, PoolDepths } from './pool-depths.ts';
import { type OrderedPool, type PoolFilter, PoolOrder } from './pool-order.ts';
import { estimatePaidOut, estimatePoolDollars } from './pool-worth.ts';

/** A pool as a list shows it. */
export interface PoolSummary {
  readonly address: Address;
  /** The venue's label. */
  readonly venue: string;
  readonly mints: readonly [Address, Address];
  /** US dollars that it could pay out on both sides; null if neither token has a price, and for a pool that exists for minutes. */
  readonly dollars: number | null;
  /**
   * Atoms of the second token for one of the first: between selling and buying, or that of the only direction that is open.
   * Null if both are closed.
   */
  readonly price: number | null;
  /** What a small swap loses to fees now, as a share: the mean of both directions. Null if one of them is closed. */
  readonly feeShare: number | null;
  /** Null if it has not changed since Sluice started. */
  readonly change: PoolChange | null;
}

/** All that is known of a pool that routes can use. */
export interface PoolReport extends PoolSummary {
  readonly program: Address;
  /** The accounts that hold its tokens; null if its venue does not tell. */
  readonly vaults: readonly [Address, Address] | null;
  /** What it holds, exactly; null if its venue does not tell. */
  readonly reserves: PoolReserves['amounts'] | null;
  /** What it could pay out of each token, in atoms, by estimate; null for a pool that exists for minutes. */
  readonly paidOut: readonly [number, number] | null;
  /** The Unix second since which it can be traded; null if its accounts do not tell. */
  readonly openedAt: bigint | null;
  readonly isShortLived: boolean;
  readonly depth: PoolCurves;
  /** Atoms of the second token for one of the first, as the price feeds say; null without feeds of both. */
  readonly feedPrice: number | null;
  /** The same as market data says, which follows trades. */
  readonly marketPrice: number | null;
  readonly clock: ChainClock;
}

export interface PoolViewsOptions {
  readonly pools: Pools;
  readonly venues: readonly Venue[];
  /** Returns US dollars per atom, as market data has them; null for a token without a price. */
  readonly dollarsPerAtom: (mint: Address) => number | null;
  /** Returns US dollars per atom by the network's own price feed; null for a token without one. */
  readonly findFeedPrice: (mint: Address) => number | null;
  /** Returns the symbol of a token; null if it is not known. */
  readonly findSymbol: (mint: Address) => string | null;
  /** Returns the newest slot. */
  readonly slot: () => bigint;
  /** Returns Unix milliseconds. */
  readonly now: () => number;
}

/** The result of quoting one pool alone. */
export type PoolQuote =
  | { readonly kind: 'quoted'; readonly quote: Quote }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unknown-pool' }
  | { readonly kind: 'other-mint' };

/** Pools as people look at them: lists of them, and the depth of each. Everything is answered from memory. */
export class PoolViews {
  readonly #options: PoolViewsOptions;
  readonly #venues: ReadonlyMap<string, Venue>;
  readonly #order: PoolOrder;
  readonly #depths = new PoolDepths();
  readonly #changes: PoolChanges;

  constructor(options: PoolViewsOptions) {
    this.#options = options;
    this.#venues = new Map(options.venues.map((venue) => [venue.label, venue]));
    this.#order = new PoolOrder(options);
    this.#changes = new PoolChanges(options.pools, options.slot, options.now);
  }

  close(): void {
    this.#changes.close();
  }

  /** The labels of the venues. */
  get venueLabels(): readonly string[] {
    return [...this.#venues.keys()];
  }

  /** Lists the pools that match: those with most dollars first, and last those that routes cannot use. */
  list(filter: PoolFilter, work?: Work): Promise<readonly OrderedPool[]> {
    return this.#order.list(filter, work);
  }

  /** Describes a pool of a list. */
  summarize(handle: PoolHandle): PoolSummary {
    const { venue, pool } = handle;
    const { address, mints } = pool;
    const price = this.#computePrice(handle);
    return {
      address,
      venue: venue.label,
      mints,
      dollars: venue.isShortLived === true ? null : estimatePoolDollars(handle, this.#options.dollarsPerAtom),
      price,
      feeShare: price === null ? null : this.#computeFeeShare(handle),
      change: this.#changes.find(handle),
    };
  }

  /** Returns what is known of the pool at the address; null if no pool is there. */
  find(address: Address): PoolReport | UnusablePool | null {
    const { pools } = this.#options;
    const handle = pools.find(address);
    return handle === null ? pools.findUnusable(address) : this.#report(handle);
  }

  /** Quotes a swap through one pool, whatever routes would do. */
  quote(address: Address, inputMint: Address, amount: bigint): PoolQuote {
    const { pools } = this.#options;
    const handle = pools.find(address);
    if (handle === null) return { kind: 'unknown-pool' };
    if (!handle.pool.mints.includes(inputMint)) return { kind: 'other-mint' };
    const quote = quoteAlone(handle, inputMint, amount, pools.clock);
    return quote === null ? { kind: 'refused' } : { kind: 'quoted', quote };
  }

  #report(handle: PoolHandle): PoolReport {
    const { pools, findFeedPrice, dollarsPerAtom } = this.#options;
    const { venue, pool } = handle;
    const whole = this.#venues.get(venue.label);
    return {
      ...this.summarize(handle),
      program: venue.program,
      vaults: whole?.vaults?.(pool) ?? null,
      reserves: whole?.reserves?.(pool)?.amounts ?? null,
      paidOut: venue.isShortLived === true ? null : estimatePaidOut(handle),
      openedAt: venue.openedAt?.(pool) ?? null,
      isShortLived: venue.isShortLived === true,
      depth: this.#depths.getCurves(handle, pools.clock),
      feedPrice: computeRatio(pool.mints, findFeedPrice),
      marketPrice: computeRatio(pool.mints, dollarsPerAtom),
      clock: pools.clock,
    };
  }

  /** A launch that nobody has bought yet trades in one direction, and a round of a forecast has no price after its end. */
  #computePrice(handle: PoolHandle): number | null {
    const { clock } = this.#options.pools;
    const [first, second] = handle.pool.mints;
    const sold = estimateReceived(handle, first, 1, clock);
    const bought = 1 / estimateReceived(handle, second, 1, clock);
    const prices = [computeMidPrice(handle, first, second), Math.sqrt(sold * bought), sold, bought];
    return prices.find((price) => price > 0 && Number.isFinite(price)) ?? null;
  }

  /** A trip there and back pays the fees of both directions. */
  #computeFeeShare(handle: PoolHandle): number | null {
    const { clock } = this.#options.pools;
    const [first, second] = handle.pool.mints;
    const left = estimateReceived(handle, first, 1, clock) * estimateReceived(handle, second, 1, clock);
    return left > 0 && Number.isFinite(left) ? Math.max(0, 1 - Math.sqrt(left)) : null;
  }
}

/** Atoms of the second token for one of the first, by the dollars of each. */
function computeRatio(
  [first, second]: readonly [Address, Address],
  dollarsPerAtom: (mint: Address) => number | null,
): number | null {
  const [one, other] = [dollarsPerAtom(first), dollarsPerAtom(second)];
  const ratio = one === null || other === null ? null : one / other;
  return ratio !== null && ratio > 0 && Number.isFinite(ratio) ? ratio : null;
}
