import type { Address } from '../../solana/address.ts';
import type { Swap } from './swaps.ts';

/** The most trades of one slot that are remembered. In those beyond, nobody is caught. */
const MAX_TRADES = 20_000;

interface SeenTrades {
  /** By wallet: the place of its first trade, by the mint that it paid. */
  readonly first: Map<Address, Map<Address, number>>;
  readonly traders: Address[];
}

/** Finds wallets that trade in a pool in both directions within a slot, around the trades of others. */
export class Sandwiches {
  #slot = -1n;
  #count = 0;
  #pools = new Map<Address, SeenTrades>();

  /** Whether the wallet has traded in the other direction before somebody else did in this slot. */
  add(
    slot: bigint,
    { pool, trader, paid, received }: Pick<Swap, 'pool' | 'trader' | 'paid' | 'received'>,
  ): boolean {
    if (slot !== this.#slot) {
      this.#slot = slot;
      this.#count = 0;
      this.#pools = new Map();
    }
    if (pool === null || this.#count >= MAX_TRADES) return false;
    this.#count++;
    let seen = this.#pools.get(pool);
    if (seen === undefined) {
      seen = { first: new Map(), traders: [] };
      this.#pools.set(pool, seen);
    }
    const own = seen.first.get(trader) ?? new Map<Address, number>();
    // The other direction paid what this one receives.
    const opposite = own.get(received.mint);
    const isSandwich =
      opposite !== undefined && seen.traders.slice(opposite + 1).some((other) => other !== trader);
    if (!own.has(paid.mint)) own.set(paid.mint, seen.traders.length);
    seen.first.set(trader, own);
    seen.traders.push(trader);
    return isSandwich;
  }
}
