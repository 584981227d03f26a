import type { Address } from '../../../solana/address.ts';
import type { PriorityFeeSample } from '../../chain.ts';

/** Slots that samples are kept of, as RPC nodes do. */
const KEPT_SLOTS = 150;
/** Accounts of one slot that a price is kept for; further ones are only in the slot's own price. */
const MAX_ACCOUNTS = 4096;

/** The lowest prices, in micro-lamports per compute unit, that landed a transaction in one slot. */
export interface SlotPrices {
  readonly slot: bigint;
  /** What congestion asks for at least; 0 without any. */
  readonly floor: bigint;
  /** Null when nothing landed. */
  readonly lowest: bigint | null;
  /** By account that a landed transaction could write. */
  readonly byAccount: ReadonlyMap<Address, bigint>;
}

interface OpenPrices {
  readonly slot: bigint;
  /** Congestion: what is reported at least. */
  floor: bigint;
  lowest: bigint | null;
  readonly byAccount: Map<Address, bigint>;
}

export class PriorityFees {
  /** Oldest first; the last is the open slot's. */
  #slots: OpenPrices[] = [];

  /** What is reported at least of the open slot and those after it. */
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

  /** Of a slot that is still kept. */
  of(slot: bigint): SlotPrices | null {
    return this.#slots.findLast((prices) => prices.slot === slot) ?? null;
  }

  /**
   * Oldest first, one sample for each slot: the highest of the slot's lowest price and the lowest prices of those of
   * `addresses` that were written in it, and never less than the slot's floor.
   */
  samples(addresses: readonly Address[]): PriorityFeeSample[] {
    return this.#slots.map(({ slot, floor, lowest, byAccount }) => {
      let price = lowest === null || lowest < floor ? floor : lowest;
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
