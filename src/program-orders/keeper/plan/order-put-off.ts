import type { WaitReason } from '../../../waiting-orders/waiting-order.ts';

/** Why an order of a program cannot be filled now. */
export const ORDER_WAITS = [
  /** The wallet that pays for fills is empty, or has spent its budget. */
  'gas',
  /** No route pays as much as the order wants. */
  'price',
  /** No route leads from the input to the output, or none fits a transaction. */
  'route',
  /** A program refuses the fill, such as for a frozen account. */
  'refused',
  /** The input or the output has no price that can be relied on. */
  'unpriced',
  /** The network or the store does not answer. */
  'unavailable',
  /** The account of the maker that has to be paid does not exist. */
  'account',
  /** The order is worth less than a fill is allowed to cost. */
  'dust',
] as const;
export type OrderWait = (typeof ORDER_WAITS)[number];

/** Returns the reason in the words of program orders. They wait for no band of prices. */
export function toOrderWait(reason: WaitReason): OrderWait {
  return reason === 'band' ? 'price' : reason;
}

/** Thrown while a fill is planned when its order has to wait. */
export class OrderPutOff extends Error {
  override readonly name = 'OrderPutOff';
  readonly reason: OrderWait;

  /** @param detail - A sentence for the operator. */
  constructor(reason: OrderWait, detail: string) {
    super(detail);
    this.reason = reason;
  }
}
