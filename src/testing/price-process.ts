import type { PoolHandle } from '../market/pools/liquidity.ts';
import type { Venue } from '../protocol/venue/venue.ts';
import { VolatilityEstimator } from '../market/prices/volatility.ts';
import { type Address, toAddress } from '../solana/address.ts';

const named = (byte: number): Address => toAddress(new Uint8Array(32).fill(byte));
const POOL = named(1);
const BASE = named(2);
const QUOTE = named(3);

/** One pool whose price the test moves, and what the estimator makes of it. */
export class SimulatedPrice {
  readonly #listeners = new Set<(market: PoolHandle) => void>();
  readonly #volatility: VolatilityEstimator;
  readonly #random: () => number;
  #slot = 1n;
  logPrice = 0;

  constructor(seed: number) {
    this.#random = uniform(seed);
    const onChange = (listener: (market: PoolHandle) => void) => {
      this.#listeners.add(listener);
      return () => this.#listeners.delete(listener);
    };
    this.#volatility = new VolatilityEstimator({ onChange }, () => this.#slot);
  }

  get variance(): number {
    return this.#volatility.variancePerSlot(POOL);
  }

  close(): void {
    this.#volatility.close();
  }

  /** Sets the price within the present slot. */
  trade(logPrice: number): void {
    this.logPrice = logPrice;
    const price = Math.exp(logPrice);
    const estimate = (_pool: unknown, mint: Address) => (mint === BASE ? price : 1 / price);
    const venue = { estimate } as unknown as Venue;
    const market: PoolHandle = { venue, pool: { address: POOL, mints: [BASE, QUOTE] } };
    for (const listener of this.#listeners) listener(market);
  }

  pass(slots = 1): void {
    this.#slot += BigInt(slots);
  }

  /** One slot of a random walk with that deviation. */
  step(deviation: number): void {
    this.trade(this.logPrice + deviation * this.normal());
    this.pass();
  }

  uniform(): number {
    return this.#random();
  }

  /** Box and Muller's. */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.#random())) * Math.cos(2 * Math.PI * this.#random());
  }
}

/** Marsaglia's xorshift of 32 bits, as a number from 0 up to 1. */
function uniform(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
