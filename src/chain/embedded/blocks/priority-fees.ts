import type { Address } from '../../../solana/address.ts';
import type { PriorityFeeSample } from '../../chain.ts';

/** The number of slots with samples, as on RPC nodes. */
const KEPT_SLOTS = 150;
/** The maximum number of accounts per slot with a price. Further accounts only count for the price of the slot. */
const MAX_ACCOUNTS = 4096;

/** The lowest prices, in micro-lamports per compute unit, that landed a transaction in one slot. */
export interface SlotPrices {
  readonly slot: bigint;
  /** The minimum price by the `congestion` fault; 0 without it. */
  readonly floor: bigint;
  /** Null when nothing landed. */
  readonly lowest: bigint | null;
  /** The lowest price for each account that a landed transaction could write. */
  readonly byAccount: ReadonlyMap<Address, bigint>;
}

interface OpenPrices {
  readonly slot: bigint;
  /** The minimum that is reported during congestion. */
  floor: bigint;
  lowest: bigint | null;
  readonly byAccount: Map<Address, bigint>;
}

export class PriorityFees {
  /** Oldest first; the last is the open slot's. */
  #slots: OpenPrices[] = [];

  /** The minimum that is reported for the open slot and those after it. */
  #floor = 0n;

  openSlot(slot: bigint): void {
    this.#slots.push({ slot, floor: this.#floor, lowest: null, byAccount: new Map() });
    if (this.#slots.length > KEPT_SLOTS) this.#slots.shift();
  }

  setFloor(floor: bigint): void {
    this.#floor = floor;
    const open = this.#slots.at(-1);
    if (open !== undefined) open.floor = floor;
  }

  add(price: bigint, writable: readonly Address[]): void {
    const open = this.#slots.at(-1);
    if (open === undefined) return;
    open.lowest = lower(open.lowest, price);
    for (const address of writable) {
      const known = open.byAccount.get(address);
      if (known === undefined && open.byAccount.size >= MAX_ACCOUNTS) continue;
      if (known === undefined || price < known) open.byAccount.set(address, price);
    }
  }

  /** Returns the prices of a slot, or null when they are no longer kept. */
  of(slot: bigint): SlotPrices | null {
    return this.#slots.findLast((prices) => prices.slot === slot) ?? null;
  }

  /**
   * Returns one sample per slot, oldest first. It is the highest of the slot's lowest price and the lowest prices of those
   * `addresses` that were written in the slot, and at least the slot's floor and the current one. Congestion is reported
   * for all slots at once, so that a client that looks at the last minute pays enough.
   */
  samples(addresses: readonly Address[]): PriorityFeeSample[] {
    return this.#slots.map(({ slot, floor, lowest, byAccount }) => {
      let price = [floor, this.#floor, lowest ?? 0n].reduce((most, one) => (one > most ? one : most));
      for (const address of addresses) {
        const own = byAccount.get(address) ?? 0n;
        if (own > price) price = own;
      }
      return { slot, microLamports: price };
    });
  }
}

function lower(left: bigint | null, right: bigint): bigint {
  return left === null || right < left ? right : left;
}
