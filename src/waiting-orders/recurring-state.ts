import type { OrderState } from './waiting-order.ts';

/** The states of recurring orders, by the names of the interface. */
export const RECURRING_STATES = [
  'depositing',
  'deposit_failed',
  'active',
  'executing',
  'withdrawing',
  'completed',
  'cancelled',
] as const;
export type RecurringState = (typeof RECURRING_STATES)[number];

const STATES: Readonly<Record<OrderState, RecurringState>> = {
  depositing: 'depositing',
  open: 'active',
  executing: 'executing',
  fill_success: 'completed',
  ready_to_cancel: 'withdrawing',
  withdrawing: 'withdrawing',
  cancelled: 'cancelled',
  // A recurring order never expires.
  expired: 'active',
  deposit_failed: 'deposit_failed',
};

/** Returns what clients know the state of a recurring order by. */
export function toRecurringState(state: OrderState): RecurringState {
  return STATES[state];
}
