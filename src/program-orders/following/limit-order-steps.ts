import type { EmittedEvent } from '../../chain/events/emitted-events.ts';
import type { EventMoment } from '../../chain/events/followed-program.ts';
import { computeFillFee } from '../../protocols/jupiter-limit-order/amounts.ts';
import {
  decodeLimitOrderEvent,
  type OrderCreated,
  type OrderFilled,
} from '../../protocols/jupiter-limit-order/events.ts';
import {
  LIMIT_ORDER_EVENT_AUTHORITY,
  LIMIT_ORDER_PROGRAM,
} from '../../protocols/jupiter-limit-order/program.ts';
import type { ChangedOrder, OrderStep } from '../store/order-changes.ts';
import type { RecordedLimitOrder, RecordedOrder } from '../store/order-rows.ts';
import type { FollowedOrderProgram } from './followed-program.ts';

/** The program of limit orders. */
export const FOLLOWED_LIMIT_ORDERS: FollowedOrderProgram = {
  name: 'limit-order',
  program: LIMIT_ORDER_PROGRAM,
  eventAuthority: LIMIT_ORDER_EVENT_AUTHORITY,
  toStep,
};

function toStep({ data }: EmittedEvent, moment: EventMoment): OrderStep | null {
  const event = decodeLimitOrderEvent(data);
  switch (event?.kind) {
    case 'created':
      return { kind: 'open', order: createOrder(event, moment) };
    case 'filled':
      return changeOrder(event.order, (order) => fillOrder(order, event, moment));
    case 'cancelled':
      return changeOrder(event.order, (order) => ({
        order: endOrder(order, 'cancelled', moment),
        trade: null,
      }));
    default:
      return null;
  }
}

function changeOrder(
  address: OrderCreated['order'],
  change: (order: RecordedLimitOrder) => ChangedOrder,
): OrderStep {
  return { kind: 'change', address, change: (order) => change(requireLimitOrder(order)) };
}

/** Addresses of the two programs never meet, because each is derived from its program. */
function requireLimitOrder(order: RecordedOrder): RecordedLimitOrder {
  if (order.program !== 'limit-order') throw new Error(`${order.address} is no limit order`);
  return order;
}

function createOrder(event: OrderCreated, { signature, at }: EventMoment): RecordedLimitOrder {
  return {
    program: 'limit-order',
    address: event.order,
    maker: event.maker,
    inputMint: event.inputMint,
    outputMint: event.outputMint,
    making: event.making,
    taking: event.taking,
    remainingMaking: event.making,
    remainingTaking: event.taking,
    slippageBps: event.slippageBps ?? 0,
    feeBps: event.feeBps,
    expiredAt: event.expiredAt,
    createdAt: at,
    updatedAt: at,
    openSignature: signature,
    closeSignature: null,
    state: 'open',
  };
}

/** The event does not say the fee, which follows from what was left before and after the fill. */
function fillOrder(order: RecordedLimitOrder, event: OrderFilled, moment: EventMoment): ChangedOrder {
  const { taker, making, taking: paid, remainingMaking, remainingTaking } = event;
  const before = { taking: order.remainingTaking, originalTaking: order.taking, feeBps: order.feeBps };
  const owed = order.remainingTaking - remainingTaking;
  const feeAmount = computeFillFee(before, { owed, paid });
  const trade = {
    keeper: taker,
    inputAmount: making,
    outputAmount: paid - feeAmount,
    feeAmount,
    signature: moment.signature,
    at: moment.at,
  };
  const rest = { ...order, remainingMaking, remainingTaking, updatedAt: moment.at };
  // The fill of the rest closes the order.
  return { order: remainingMaking > 0n ? rest : endOrder(rest, 'filled', moment), trade };
}

function endOrder(
  order: RecordedLimitOrder,
  state: 'filled' | 'cancelled',
  { signature, at }: EventMoment,
): RecordedLimitOrder {
  return { ...order, state, closeSignature: signature, updatedAt: at };
}
