import type { Address } from '../../solana/address.ts';
import type { PriorityFeeSample } from '../chain.ts';

/** Slots that samples are kept of, as RPC nodes do. */
const KEPT_SLOTS = 150;
/** Accounts of one slot that a price is kept for; further ones are only in the slot's own price. */
const MAX_ACCOUNTS = 4096;

/** The lowest prices, in micro-lamports per compute unit, that landed a transaction in one slot. */
export interface SlotPrices {
  readonly slot: bigint;
  /** Null when nothing landed. */
  readonly lowest: bigint | null;
  /** By account that a landed transaction could write. */
  readonly byAccount: ReadonlyMap<Address, bigint>;
}

interface OpenPrices {
  readonly slot: bigint;
  lowest: bigint | null;
  readonly byAccount: Map<Address, bigint>;
}

export class PriorityFees {
  /** Oldest first; the last is the open slot's. */
  #slots: OpenPrices[] = [];

  openSlot(slot: bigint): void {
    this.#slots.push({ slot, lowest: null, byAccount: new Map() });
    if (this.#slots.length > KEPT_SLOTS) this.#slots.shift();
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

  /** The newest slot. */
  latest(): SlotPrices | null {
    return this.#slots.at(-1) ?? null;
  }

  /**
   * Oldest first, one sample for each slot: the highest of the slot's lowest price and the lowest prices of those of
   * `addresses` that were written in it, and never less than `floor`.
   */
  samples(addresses: readonly Address[], floor: bigint): PriorityFeeSample[] {
    return this.#slots.map(({ slot, lowest, byAccount }) => {
      let price = lowest ?? 0n;
      for (const address of addresses) {
        const own = byAccount.get(address) ?? 0n;
        if (own > price) price = own;
      }
      return { slot, microLamports: price > floor ? price : floor };
    });
  }
}

function lower(left: bigint | null, right: bigint): bigint {
  return left === null || right < left ? right : left;
}
