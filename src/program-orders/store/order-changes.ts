import type { Address } from '../../solana/address.ts';
import type { ProgramOrderTrade } from '../program-order.ts';
import type { RecordedOrder } from './order-rows.ts';

/** What an event says of an order. */
export type OrderStep =
  | { readonly kind: 'open'; readonly order: RecordedOrder }
  | {
      readonly kind: 'change';
      readonly address: Address;
      /** Returns the order after the event. */
      readonly change: (order: RecordedOrder) => ChangedOrder;
    };

export interface ChangedOrder {
  readonly order: RecordedOrder;
  /** The fill, if it is one. */
  readonly trade: ProgramOrderTrade | null;
}

/** An order with its number, and how many trades it has. */
export interface NumberedOrder {
  readonly number: number;
  readonly order: RecordedOrder;
  readonly trades: number;
}

export interface NumberedTrade {
  readonly orderNumber: number;
  readonly number: number;
  readonly trade: ProgramOrderTrade;
}

/** What is to be written for some steps. */
export interface OrderChanges {
  readonly inserted: readonly NumberedOrder[];
  readonly updated: readonly NumberedOrder[];
  /** The numbers of orders of which nobody knows how they ended. */
  readonly removed: readonly number[];
  readonly trades: readonly NumberedTrade[];
  /** How many orders have a number afterwards. */
  readonly orders: number;
}

/**
 * Computes what some steps change. A change of an order that is not known is passed over, because the order was opened
 * before anybody followed the program. If an order is opened at an address where one is open already, the end of the earlier
 * one was missed, and the earlier one is removed.
 *
 * @param known - The open orders at the addresses of the steps.
 * @param orders - How many orders have a number.
 */
export function computeOrderChanges(
  steps: readonly OrderStep[],
  known: readonly NumberedOrder[],
  orders: number,
): OrderChanges {
  const open = new Map<Address, NumberedOrder>(known.map((each) => [each.order.address, each]));
  const newest = new Map<number, NumberedOrder>();
  const removed: number[] = [];
  const trades: NumberedTrade[] = [];
  let count = orders;
  for (const step of steps) {
    if (step.kind === 'open') {
      const { address } = step.order;
      const earlier = open.get(address);
      if (earlier !== undefined) removed.push(earlier.number);
      const opened = { number: ++count, order: step.order, trades: 0 };
      open.set(address, opened);
      newest.set(opened.number, opened);
      continue;
    }
    const found = open.get(step.address);
    if (found === undefined) continue;
    const { order, trade } = step.change(found.order);
    const changed = { ...found, order, trades: found.trades + (trade === null ? 0 : 1) };
    if (trade !== null) trades.push({ orderNumber: found.number, number: changed.trades, trade });
    newest.set(changed.number, changed);
    if (order.closeSignature === null) open.set(step.address, changed);
    else open.delete(step.address);
  }
  const isGone = new Set(removed);
  const written = [...newest.values()].filter(({ number }) => !isGone.has(number));
  return {
    inserted: written.filter(({ number }) => number > orders),
    updated: written.filter(({ number }) => number <= orders),
    removed: removed.filter((number) => number <= orders),
    trades: trades.filter(({ orderNumber }) => !isGone.has(orderNumber)),
    orders: count,
  };
}
