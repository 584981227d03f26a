import type { Address } from '../../solana/address.ts';
import type { ExchangeOrder } from '../exchange-order.ts';
import type { BookOrder } from './book-order.ts';
import { countLots } from './lots.ts';

/** The orders of each owner that have not ended. */
export class OwnerOrders {
  readonly #owners = new Map<Address, Set<BookOrder>>();

  add(order: BookOrder): void {
    const own = this.#owners.get(order.order.owner);
    if (own === undefined) this.#owners.set(order.order.owner, new Set([order]));
    else own.add(order);
  }

  remove(order: BookOrder): void {
    const own = this.#owners.get(order.order.owner);
    if (own === undefined) return;
    own.delete(order);
    if (own.size === 0) this.#owners.delete(order.order.owner);
  }

  /** Returns how many orders of an owner rest, in all markets. */
  countResting(owner: Address): number {
    let resting = 0;
    for (const { resting: lots } of this.#owners.get(owner) ?? []) if (lots > 0) resting++;
    return resting;
  }

  /** Returns the lots of a sale that its owner has and that no other sale offers. */
  countSaleLots({ owner, marketId, isYes, contracts, heldContracts }: ExchangeOrder): number {
    let held = countLots(heldContracts);
    for (const { order, remaining, inFlight } of this.#owners.get(owner) ?? []) {
      if (order.isBuy || order.marketId !== marketId || order.isYes !== isYes) continue;
      held -= remaining + inFlight;
    }
    return Math.min(held, countLots(contracts));
  }
}
