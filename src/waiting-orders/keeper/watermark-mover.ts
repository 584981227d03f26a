import type { Address } from '../../solana/address.ts';
import type { TriggerCondition } from '../order-plan.ts';
import type { WaitingOrderStore } from '../store/order-store.ts';
import type { TrailedPrice } from '../triggers/trigger-index.ts';
import type { WaitingOrder } from '../waiting-order.ts';

/** Orders whose watermarks one statement moves. */
const MOVED_AT_ONCE = 500;

export interface WatermarkMoverOptions {
  readonly orders: Pick<WaitingOrderStore, 'now' | 'moveWatermarks'>;
  /**
   * Returns the best price for orders with the condition that a token has had for long enough that a watermark may move to it;
   * null if it has none.
   */
  readonly findWatermark: (mint: Address, condition: TriggerCondition) => number | null;
  /** Returns the prices that open orders trail. */
  readonly trailed: () => Iterable<TrailedPrice>;
  /** Called with each order whose watermark has moved. */
  readonly onMoved: (order: WaitingOrder) => void;
  readonly isClosed: () => boolean;
}

/** What was last done for a price that orders trail. */
interface LastMove {
  readonly price: number;
  readonly added: number;
}

/**
 * Moves the watermarks of orders that trail a price, for all orders of a token at once. It does so only for tokens whose price has
 * changed since the last time, or that more orders trail since.
 */
export class WatermarkMover {
  readonly #options: WatermarkMoverOptions;
  #last = new Map<string, LastMove>();

  constructor(options: WatermarkMoverOptions) {
    this.#options = options;
  }

  /** @throws Unavailable when the store does not answer; the next call goes on where this one stopped */
  async move(): Promise<void> {
    const { findWatermark, trailed, isClosed } = this.#options;
    const last = this.#last;
    this.#last = new Map();
    const all = [...trailed()];
    for (const { mint, condition } of all) {
      const key = `${condition} ${mint}`;
      const known = last.get(key);
      if (known !== undefined) this.#last.set(key, known);
    }
    for (const { mint, condition, added } of all) {
      if (isClosed()) return;
      const key = `${condition} ${mint}`;
      const price = findWatermark(mint, condition);
      const known = this.#last.get(key);
      if (price === null || (known?.price === price && known.added === added)) continue;
      await this.#moveAll(mint, condition, price);
      this.#last.set(key, { price, added });
    }
  }

  async #moveAll(mint: Address, condition: TriggerCondition, price: number): Promise<void> {
    const { orders, onMoved, isClosed } = this.#options;
    const now = await orders.now();
    for (let moved = 1; moved > 0 && !isClosed(); ) {
      const page = await orders.moveWatermarks(mint, condition, price, { now, limit: MOVED_AT_ONCE });
      for (const order of page) onMoved(order);
      moved = page.length;
    }
  }
}
