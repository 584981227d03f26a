import { Unavailable } from '../../common/unavailable.ts';
import type { Address } from '../../solana/address.ts';
import { checkEnd, type PriceKnowledge } from '../deposits/price-checks.ts';
import type { RequestedPrices } from '../deposits/order-request.ts';
import { applyOrderEvent } from '../machine.ts';
import { isOrderId } from '../order-id.ts';
import { isRecurring, type PricePlan } from '../order-plan.ts';
import { OrderRefused } from '../order-refused.ts';
import type { WaitingOrderStore } from '../store/order-store.ts';
import type { WaitingOrder } from '../waiting-order.ts';
import { changePlan } from './change-plan.ts';

/** How a wallet changes an order. What is null stays as it is. */
export interface OrderEdit extends RequestedPrices {
  /** The wallet that has signed in. */
  readonly wallet: Address;
  readonly orderId: string;
  /** The kind of the order, which cannot be changed. */
  readonly kind: PricePlan['kind'];
  /** Unix milliseconds. */
  readonly expiresAt: number | null;
}

export interface EditDependencies extends PriceKnowledge {
  readonly orders: Pick<WaitingOrderStore, 'get' | 'now' | 'update'>;
  /** Called with an order that was changed, right after the change is stored. */
  readonly onChange: (order: WaitingOrder) => void;
}

/** How often a change is tried again that another writer forestalled. Keepers change an order at most a few times a second. */
const MAX_ATTEMPTS = 20;

/** Changes the prices, the slippages and the end of orders that wait. */
export class OrderEdits {
  readonly #dependencies: EditDependencies;

  constructor(dependencies: EditDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Changes an order, and returns it as it is then. A keeper that plans a fill at the old prices can no longer record it; one that has recorded a fill has won,
   * and the order is not changed.
   *
   * @throws OrderRefused with a sentence for the client
   * @throws Unavailable when the database does not answer
   */
  async edit(edit: OrderEdit): Promise<WaitingOrder> {
    const { orders, onChange } = this.#dependencies;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const order = await this.#requireOpen(edit);
      const at = await orders.now();
      const expiresAt = edit.expiresAt === null ? order.expiresAt : checkEnd(edit.expiresAt, at);
      const plan = changePlan(order, edit, this.#dependencies);
      const changed = applyOrderEvent(order, { kind: 'edited', plan, expiresAt, at });
      if (!changed.ok) throw createNotEditable(order, changed.error.message);
      if (await orders.update(changed.value, order.revision)) {
        onChange(changed.value);
        return changed.value;
      }
    }
    throw new Unavailable(`the order ${edit.orderId} is being changed; send the same request again`);
  }

  async #requireOpen({ wallet, orderId, kind }: OrderEdit): Promise<WaitingOrder> {
    const order = isOrderId(orderId) ? await this.#dependencies.orders.get(orderId) : null;
    if (order === null || isRecurring(order.plan)) throw new OrderRefused('not found', 'Order not found');
    if (order.wallet !== wallet) {
      throw new OrderRefused('not the owner', 'Forbidden: the order belongs to a different wallet');
    }
    if (order.plan.kind !== kind) {
      throw new OrderRefused(
        'invalid',
        `orderType must be '${order.plan.kind}', as the order is, got '${kind}'`,
        'orderType',
      );
    }
    if (order.state !== 'open') throw createNotEditable(order, 'only open orders can be updated');
    return order;
  }
}

function createNotEditable({ state }: WaitingOrder, reason: string): OrderRefused {
  return new OrderRefused('invalid', `Order cannot be updated in '${state}' state: ${reason}`);
}
