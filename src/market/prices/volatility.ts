import type { Address } from '../../solana/address.ts';
import type { PoolHandle } from '../pools/liquidity.ts';
import type { Pools } from '../pools/pools.ts';
import { computeMidPrice } from './pool-prices.ts';

/** The half-life of what was observed, in slots: about a minute. */
const HALF_LIFE = 150;
/** The weight of a move of one slot. With it, a steady price process yields its variance per slot. */
const WEIGHT = 1 - 0.5 ** (1 / HALF_LIFE);
/** The most pools whose price is read in one slot. The others follow in the next. */
const BATCH = 2_000;

interface SeenPrice {
  logPrice: number;
  /** The variance per slot of the natural logarithm of the price, as of `slot`. */
  variance: number;
  slot: number;
}

/**
 * Measures how much the prices of pools move: the exponentially weighted mean of the squared moves of the log price,
 * per slot. Each pool counts with its price at the end of a slot, so that a price that returns within a slot did not
 * move.
 *
 * @example
 * ```ts
 * import type { Chain } from '../../chain/chain.ts';
 * import type { Address } from '../../solana/address.ts';
 * import type { Pools } from '../pools/pools.ts';
 * import { VolatilityEstimator } from './volatility.ts';
 *
 * // A function that returns the standard deviation of a pool's price within a minute, as a fraction.
 * function deviations(pools: Pools, chain: Chain): (pool: Address) => number {
 *   const volatility = new VolatilityEstimator(pools, () => chain.clock().slot);
 *   return (pool) => Math.sqrt(150 * volatility.variancePerSlot(pool));
 * }
 * ```
 */
export class VolatilityEstimator {
  readonly #slot: () => bigint;
  readonly #seen = new Map<Address, SeenPrice>();
  /**
   * Pools that changed in `#current`, with the last state of that slot. They are copies, because the state of a
   * `PoolHandle` is replaced.
   */
  readonly #changed = new Map<Address, PoolHandle>();
  #current: number;
  readonly #stop: () => void;

  constructor(pools: Pick<Pools, 'onChange'>, slot: () => bigint) {
    this.#slot = slot;
    this.#current = Number(slot());
    this.#stop = pools.onChange(({ venue, pool }) => {
      this.#settle();
      this.#changed.set(pool.address, { venue, pool });
    });
  }

  /** Returns the variance of the log price per slot; 0 for a pool that has not moved. */
  variancePerSlot(pool: Address): number {
    this.#settle();
    const seen = this.#seen.get(pool);
    return seen === undefined ? 0 : seen.variance * decay(this.#current - seen.slot);
  }

  close(): void {
    this.#stop();
  }

  /** After a slot has ended, records the prices at its end. */
  #settle(): void {
    const now = Number(this.#slot());
    if (now === this.#current) return;
    const ended = this.#current;
    this.#current = now;
    let left = BATCH;
    for (const [address, handle] of this.#changed) {
      if (left-- === 0) break;
      this.#changed.delete(address);
      this.#take(handle, ended);
    }
  }

  #take(handle: PoolHandle, slot: number): void {
    const [base, quote] = handle.pool.mints;
    const logPrice = Math.log(computeMidPrice(handle, base, quote));
    if (!Number.isFinite(logPrice)) return;
    const seen = this.#seen.get(handle.pool.address);
    if (seen === undefined) {
      this.#seen.set(handle.pool.address, { logPrice, variance: 0, slot });
      return;
    }
    const move = logPrice - seen.logPrice;
    seen.variance = seen.variance * decay(slot - seen.slot) + WEIGHT * move * move;
    seen.logPrice = logPrice;
    seen.slot = slot;
  }
}

function decay(slots: number): number {
  return 0.5 ** (Math.max(0, slots) / HALF_LIFE);
}
