import { findEditFault, isLiveLeg, settleLeg } from './legs.ts';
import { ORDER_MOVES, type OrderEvent, type OrderLease } from './order-moves.ts';
import { isRecurring } from './order-plan.ts';
import { isRoundDue, isRoundMissed, recordFilledRound, recordMissedRound, startRounds } from './rounds.ts';
import type { OrderState, OrderTerms, WaitingOrder } from './waiting-order.ts';

/** The states in which a transaction is recorded that only the chain can end. */
export const UNFINISHED_STATES = ['depositing', 'executing', 'withdrawing'] as const satisfies OrderState[];
export type UnfinishedState = (typeof UNFINISHED_STATES)[number];
/** The states that an order never leaves. */
export const ENDED_STATES = ['fill_success', 'cancelled', 'deposit_failed'] as const satisfies OrderState[];

/**
 * Why an event was refused: the order is in a state without such a move, somebody else works on it, its time is over or not
 * yet over, its leg is not live, its round is not due or not missed, its plan is of another kind, or an amount is not positive.
 */
export type OrderEventRefusalCode =
  | 'wrong-state'
  | 'leased'
  | 'expired'
  | 'not-expired'
  | 'wrong-leg'
  | 'not-due'
  | 'not-missed'
  | 'wrong-plan'
  | 'invalid-amount';

export type OrderEventResult =
  | { readonly ok: true; readonly value: WaitingOrder }
  | {
      readonly ok: false;
      readonly error: { readonly code: OrderEventRefusalCode; readonly message: string };
    };

const FIRST_DELAY_MS = 1_000;
/** The longest that an attempt is put off. A later time was set before the clock was put back. */
export const MAX_DELAY_MS = 10 * 60_000;

/** How long an order belongs to the keeper or request that took it. What is done under a lease takes a fraction of it. */
export const LEASE_MS = 30_000;
/**
 * The longest that a lease runs. One that ends later was taken before the clock was put back, and would otherwise keep everybody
 * from the order for as long as the clock was ahead.
 */
export const MAX_LEASE_MS = 5 * 60_000;

const NO_LEASE = { leaseHolder: null, leaseUntil: 0 } as const;

/** Returns the order whose deposit is about to be sent. Its transaction number 1 is the deposit. */
export function startOrder(terms: OrderTerms, { holder, leaseUntil }: OrderLease): WaitingOrder {
  return {
    ...terms,
    state: 'depositing',
    revision: 1,
    transactions: 1,
    remaining: terms.inputAmount,
    received: 0n,
    bought: 0n,
    unsold: 0n,
    filledBy: null,
    rounds: isRecurring(terms.plan) ? startRounds(terms.plan) : null,
    triggeredAt: null,
    expiredAt: null,
    editedAt: null,
    updatedAt: terms.createdAt,
    leaseHolder: holder,
    leaseUntil,
    failures: 0,
    retryAt: 0,
    waitsFor: null,
  };
}

/**
 * Applies what happened to an order. It changes nothing by itself: the result has to be saved by compare-and-set on the
 * revision of `order`, together with the transaction that the event is about.
 *
 * @param order - As it was read.
 * @param event - The event and its time.
 * @returns the changed order with the next revision, or why the event was refused
 * @example
 * ```ts
 * import { applyOrderEvent } from './machine.ts';
 * import type { WaitingOrder } from './waiting-order.ts';
 *
 * export function cancel(order: WaitingOrder, now: number): WaitingOrder {
 *   const cancelled = applyOrderEvent(order, { kind: 'cancel-asked', at: now });
 *   if (!cancelled.ok) throw new Error(cancelled.error.message);
 *   return cancelled.value; // state: 'ready_to_cancel', revision: order.revision + 1
 * }
 * ```
 */
export function applyOrderEvent(order: WaitingOrder, event: OrderEvent): OrderEventResult {
  const { from } = ORDER_MOVES[event.kind];
  if (!from.includes(order.state)) {
    return refuse(
      'wrong-state',
      `the order is in the state ${order.state}, and ${event.kind} needs ${from.join(' or ')}`,
    );
  }
  const change = computeChange(order, event);
  if ('code' in change) return { ok: false, error: change };
  // A clock that was put back does not make the order older than the reader of changes has seen it.
  const updatedAt = Math.max(order.updatedAt, event.at);
  return { ok: true, value: { ...order, ...change, revision: order.revision + 1, updatedAt } };
}

/** The fields of an order that events change. */
type OrderChange = Partial<
  Omit<WaitingOrder, Exclude<keyof OrderTerms, 'plan' | 'expiresAt'> | 'revision' | 'updatedAt'>
>;
type EventRefusal = { readonly code: OrderEventRefusalCode; readonly message: string };

function computeChange(order: WaitingOrder, event: OrderEvent): OrderChange | EventRefusal {
  switch (event.kind) {
    case 'deposit-landed':
      return { state: 'open', ...NO_LEASE };
    case 'deposit-ended':
      return { state: 'deposit_failed', ...NO_LEASE };
    case 'taken':
      return findForeignLease(order, event) ?? toLease(event);
    case 'fill-recorded':
      return findForeignLease(order, event) ?? recordFill(order, event);
    case 'fill-landed':
      return settleFill(order, event);
    case 'fill-ended':
      return {
        state: 'open',
        failures: order.failures + 1,
        retryAt: event.at + computeRetryDelay(order.failures),
        waitsFor: event.reason,
        ...NO_LEASE,
      };
    case 'put-off':
      return { waitsFor: event.waitsFor, retryAt: event.retryAt, ...NO_LEASE };
    case 'expired':
      if (event.at < order.expiresAt) {
        return { code: 'not-expired', message: `the order expires at ${order.expiresAt}, which is later` };
      }
      return { state: 'expired', expiredAt: event.at, waitsFor: null, ...NO_LEASE };
    case 'round-missed':
      return putOffRound(order, event.at);
    case 'edited':
      return editOrder(order, event);
    case 'cancel-asked':
      // A keeper that plans a fill has a lease. It can no longer record the fill, so the wallet need not wait for it.
      return { state: 'ready_to_cancel', waitsFor: null, ...NO_LEASE };
    case 'withdrawal-recorded':
      return { state: 'withdrawing', transactions: order.transactions + 1, ...toLease(event) };
    case 'withdrawal-landed':
      return { state: 'cancelled', ...NO_LEASE };
    case 'withdrawal-ended':
      return { state: 'ready_to_cancel', ...NO_LEASE };
  }
}

function recordFill(
  order: WaitingOrder,
  event: OrderEvent & { readonly kind: 'fill-recorded' },
): OrderChange | EventRefusal {
  if (event.at >= order.expiresAt) {
    return { code: 'expired', message: `the order expired at ${order.expiresAt}` };
  }
  if (!isLiveLeg(order, event.leg)) {
    return { code: 'wrong-leg', message: `the leg ${event.leg} is not live` };
  }
  const { plan, rounds } = order;
  if (isRecurring(plan) && (rounds === null || !isRoundDue(rounds, plan, event.at))) {
    return { code: 'not-due', message: `the round is due at ${rounds?.nextAt}` };
  }
  return {
    state: 'executing',
    transactions: order.transactions + 1,
    filledBy: event.leg,
    triggeredAt: order.triggeredAt ?? event.at,
    waitsFor: null,
    ...toLease(event),
  };
}

function editOrder(
  order: WaitingOrder,
  { plan, expiresAt, at }: OrderEvent & { readonly kind: 'edited' },
): OrderChange | EventRefusal {
  if (at >= order.expiresAt) return { code: 'expired', message: `the order expired at ${order.expiresAt}` };
  if (expiresAt <= at) return { code: 'expired', message: `the new end ${expiresAt} has passed` };
  const fault = findEditFault(order, plan);
  if (fault !== null) return { code: 'wrong-plan', message: fault };
  return { plan, expiresAt, editedAt: at, failures: 0, retryAt: 0, waitsFor: null, ...NO_LEASE };
}

function settleFill(
  order: WaitingOrder,
  { input, output, delayMs, at }: OrderEvent & { readonly kind: 'fill-landed' },
): OrderChange | EventRefusal {
  if (input <= 0n || output < 0n) {
    return { code: 'invalid-amount', message: `a fill cannot take ${input} atoms and pay ${output}` };
  }
  const { plan, rounds } = order;
  // Orders of the versions that had no other kind do not say it.
  const leg = order.filledBy ?? 'single';
  if (!isLiveLeg(order, leg)) {
    return { code: 'wrong-leg', message: `the fill belongs to the leg ${leg}, which is not live` };
  }
  const { isDone, ...amounts } = settleLeg(order, leg, { input, output });
  return {
    state: isDone ? 'fill_success' : 'open',
    ...amounts,
    rounds:
      isRecurring(plan) && rounds !== null ? recordFilledRound(rounds, plan, { at, delayMs, isDone }) : null,
    failures: 0,
    retryAt: 0,
    ...NO_LEASE,
  };
}

function putOffRound({ plan, rounds }: WaitingOrder, at: number): OrderChange | EventRefusal {
  if (!isRecurring(plan) || rounds === null || !isRoundMissed(rounds, plan, at)) {
    return { code: 'not-missed', message: 'no round of the order was missed' };
  }
  return {
    rounds: recordMissedRound(rounds, plan, at),
    failures: 0,
    retryAt: 0,
    waitsFor: null,
    ...NO_LEASE,
  };
}

function findForeignLease(
  order: WaitingOrder,
  { holder, at }: OrderLease & { readonly at: number },
): EventRefusal | null {
  const { leaseHolder, leaseUntil } = order;
  if (leaseHolder === null || leaseHolder === holder) return null;
  if (leaseUntil <= at || leaseUntil > at + MAX_LEASE_MS) return null;
  return { code: 'leased', message: `${leaseHolder} works on the order until ${leaseUntil}` };
}

function toLease({ holder, leaseUntil }: OrderLease): OrderChange {
  return { leaseHolder: holder, leaseUntil };
}

/** Returns the milliseconds before the next fill, after one failed that had `failures` failures before it. */
function computeRetryDelay(failures: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** failures, MAX_DELAY_MS);
}

function refuse(code: OrderEventRefusalCode, message: string): OrderEventResult {
  return { ok: false, error: { code, message } };
}
