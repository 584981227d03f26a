import type { OrderLeg, OrderPlan } from './order-plan.ts';
import type { OrderState, WaitReason } from './waiting-order.ts';

/** A keeper or request that works on an order, and until when nobody else may. Unix milliseconds. */
export interface OrderLease {
  readonly holder: string;
  readonly leaseUntil: number;
}

/** What happens to an order. `at` is the time of the store's clock, in Unix milliseconds. */
export type OrderEvent = { readonly at: number } & (
  | { readonly kind: 'deposit-landed' }
  | { readonly kind: 'deposit-ended' }
  | ({ readonly kind: 'taken' } & OrderLease)
  | ({ readonly kind: 'fill-recorded'; readonly leg: OrderLeg } & OrderLease)
  /**
   * `input` is what the account that was sold from was debited, and `output` what was received for it, in atoms. `delayMs` is how
   * much later than an interval from now the next round of a recurring order is due.
   */
  | {
      readonly kind: 'fill-landed';
      readonly input: bigint;
      readonly output: bigint;
      readonly delayMs: number;
    }
  | { readonly kind: 'fill-ended'; readonly reason: WaitReason }
  | { readonly kind: 'put-off'; readonly waitsFor: WaitReason; readonly retryAt: number }
  | { readonly kind: 'expired' }
  | { readonly kind: 'round-missed' }
  | { readonly kind: 'edited'; readonly plan: OrderPlan; readonly expiresAt: number }
  | { readonly kind: 'cancel-asked' }
  | ({ readonly kind: 'withdrawal-recorded' } & OrderLease)
  | { readonly kind: 'withdrawal-landed' }
  | { readonly kind: 'withdrawal-ended' }
);
export type OrderEventKind = OrderEvent['kind'];

interface OrderMove {
  readonly from: readonly OrderState[];
  /** Where the order may be afterwards; empty if it stays where it is. */
  readonly to: readonly OrderState[];
  /** When the event happens, and under which condition it is accepted. */
  readonly when: string;
}

/**
 * All moves of an order. An event that is not in the row of the order's state is refused.
 *
 * Only one transaction of an order can be on its way: `depositing`, `executing` and `withdrawing` are the states with one, and
 * none of them is entered from another of them. They are left only by what the chain decided: `-landed` when the transaction
 * succeeded, and `-ended` when it failed or can no longer land.
 */
export const ORDER_MOVES: Readonly<Record<OrderEventKind, OrderMove>> = {
  'deposit-landed': { from: ['depositing'], to: ['open'], when: 'The deposit succeeded.' },
  'deposit-ended': {
    from: ['depositing'],
    to: ['deposit_failed'],
    when: 'The deposit failed, or can no longer land. The money is still in the wallet.',
  },
  taken: {
    from: ['depositing', 'open', 'executing', 'withdrawing'],
    to: [],
    when: 'A keeper takes the lease, and nobody else has one that still runs.',
  },
  'fill-recorded': {
    from: ['open'],
    to: ['executing'],
    when: 'A fill of a leg that is live, or of a round that is due, is signed and about to be sent, the order has not expired, and nobody else has a lease that still runs.',
  },
  'fill-landed': {
    from: ['executing'],
    to: ['fill_success', 'open'],
    when: 'The fill succeeded. The order is open again if something is left to sell.',
  },
  'fill-ended': {
    from: ['executing'],
    to: ['open'],
    when: 'The fill failed, or can no longer land. The next attempt is put off, by a second at first and ten minutes at most.',
  },
  'put-off': { from: ['open'], to: [], when: 'The price is reached, but the order cannot be filled now.' },
  expired: { from: ['open'], to: ['expired'], when: 'Its time is over.' },
  'round-missed': {
    from: ['open'],
    to: [],
    when: 'A round was not filled in its time, or was put off by a clock that was ahead. It is put off to the next interval.',
  },
  edited: {
    from: ['open'],
    to: [],
    when: 'The wallet changes the prices or the end of the order. A keeper that plans a fill can no longer record it.',
  },
  'cancel-asked': {
    from: ['open', 'expired', 'ready_to_cancel'],
    to: ['ready_to_cancel'],
    when: 'The wallet cancels the order. It may ask again for a new withdrawal to sign.',
  },
  'withdrawal-recorded': {
    from: ['ready_to_cancel'],
    to: ['withdrawing'],
    when: 'A withdrawal is signed by everybody and about to be sent.',
  },
  'withdrawal-landed': { from: ['withdrawing'], to: ['cancelled'], when: 'The withdrawal succeeded.' },
  'withdrawal-ended': {
    from: ['withdrawing'],
    to: ['ready_to_cancel'],
    when: 'The withdrawal failed, or can no longer land.',
  },
};
