import type { Address } from '../../solana/address.ts';
import type { PoolHandle, Pools } from '../pools/pools.ts';
import { midPrice } from './prices.ts';

/** After so many slots, about a minute, what was seen counts half. */
const HALF_LIFE = 150;
/** What a move of one slot counts, so that a steady price process comes to its variance per slot. */
const WEIGHT = 1 - 0.5 ** (1 / HALF_LIFE);
/** Pools whose price is read at once; the others follow with the next slot. */
const BATCH = 2_000;

interface Seen {
  logPrice: number;
  /** Of the natural logarithm of the price, per slot, as of `slot`. */
  variance: number;
  slot: number;
}

/**
 * How much pools' prices move: the exponentially weighted mean of the squared moves of the log price, per slot. Each
 * pool counts with its price at the end of a slot, so that what goes back and forth within one is not a move.
 */
export class Volatility {
  readonly #slot: () => bigint;
  readonly #seen = new Map<Address, Seen>();
  /** Pools that changed in `#current`, in the state that they were in last: a market's own is replaced. */
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

  /** Variance of the log price per slot; 0 for a pool that was not seen to move. */
  variancePerSlot(pool: Address): number {
    this.#settle();
    const seen = this.#seen.get(pool);
    return seen === undefined ? 0 : seen.variance * decay(this.#current - seen.slot);
  }

  close(): void {
    this.#stop();
  }

  /** When a slot has ended, takes in the prices that it ended with. */
  #settle(): void {
    const now = Number(this.#slot());
    if (now === this.#current) return;
    const ended = this.#current;
    this.#current = now;
    let left = BATCH;
    for (const [address, market] of this.#changed) {
      if (left-- === 0) break;
      this.#changed.delete(address);
      this.#take(market, ended);
    }
  }

  #take(market: PoolHandle, slot: number): void {
    const [base, quote] = market.pool.mints;
    const logPrice = Math.log(midPrice(market, base, quote));
    if (!Number.isFinite(logPrice)) return;
    const seen = this.#seen.get(market.pool.address);
    if (seen === undefined) {
      this.#seen.set(market.pool.address, { logPrice, variance: 0, slot });
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
