import { type Static, Type } from 'typebox';
import type { OrderWithTransactions } from '../../../../waiting-orders/store/order-history.ts';
import type {
  OrderState,
  OrderTransactionSummary,
  WaitingOrder,
} from '../../../../waiting-orders/waiting-order.ts';
import { listAllTriggers, listTriggers, type OrderTrigger } from '../../../../waiting-orders/legs.ts';
import {
  isRecurring,
  type OcoPlan,
  type OrderLeg,
  type OtocoPlan,
  type PricePlan,
} from '../../../../waiting-orders/order-plan.ts';
import { computeFilledShare, EVENT_STATES } from '../history-values.ts';
import { named } from '../../../named-schema.ts';

const SHOWN_STATES = [
  'pending',
  'open',
  'executing',
  'filled',
  'pending_withdraw',
  'cancelled',
  'expired',
  'failed',
] as const;
type ShownState = (typeof SHOWN_STATES)[number];

/** What clients know the states by. While a withdrawal is on its way, the order still waits for it. */
const STATES: Readonly<
  Record<OrderState, { readonly orderState: ShownState; readonly rawState: OrderState }>
> = {
  depositing: { orderState: 'pending', rawState: 'depositing' },
  open: { orderState: 'open', rawState: 'open' },
  executing: { orderState: 'executing', rawState: 'executing' },
  fill_success: { orderState: 'filled', rawState: 'fill_success' },
  ready_to_cancel: { orderState: 'pending_withdraw', rawState: 'ready_to_cancel' },
  withdrawing: { orderState: 'pending_withdraw', rawState: 'ready_to_cancel' },
  cancelled: { orderState: 'cancelled', rawState: 'cancelled' },
  expired: { orderState: 'expired', rawState: 'expired' },
  deposit_failed: { orderState: 'failed', rawState: 'deposit_failed' },
};

const Atoms = Type.String({ description: 'In the smallest unit of the token.' });
const Milliseconds = Type.Number({ description: 'Unix milliseconds.' });
const ofTrailing = (description: string) =>
  Type.Union([Type.Number(), Type.Null()], {
    description: `${description} Null of an order that does not trail.`,
  });
const ofPair = (description: string) => Type.Optional(Type.Number({ description }));

const OrderEventJson = named(
  'TriggerOrderEvent',
  Type.Object({
    type: Type.Enum(['deposit', 'fill', 'withdrawal', 'cancelled', 'expired']),
    timestamp: Type.Number({ description: 'Unix ms: when it ended, or began if it is pending.' }),
    state: Type.Enum(['success', 'failed', 'pending'], {
      description: '`failed` covers a transaction that did not land.',
    }),
    txSignature: Type.Optional(Type.String()),
    mint: Type.Optional(Type.String({ description: 'The token that was moved.' })),
    amount: Type.Optional(Atoms),
    outputMint: Type.Optional(Type.String({ description: 'Of a fill: the token that it pays.' })),
    outputAmount: Type.Optional(
      Type.String({ description: 'Of a fill that succeeded: what the wallet got.' }),
    ),
    orderContext: Type.Optional(
      Type.Enum(['take_profit', 'stop_loss', 'buy_above', 'buy_below'], { description: 'Of a fill.' }),
    ),
  }),
);
type OrderEventJson = Static<typeof OrderEventJson>;

const LegJson = named(
  'TriggerOrderLeg',
  Type.Object({
    orderContext: Type.Enum(['take_profit', 'stop_loss']),
    orderState: Type.Enum([...SHOWN_STATES]),
    rawState: Type.String({
      description: '`oco_cancelled` of the leg that is not filled any more, because the other one was.',
    }),
    triggerCondition: Type.Enum(['above', 'below']),
    triggerPriceUsd: Type.Number(),
  }),
);
type LegJson = Static<typeof LegJson>;

export const OrderHistoryItem = named(
  'TriggerOrder',
  Type.Object({
    id: Type.String(),
    orderType: Type.Enum(['single', 'oco', 'otoco']),
    orderState: Type.Enum([...SHOWN_STATES]),
    rawState: Type.String({ description: 'The state by its inner name.' }),
    userPubkey: Type.String({ description: 'The wallet.' }),
    privyWalletPubkey: Type.String({ description: 'The vault of the wallet.' }),
    inputMint: Type.String(),
    initialInputAmount: Atoms,
    remainingInputAmount: Type.String({
      description: 'What no fill has used. It stays as it is when the order is cancelled.',
    }),
    outputMint: Type.String(),
    triggerMint: Type.String({ description: 'The token whose price is watched.' }),
    triggerCondition: Type.Enum(['above', 'below'], {
      description: 'Of the leg that was filled, or else of the first one that the order waits for.',
    }),
    triggerPriceUsd: Type.Number({
      description: 'US dollars for one whole token, of the same leg. Of a trailing order, as it is now.',
    }),
    slippageBps: Type.Optional(
      Type.Number({ description: 'Of the same leg. Absent if the service decides.' }),
    ),
    tpPriceUsd: ofPair('Of `oco` and `otoco` orders.'),
    slPriceUsd: ofPair('Of `oco` and `otoco` orders.'),
    tpSlippageBps: ofPair('Of `oco` and `otoco` orders. Absent if the service decides.'),
    slSlippageBps: ofPair('Of `oco` and `otoco` orders. Absent if the service decides.'),
    legs: Type.Optional(
      Type.Array(LegJson, {
        description: 'Of an `oco` order, and of an `otoco` order whose first part is filled: its two exits.',
      }),
    ),
    returnedAmount: Type.Optional(
      Type.String({
        description: 'Of an `otoco` order: base units of `inputMint` that its exits have paid to the wallet.',
      }),
    ),
    expiresAt: Milliseconds,
    createdAt: Milliseconds,
    updatedAt: Milliseconds,
    triggeredAt: Type.Optional(
      Type.Number({ description: 'When the price was first reached, once something is filled.' }),
    ),
    outputAmount: Type.Optional(
      Type.String({ description: 'What all fills of the input paid, once something is filled.' }),
    ),
    inputUsed: Type.Optional(Type.String({ description: 'What all fills used, once something is filled.' })),
    fillPercent: Type.Optional(Type.Number({ description: '1 is all, once something is filled.' })),
    trailingBps: ofTrailing('Basis points between the watermark and the trigger.'),
    highWatermark: ofTrailing(
      'The highest price since the order was created, if it sells below its trigger.',
    ),
    lowWatermark: ofTrailing('The lowest price since the order was created, if it buys above its trigger.'),
    events: Type.Array(OrderEventJson, {
      description: 'The oldest first. Attempts to fill that failed are among them.',
    }),
  }),
);
type OrderHistoryItem = Static<typeof OrderHistoryItem>;

/** Shows an order to its wallet. */
export function toPriceOrderJson({ order, transactions }: OrderWithTransactions): OrderHistoryItem {
  const { plan } = order;
  if (isRecurring(plan)) throw new Error(`the order ${order.id} waits for no price`);
  const trigger = findShownTrigger(order);
  const used = order.inputAmount - order.remaining;
  return {
    id: order.id,
    orderType: plan.kind,
    ...STATES[order.state],
    userPubkey: order.wallet,
    privyWalletPubkey: order.vault,
    inputMint: order.inputMint,
    initialInputAmount: String(order.inputAmount),
    remainingInputAmount: String(order.remaining),
    outputMint: order.outputMint,
    triggerMint: trigger.mint,
    triggerCondition: trigger.condition,
    triggerPriceUsd: trigger.triggerPrice,
    ...(trigger.slippageBps === null ? {} : { slippageBps: trigger.slippageBps }),
    ...(plan.kind === 'single' ? {} : toPairJson(order, plan)),
    expiresAt: order.expiresAt,
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
    ...(used === 0n ? {} : toFilledJson(order, used)),
    ...toTrailingJson(plan),
    events: toEventsJson(order, transactions),
  };
}

/** Returns the trigger of the leg that was filled, or else of the first one that the order waits for. */
function findShownTrigger(order: WaitingOrder): OrderTrigger {
  const live = listTriggers(order);
  const found = live.find(({ leg }) => leg === order.filledBy) ?? live[0];
  if (found === undefined) throw new Error(`the order ${order.id} waits for no price`);
  return found;
}

function toTrailingJson(plan: PricePlan) {
  const trailing = plan.kind === 'single' ? plan.trailing : null;
  const isBelow = plan.kind === 'single' && plan.condition === 'below';
  return {
    trailingBps: trailing?.bps ?? null,
    highWatermark: trailing !== null && isBelow ? trailing.watermark : null,
    lowWatermark: trailing !== null && !isBelow ? trailing.watermark : null,
  };
}

function toPairJson(order: WaitingOrder, { kind, takeProfit, stopLoss }: OcoPlan | OtocoPlan) {
  const isEntering = kind === 'otoco' && order.remaining > 0n;
  return {
    tpPriceUsd: takeProfit.triggerPrice,
    slPriceUsd: stopLoss.triggerPrice,
    ...(takeProfit.slippageBps === null ? {} : { tpSlippageBps: takeProfit.slippageBps }),
    ...(stopLoss.slippageBps === null ? {} : { slSlippageBps: stopLoss.slippageBps }),
    ...(isEntering ? {} : { legs: listExits(order).map((trigger) => toLegJson(order, trigger)) }),
    ...(kind === 'otoco' ? { returnedAmount: String(order.received) } : {}),
  };
}

function toLegJson(order: WaitingOrder, { leg, condition, triggerPrice }: OrderTrigger): LegJson {
  return {
    orderContext: leg === 'take_profit' ? 'take_profit' : 'stop_loss',
    ...findLegState(order, leg),
    triggerCondition: condition,
    triggerPriceUsd: triggerPrice,
  };
}

function listExits({ plan }: WaitingOrder): readonly OrderTrigger[] {
  return listAllTriggers(plan).filter(({ leg }) => leg === 'take_profit' || leg === 'stop_loss');
}

/** While a leg is being filled, the other one is open: it lives on if the fill fails. */
function findLegState(order: WaitingOrder, leg: OrderLeg): Pick<LegJson, 'orderState' | 'rawState'> {
  const { state, filledBy } = order;
  if (filledBy === leg && state !== 'open') return STATES[state];
  const isOver = !listTriggers(order).some((each) => each.leg === leg);
  if (state === 'fill_success' || isOver) return { orderState: 'cancelled', rawState: 'oco_cancelled' };
  return state === 'executing' ? STATES.open : STATES[state];
}

function toFilledJson(order: WaitingOrder, used: bigint) {
  const isOtoco = order.plan.kind === 'otoco';
  return {
    ...(order.triggeredAt === null ? {} : { triggeredAt: order.triggeredAt }),
    outputAmount: String(isOtoco ? order.bought : order.received),
    inputUsed: String(used),
    fillPercent: isOtoco ? computeFilledHalves(order, used) : computeFilledShare(used, order.inputAmount),
  };
}

/** An order that buys and sells again is filled when both is done. */
function computeFilledHalves({ inputAmount, bought, unsold }: WaitingOrder, used: bigint): number {
  const sold = bought === 0n ? 0n : ((bought - unsold) * inputAmount) / bought;
  return computeFilledShare(used + sold, 2n * inputAmount);
}

function toEventsJson(
  order: WaitingOrder,
  transactions: readonly OrderTransactionSummary[],
): OrderEventJson[] {
  const events = transactions.map((transaction) => toEventJson(order, transaction));
  if (order.expiredAt !== null)
    events.push({ type: 'expired', timestamp: order.expiredAt, state: 'success' });
  if (order.state === 'cancelled')
    events.push({ type: 'cancelled', timestamp: order.updatedAt, state: 'success' });
  return events.sort((one, other) => one.timestamp - other.timestamp);
}

function toEventJson(order: WaitingOrder, transaction: OrderTransactionSummary): OrderEventJson {
  const { kind, signature, outcome, inputAmount, outputAmount, createdAt, endedAt, leg } = transaction;
  // What an order has bought is sold for its input again. Until then, its deposit is what can be withdrawn.
  const isSoldAgain =
    order.plan.kind === 'otoco' &&
    (kind === 'fill' ? leg !== 'entry' : kind === 'withdrawal' && order.remaining === 0n);
  const [from, to] = isSoldAgain ? [order.outputMint, order.inputMint] : [order.inputMint, order.outputMint];
  return {
    type: kind,
    timestamp: endedAt ?? createdAt,
    state: EVENT_STATES[outcome],
    txSignature: signature,
    mint: from,
    amount: String(inputAmount),
    ...(kind === 'fill' ? { outputMint: to, orderContext: toContext(order, leg ?? 'single') } : {}),
    ...(kind === 'fill' && outcome === 'success' && outputAmount !== null
      ? { outputAmount: String(outputAmount) }
      : {}),
  };
}

function toContext(order: WaitingOrder, leg: OrderLeg): NonNullable<OrderEventJson['orderContext']> {
  if (leg === 'take_profit' || leg === 'stop_loss') return leg;
  const trigger = listAllTriggers(order.plan).find((each) => each.leg === leg);
  const isAbove = trigger?.condition === 'above';
  if (trigger?.mint === order.inputMint) return isAbove ? 'take_profit' : 'stop_loss';
  return isAbove ? 'buy_above' : 'buy_below';
}
