import type { Timers } from '../../common/ports/timers.ts';
import type { WaitingOrder } from '../waiting-order.ts';
import type { KeptOrders } from './kept-orders.ts';

/** Orders that are read at once. */
const PAGE = 1_000;
/** A change is read again for this long, because a transaction that began earlier may end later. */
const OVERLAP_MS = 10_000;
/** How often those changes are read again. In between, only newer ones are. */
const OVERLAP_EVERY_MS = 5_000;

export interface OrderFollowerOptions {
  readonly orders: Pick<KeptOrders, 'now' | 'listOpen' | 'changedSince'>;
  readonly timers: Pick<Timers, 'now'>;
  /** Called with each open order, and after that with each order that was changed; with some of them more than once. */
  readonly onOrder: (order: WaitingOrder) => void;
}

/** Reads the open orders once, and then what other instances change. It also knows the time by the store's clock. */
export class OrderFollower {
  readonly #options: OrderFollowerOptions;
  /** The id of the last open order that was read; null when all were. */
  #loadedTo: string | null = '';
  /** Changes up to this time of the store were read. */
  #readTo = 0;
  #overlapAt = 0;
  /** When the last changes were read again, by the store's clock. */
  #overlappedAt = Number.POSITIVE_INFINITY;
  #storeTime = 0;
  #localTime = 0;

  constructor(options: OrderFollowerOptions) {
    this.#options = options;
  }

  /** Returns the store's time, by what it was at the last look and the local time since then. */
  now(): number {
    return this.#storeTime + Math.max(0, this.#options.timers.now() - this.#localTime);
  }

  /** Reads what is new. @throws Unavailable when the store does not answer; the next call goes on where this one stopped */
  async follow(): Promise<void> {
    const now = await this.#look();
    if (this.#loadedTo === '') this.#readTo = now;
    while (this.#loadedTo !== null) await this.#loadPage(this.#loadedTo);
    const isOverlapping = now >= this.#overlapAt || now < this.#overlapAt - OVERLAP_EVERY_MS;
    // After the store's clock was put back, new changes have earlier times than those that were read. And after an outage,
    // changes may be as old as it was long.
    const overlapped = Math.min(this.#readTo, this.#overlappedAt, now) - OVERLAP_MS;
    const from = isOverlapping ? overlapped : this.#readTo;
    let after = { updatedAt: from, id: '' };
    for (;;) {
      const changed = await this.#options.orders.changedSince(after, PAGE);
      for (const order of changed) this.#options.onOrder(order);
      const last = changed.at(-1);
      if (last !== undefined) {
        after = { updatedAt: last.updatedAt, id: last.id };
        this.#readTo = Math.max(this.#readTo, last.updatedAt);
      }
      if (changed.length < PAGE) break;
    }
    if (!isOverlapping) return;
    this.#overlapAt = now + OVERLAP_EVERY_MS;
    this.#overlappedAt = now;
  }

  async #loadPage(after: string): Promise<void> {
    const page = await this.#options.orders.listOpen(after, PAGE);
    for (const order of page) this.#options.onOrder(order);
    this.#loadedTo = page.length < PAGE ? null : (page.at(-1)?.id ?? null);
  }

  async #look(): Promise<number> {
    const now = await this.#options.orders.now();
    this.#storeTime = now;
    this.#localTime = this.#options.timers.now();
    return now;
  }
}
