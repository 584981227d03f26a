import type { FollowedProgram } from '../../chain/events/followed-program.ts';
import type { OrderProgram } from '../program-order.ts';
import type { OrderStep } from '../store/order-changes.ts';

/** A program whose orders are followed by its events. */
export interface FollowedOrderProgram extends FollowedProgram<OrderStep> {
  readonly name: OrderProgram;
}
