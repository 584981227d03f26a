import { type Static, Type } from 'typebox';
import { isRecurring, type RecurringPlan } from '../../../../waiting-orders/order-plan.ts';
import {
  RECURRING_STATES,
  type RecurringState,
  toRecurringState,
} from '../../../../waiting-orders/recurring-state.ts';
import { computeRetryWindowMs, computeRoundAmount } from '../../../../waiting-orders/rounds.ts';
import type { OrderWithTransactions } from '../../../../waiting-orders/store/order-history.ts';
import type { OrderTransactionSummary, WaitingOrder } from '../../../../waiting-orders/waiting-order.ts';
import { named } from '../../../named-schema.ts';
import { computeFilledShare, EVENT_STATES } from '../history-values.ts';

const SHOWN_STATES: Readonly<Record<RecurringState, string>> = {
  depositing: 'pending',
  active: 'active',
  executing: 'executing',
  withdrawing: 'pending_withdraw',
  completed: 'completed',
  cancelled: 'cancelled',
  deposit_failed: 'failed',
};

const Atoms = Type.String({ description: 'In the smallest unit of the token.' });
const Time = Type.String({ description: 'ISO 8601, with milliseconds and `Z`.' });
const nullable = (schema: ReturnType<typeof Type.Number> | ReturnType<typeof Type.String>) =>
  Type.Union([schema, Type.Null()]);

const RecurringEventJson = named(
  'TriggerDcaEvent',
  Type.Object({
    type: Type.Enum(['deposit', 'fill', 'withdrawal', 'cancelled']),
    timestamp: Type.String({ description: 'ISO 8601: when it ended, or began if it is pending.' }),
    state: Type.Enum(['success', 'failed', 'pending'], {
      description: '`failed` covers a transaction that did not land.',
    }),
    txSignature: Type.Optional(Type.String()),
    roundNumber: Type.Optional(Type.Number({ description: 'Of a fill, counted from 1.' })),
    inputAmount: Type.Optional(Atoms),
    outputAmount: Type.Optional(
      Type.String({ description: 'Of a fill that succeeded: what the wallet got.' }),
    ),
    attemptCount: Type.Optional(
      Type.Number({
        description: 'Of a fill: which attempt at its round it was, among those that are shown.',
      }),
    ),
  }),
);
type RecurringEventJson = Static<typeof RecurringEventJson>;

export const RecurringOrderJson = named(
  'TriggerDcaOrder',
  Type.Object({
    id: Type.String(),
    requestId: Type.String({ description: 'The `requestId` of the deposit.' }),
    userPubkey: Type.String({ description: 'The wallet.' }),
    vaultPubkey: Type.String({ description: 'The vault of the wallet.' }),
    inputMint: Type.String(),
    outputMint: Type.String(),
    inputAmountInitial: Atoms,
    inputAmountRemaining: Type.String({
      description: 'What no round has used. It stays as it is when the order is cancelled.',
    }),
    amountPerRound: Type.String({ description: 'The last round sells the rest of the division too.' }),
    outputAmountTotal: Type.String({ description: 'What all rounds paid.' }),
    inputAmountUsed: Atoms,
    orderType: Type.Enum(['time_based', 'price_conditional']),
    minPriceUsd: nullable(Type.Number()),
    maxPriceUsd: nullable(Type.Number()),
    triggerMint: nullable(Type.String({ description: 'The mint of the two prices.' })),
    retryWindowSeconds: Type.Number({
      description: 'How long a round is tried before it is put off to the next interval.',
    }),
    jlEnabled: Type.Boolean({ description: 'Whether the deposit earns while it waits.' }),
    jlYieldUsd: nullable(
      Type.Number({
        description:
          'US dollars that it has earned so far, of a balance at most 15 minutes old. Null if it does not earn, has ended, or has no price.',
      }),
    ),
    numberOfRounds: Type.Number(),
    intervalSeconds: Type.Number(),
    beginFillAt: Time,
    nextFillAt: Type.String({
      description: 'When the next round is due. It stays as it is after the last one.',
    }),
    lastFillAt: nullable(Time),
    roundsFilled: Type.Number(),
    fillPercent: Type.Number({ description: 'Which part of the input is used, from 0 to 1.' }),
    state: Type.Enum([...RECURRING_STATES]),
    displayState: Type.Enum(Object.values(SHOWN_STATES)),
    createdAt: Time,
    updatedAt: Time,
    events: Type.Array(RecurringEventJson, {
      description: 'The newest first. Attempts at rounds that failed are among them.',
    }),
  }),
);
type RecurringOrderJson = Static<typeof RecurringOrderJson>;

/** Returns how many rounds an order has, and how many of them are filled. */
export function countRounds(order: WaitingOrder): { readonly total: number; readonly filled: number } {
  return { total: requirePlan(order).rounds, filled: order.rounds?.filled ?? 0 };
}

/**
 * Shows an order to its wallet.
 * @param earned - US dollars that orders have earned so far, by their ids.
 */
export function toRecurringOrderJson(
  { order, transactions }: OrderWithTransactions,
  earned: ReadonlyMap<string, number>,
): RecurringOrderJson {
  const plan = requirePlan(order);
  const state = toRecurringState(order.state);
  const used = order.inputAmount - order.remaining;
  const { total, filled } = countRounds(order);
  return {
    id: order.id,
    requestId: order.depositRequestId,
    userPubkey: order.wallet,
    vaultPubkey: order.vault,
    inputMint: order.inputMint,
    outputMint: order.outputMint,
    inputAmountInitial: String(order.inputAmount),
    inputAmountRemaining: String(order.remaining),
    amountPerRound: String(computeRoundAmount(order.inputAmount, total)),
    outputAmountTotal: String(order.received),
    inputAmountUsed: String(used),
    orderType: plan.kind,
    minPriceUsd: plan.band?.minPrice ?? null,
    maxPriceUsd: plan.band?.maxPrice ?? null,
    triggerMint: plan.band?.triggerMint ?? null,
    retryWindowSeconds: computeRetryWindowMs(plan.intervalMs) / 1_000,
    jlEnabled: plan.earnMint !== null,
    jlYieldUsd: earned.get(order.id) ?? null,
    numberOfRounds: total,
    intervalSeconds: plan.intervalMs / 1_000,
    beginFillAt: toIso(plan.beginAt),
    nextFillAt: toIso(order.rounds?.nextAt ?? plan.beginAt),
    lastFillAt: order.rounds?.lastAt == null ? null : toIso(order.rounds.lastAt),
    roundsFilled: filled,
    fillPercent: computeFilledShare(used, order.inputAmount),
    state,
    displayState: SHOWN_STATES[state],
    createdAt: toIso(order.createdAt),
    updatedAt: toIso(order.updatedAt),
    events: toEventsJson(order, transactions),
  };
}

function requirePlan({ id, plan }: WaitingOrder): RecurringPlan {
  if (isRecurring(plan)) return plan;
  throw new Error(`the order ${id} is not filled in rounds`);
}

function toIso(time: number): string {
  return new Date(time).toISOString();
}

function toEventsJson(
  order: WaitingOrder,
  transactions: readonly OrderTransactionSummary[],
): RecurringEventJson[] {
  const events = transactions.map((transaction) => toEventJson(transaction, transactions));
  if (order.state === 'cancelled') {
    events.push({ type: 'cancelled', timestamp: toIso(order.updatedAt), state: 'success' });
  }
  return events.reverse().sort((one, other) => Date.parse(other.timestamp) - Date.parse(one.timestamp));
}

function toEventJson(
  {
    kind,
    signature,
    outcome,
    inputAmount,
    outputAmount,
    createdAt,
    endedAt,
    round,
    number,
  }: OrderTransactionSummary,
  all: readonly OrderTransactionSummary[],
): RecurringEventJson {
  const attempts = all.filter((each) => each.round !== null && each.round === round && each.number <= number);
  return {
    type: kind,
    timestamp: toIso(endedAt ?? createdAt),
    state: EVENT_STATES[outcome],
    txSignature: signature,
    ...(round === null ? {} : { roundNumber: round, attemptCount: attempts.length }),
    inputAmount: String(inputAmount),
    ...(kind === 'fill' && outcome === 'success' && outputAmount !== null
      ? { outputAmount: String(outputAmount) }
      : {}),
  };
}
