import { type Static, Type } from 'typebox';
import type {
  OrderTransactionSummary,
  OrderWithTransactions,
} from '../../../waiting-orders/store/order-history.ts';
import { listTriggers, type OrderTrigger } from '../../../waiting-orders/legs.ts';
import type { OrderState, WaitingOrder } from '../../../waiting-orders/waiting-order.ts';
import { named } from '../../named-schema.ts';

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
const TRAILING = Type.Null({ description: 'Trailing orders are not served.' });

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

export const OrderHistoryItem = named(
  'TriggerOrder',
  Type.Object({
    id: Type.String(),
    orderType: Type.Enum(['single']),
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
    triggerCondition: Type.Enum(['above', 'below']),
    triggerPriceUsd: Type.Number({ description: 'US dollars for one whole token.' }),
    slippageBps: Type.Optional(Type.Number({ description: 'Absent if the service decides.' })),
    expiresAt: Milliseconds,
    createdAt: Milliseconds,
    updatedAt: Milliseconds,
    triggeredAt: Type.Optional(
      Type.Number({ description: 'When the price was first reached, once something is filled.' }),
    ),
    outputAmount: Type.Optional(
      Type.String({ description: 'What all fills paid, once something is filled.' }),
    ),
    inputUsed: Type.Optional(Type.String({ description: 'What all fills used, once something is filled.' })),
    fillPercent: Type.Optional(Type.Number({ description: '1 is all, once something is filled.' })),
    trailingBps: TRAILING,
    highWatermark: TRAILING,
    lowWatermark: TRAILING,
    events: Type.Array(OrderEventJson, {
      description: 'The oldest first. Attempts to fill that failed are among them.',
    }),
  }),
);
type OrderHistoryItem = Static<typeof OrderHistoryItem>;

/** Shows an order to its wallet. */
export function toOrderJson({ order, transactions }: OrderWithTransactions): OrderHistoryItem {
  const trigger = requireTrigger(order);
  const used = order.inputAmount - order.remaining;
  return {
    id: order.id,
    orderType: 'single',
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
    expiresAt: order.expiresAt,
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
    ...(used === 0n ? {} : toFilledJson(order, used)),
    trailingBps: null,
    highWatermark: null,
    lowWatermark: null,
    events: toEventsJson(order, transactions),
  };
}

/** The part of the input that is used, in millionths, rounded down: an order with an atom left is not filled. */
const FILL_SCALE = 1_000_000n;

function toFilledJson(order: WaitingOrder, used: bigint) {
  return {
    ...(order.triggeredAt === null ? {} : { triggeredAt: order.triggeredAt }),
    outputAmount: String(order.received),
    inputUsed: String(used),
    fillPercent: Number((used * FILL_SCALE) / order.inputAmount) / Number(FILL_SCALE),
  };
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

const EVENT_STATES = {
  pending: 'pending',
  success: 'success',
  failed: 'failed',
  expired: 'failed',
} as const satisfies Record<OrderTransactionSummary['outcome'], OrderEventJson['state']>;

function toEventJson(order: WaitingOrder, transaction: OrderTransactionSummary): OrderEventJson {
  const { kind, signature, outcome, inputAmount, outputAmount, createdAt, endedAt } = transaction;
  return {
    type: kind,
    timestamp: endedAt ?? createdAt,
    state: EVENT_STATES[outcome],
    txSignature: signature,
    mint: order.inputMint,
    amount: String(inputAmount),
    ...(kind === 'fill' ? { outputMint: order.outputMint, orderContext: toContext(order) } : {}),
    ...(kind === 'fill' && outcome === 'success' && outputAmount !== null
      ? { outputAmount: String(outputAmount) }
      : {}),
  };
}

function toContext(order: WaitingOrder): NonNullable<OrderEventJson['orderContext']> {
  const { mint, condition } = requireTrigger(order);
  if (mint === order.inputMint) return condition === 'above' ? 'take_profit' : 'stop_loss';
  return condition === 'above' ? 'buy_above' : 'buy_below';
}

function requireTrigger(order: WaitingOrder): OrderTrigger {
  const [trigger] = listTriggers(order);
  if (trigger === undefined) throw new Error(`the order ${order.id} waits for no price`);
  return trigger;
}
