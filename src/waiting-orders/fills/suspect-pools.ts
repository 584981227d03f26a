import { BoundedCache } from '../../common/collections/bounded-cache.ts';
import type { Route } from '../../market/router/index.ts';
import type { Address } from '../../solana/address.ts';
import type { OrderSale } from '../order-sale.ts';

/** How many fills in a row have to fail before the pools of their routes are avoided. */
const FAILURES = 3;
const REMEMBERED_ORDERS = 4_096;
const REMEMBERED_POOLS = 32;
const NONE: ReadonlySet<Address> = new Set();

/**
 * The pools of fills that did not succeed. The owner of a pool could offer the best price to every fill and take it back before
 * the fill lands, so that an order is never filled. What a keeper remembers of it need not survive the keeper.
 */
export class SuspectPools {
  readonly #routes = new BoundedCache<string, ReadonlySet<Address>>(REMEMBERED_ORDERS);

  /** Returns the pools that the next fill of the order does better without. */
  of({ id, failures }: Pick<OrderSale, 'id' | 'failures'>): ReadonlySet<Address> {
    return failures < FAILURES ? NONE : (this.#routes.get(id) ?? NONE);
  }

  /** Remembers the route of a fill that is about to be tried. */
  note({ id, failures }: Pick<OrderSale, 'id' | 'failures'>, { legs }: Pick<Route, 'legs'>): void {
    const before = failures === 0 ? NONE : (this.#routes.get(id) ?? NONE);
    const pools = [...before, ...legs.map(({ handle }) => handle.pool.address)];
    this.#routes.set(id, new Set(pools.slice(-REMEMBERED_POOLS)));
  }
}
