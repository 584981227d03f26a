import type { OrderFamily } from './order-plan.ts';

/**
 * Why a request about an order is refused: the request or the state of the order does not allow it, one field of the request is
 * missing or has no value that it can have, the order is of another wallet, there is no such order, or what is to be created
 * exists.
 */
export type OrderRefusalKind = 'invalid' | 'invalid field' | 'not the owner' | 'not found' | 'exists';

/** A request about a vault, a deposit or an order is refused. The message is a sentence for the client. */
export class OrderRefused extends Error {
  override readonly name = 'OrderRefused';
  readonly kind: OrderRefusalKind;
  /** The name of the field that is wrong; null if it is not about one field. */
  readonly field: string | null;

  constructor(kind: OrderRefusalKind, message: string, field: string | null = null) {
    super(message);
    this.kind = kind;
    this.field = field;
  }
}

/** Returns the refusal of a further order of a wallet that has as many of the family as it may have. */
export function createFullRefusal(family: OrderFamily, maxOpen: number): OrderRefused {
  const name = family === 'recurring' ? 'DCA' : 'price';
  return new OrderRefused('invalid', `Maximum of ${maxOpen} active ${name} orders allowed per user`);
}
