import type { OrderProgram } from '../program-order.ts';
import type { OrderStep } from '../store/order-changes.ts';
import type { EmittedEvent, EmittingProgram } from './emitted-events.ts';

/** The transaction in which an event was emitted. */
export interface OrderMoment {
  readonly signature: string;
  /** Unix second. */
  readonly at: bigint;
}

/** A program whose orders are followed by its events. */
export interface FollowedProgram extends EmittingProgram {
  readonly name: OrderProgram;
  /**
   * Returns what an event says of an order, or null if it says nothing that is recorded.
   *
   * @throws LayoutInvalid when the event cannot be decoded.
   */
  readonly toStep: (event: EmittedEvent, moment: OrderMoment) => OrderStep | null;
}
