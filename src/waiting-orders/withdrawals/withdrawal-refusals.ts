import { Unavailable } from '../../common/unavailable.ts';
import { isRecurring } from '../order-plan.ts';
import { OrderRefused } from '../order-refused.ts';
import { toRecurringState } from '../recurring-state.ts';
import type { OrderState, WaitingOrder } from '../waiting-order.ts';

/** The states that an order leaves by itself. */
const UNSETTLED: readonly OrderState[] = ['depositing', 'executing'];
const RETRY_AFTER_SECONDS = 2;

export function createUnknownWithdrawal(): OrderRefused {
  return new OrderRefused(
    'invalid',
    'Withdrawal transaction not found in cache. Please initiate cancel again.',
  );
}

export function createNotCancelling({ plan, state }: WaitingOrder): OrderRefused {
  return new OrderRefused(
    'invalid',
    isRecurring(plan)
      ? `DCA order not in cancellation state: it is ${toRecurringState(state)}`
      : `Order is not yet marked ready to cancel: it is ${state}`,
  );
}

export function createNotCancellable({ plan, state }: WaitingOrder): OrderRefused {
  if (isRecurring(plan)) {
    return new OrderRefused('invalid', `Cannot cancel DCA order in '${toRecurringState(state)}' state`);
  }
  const hint = UNSETTLED.includes(state) ? '; try again shortly' : '';
  return new OrderRefused('invalid', `Order is not cancellable: it is ${state}${hint}`);
}

/** The answer is that the outcome is unknown, so the client has to send the same request again. */
export function createUnsettled(reason: string): Unavailable {
  return new Unavailable(
    `The withdrawal is not confirmed yet: ${reason}. Send the same request again to learn how it ends`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}

export function createBusy(orderId: string): Unavailable {
  return new Unavailable(`the order ${orderId} is being changed; send the same request again`);
}
