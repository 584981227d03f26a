import type { Address } from '../../src/solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../src/solana/program-addresses.ts';
import type { HeldPrice } from '../../src/waiting-orders/triggers/trigger-index.ts';
import type { RandomNumbers } from './random-numbers.ts';
import { USDC } from './wanted-orders.ts';

/** Prices that the median is taken of. */
const MEDIAN_OF = 15;
/** So many prices make a price that has held. */
const HELD_OF = 2;
const LOWEST = 184;
const HIGHEST = 216;

/** Prices of SOL that move in each round, as the keepers of a campaign see them. USDC is worth a dollar. */
export class CampaignPrices {
  readonly #random: RandomNumbers;
  /** US dollars for one SOL, the newest last. */
  readonly #prices: number[] = [200];

  constructor(random: RandomNumbers) {
    this.#random = random;
  }

  get newest(): number {
    return this.#prices.at(-1) ?? 0;
  }

  move(): void {
    const moved = this.newest * (1 + (this.#random.fraction() - 0.5) * 0.012);
    this.#prices.push(Math.min(Math.max(moved, LOWEST), HIGHEST));
  }

  price(mint: Address): number | null {
    if (mint === USDC) return 1;
    return mint === WRAPPED_SOL_MINT ? this.newest : null;
  }

  held(mint: Address): HeldPrice | null {
    const price = this.price(mint);
    if (price === null || mint === USDC) return price === null ? null : { low: price, high: price };
    const held = this.#prices.slice(-HELD_OF);
    return { low: Math.min(...held), high: Math.max(...held) };
  }

  median(mint: Address): number | null {
    return mint === WRAPPED_SOL_MINT ? computeMedian(this.#prices.slice(-MEDIAN_OF)) : this.price(mint);
  }

  toWorth(_mint: Address, price: number): number {
    return price;
  }
}

function computeMedian(prices: readonly number[]): number | null {
  const sorted = [...prices].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}

/** Shares of USDC have its decimals. */
export function getDecimals(mint: Address): number {
  return mint === WRAPPED_SOL_MINT ? 9 : 6;
}
