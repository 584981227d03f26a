import { SigningRefused } from '../../custody/custody.ts';
import type { FillPlan, PlannedFill } from '../fills/fill-plan.ts';
import type { GasCharge } from '../fills/gas-budget.ts';
import type { OrderGas } from '../fills/order-gas.ts';
import type { EarnProgram } from '../earning/earn-program.ts';
import { applyEarning } from '../earning/earn-sale.ts';
import { applyOrderEvent, LEASE_MS } from '../machine.ts';
import { isRecurring, type OrderLeg } from '../order-plan.ts';
import { findSale, type OrderSale } from '../order-sale.ts';
import { computeRetryWindowMs, isRoundDue, isRoundMissed } from '../rounds.ts';
import type { OrderTransaction, WaitingOrder, WaitReason } from '../waiting-order.ts';
import { findMissedReason, type MissedReason } from './keeper-metrics.ts';
import { recordFill, saveEvent, type WriteContext } from './kept-orders.ts';

const FIRST_DELAY_MS = 1_000;
/** A price or a route may come at any time; what a program refuses does not change by itself. */
const LONGEST_DELAY_MS: Readonly<Record<WaitReason, number>> = {
  gas: 60_000,
  price: 60_000,
  band: 60_000,
  route: 60_000,
  unpriced: 60_000,
  unavailable: 5_000,
  refused: 600_000,
};

/** What plans, pays for and signs fills. */
export interface FillMaker extends OrderGas {
  readonly plan: (sale: OrderSale, prices: OrderPrices) => Promise<FillPlan>;
  /** @throws SigningRefused when the message does anything else than fill the order */
  readonly sign: (
    sale: OrderSale,
    plan: PlannedFill,
  ) => Promise<{ readonly wire: Uint8Array; readonly signature: string }>;
}

/** Validated prices, in US dollars for one whole token; null where there is none that can be relied on. */
export interface OrderPrices {
  /** What is filled by them. */
  readonly leg: OrderLeg;
  /** That of the trigger mint, which the order waited for; null for a round that waited for its time alone. */
  readonly price: number | null;
  readonly referenceIn: number | null;
  readonly referenceOut: number | null;
}

/**
 * Returns the prices by which an order is filled now; null if none of its prices holds. For a round that has to wait for a price,
 * it returns why.
 */
export type FindOrderPrices = (order: WaitingOrder) => OrderPrices | RoundWait | null;

/** Why a round that is due is not filled now. */
export interface RoundWait {
  readonly waitsFor: WaitReason;
}

export interface BeginContext extends WriteContext {
  /** Names this keeper among all. It is never used again. */
  readonly holder: string;
  readonly fills: FillMaker;
  readonly findPrices: FindOrderPrices;
  readonly earn: Pick<EarnProgram, 'find'>;
  /** Called when custody refuses to sign what was planned, which is a defect. */
  readonly onDefect: (where: string, error: unknown) => void;
}

export type FillStart =
  /** It is recorded, and now has to be sent. */
  | {
      readonly kind: 'recorded';
      readonly order: WaitingOrder;
      readonly transaction: OrderTransaction;
      readonly charge: GasCharge;
    }
  /** Nothing is recorded. The order is as it stands in the store. */
  | { readonly kind: 'kept'; readonly order: WaitingOrder }
  /** The time of its round has passed. The order is as it stands in the store. */
  | { readonly kind: 'missed'; readonly order: WaitingOrder; readonly reason: MissedReason }
  /** The order waits for what the store says already, and is tried again at a time. */
  | { readonly kind: 'waits'; readonly order: WaitingOrder; readonly until: number }
  /** Somebody else has changed the order. */
  | { readonly kind: 'lost' }
  /** The store does not say whether the fill is recorded. If it is, it is found when the lease has run out. */
  | { readonly kind: 'unknown' };

const LOST = { kind: 'lost' } as const;
/** How often a round that waits for its prices is looked at, which costs little. */
const LONGEST_LOOK_MS = 15_000;
/** A round that waits is tried so often within its time at least. */
const MIN_TRIES = 8;

/**
 * Takes an open order, plans its fill, and records it. Nothing is sent here.
 *
 * The order is changed twice at most, each time only if nobody else has changed it: it is taken, and then put off, ended or recorded.
 * That it has not expired, that its price holds or its round is due, is checked before it is planned, and again right before it is
 * recorded.
 *
 * @param order - As it was read a moment ago.
 * @param attempt - How often the order was put off before, by which it is put off for longer.
 * @throws Unavailable when the store does not answer before anything is recorded
 */
export async function beginFill(
  context: BeginContext,
  order: WaitingOrder,
  attempt: number,
): Promise<FillStart> {
  const { orders, holder, fills } = context;
  const now = await orders.now();
  const over = await leaveOver(context, order, now);
  if (over !== null) return over;
  const prices = context.findPrices(order);
  if (prices === null) return { kind: 'kept', order };
  if ('waitsFor' in prices) return waitForPrice(context, order, prices.waitsFor, { attempt, now });
  const taken = await saveEvent(context, order, {
    kind: 'taken',
    holder,
    leaseUntil: now + LEASE_MS,
    at: now,
  });
  if (taken === null) return LOST;
  const putOff = (reason: WaitReason) => putOffOrder(context, taken, reason, attempt);
  const earned = applyEarning(context.earn, taken, findSale(taken, prices.leg), prices);
  if (earned === null) return putOff('route');
  const { sale } = earned;
  const plan = await fills.plan(sale, { ...prices, ...earned.prices });
  if (plan.kind === 'waits') return putOff(plan.reason);
  const charge = await fills.spend(taken.wallet, plan.lamports);
  if (charge === null) return putOff('gas');
  let isSpent = false;
  try {
    const signed = await signOrNull(context, sale, plan);
    if (signed === null) return await putOff('refused');
    const at = await orders.now();
    const ended = await leaveOver(context, taken, at);
    if (ended !== null) return ended;
    const { leg } = prices;
    const latest = context.findPrices(taken);
    if (latest === null || 'waitsFor' in latest || latest.leg !== leg) return { kind: 'kept', order: taken };
    const event = { kind: 'fill-recorded', leg, holder, leaseUntil: at + LEASE_MS, at } as const;
    const applied = applyOrderEvent(taken, event);
    if (!applied.ok) return LOST;
    const recorded = applied.value;
    const transaction: OrderTransaction = {
      orderId: order.id,
      number: recorded.transactions,
      kind: 'fill',
      signature: signed.signature,
      wire: signed.wire,
      lastValidBlockHeight: plan.lastValidBlockHeight,
      outcome: 'pending',
      inputAmount: earned.countInput(plan),
      held: plan.held,
      outputAmount: null,
      triggeredPrice: prices.price,
      leg,
      round: taken.rounds === null ? null : taken.rounds.filled + 1,
      createdAt: at,
      endedAt: null,
    };
    const result = await recordFill(context, taken, recorded, transaction);
    isSpent = result !== 'refused';
    if (result === 'refused') return LOST;
    return result === 'unknown'
      ? { kind: 'unknown' }
      : { kind: 'recorded', order: recorded, transaction, charge };
  } finally {
    if (!isSpent) fills.giveBack(charge, charge.lamports);
  }
}

/** Ends an order whose time is over, or a round whose time has passed. Returns null if the order may be filled at the time. */
async function leaveOver(context: BeginContext, order: WaitingOrder, at: number): Promise<FillStart | null> {
  const { plan, rounds } = order;
  if (at >= order.expiresAt) {
    const expired = await saveEvent(context, order, { kind: 'expired', at });
    return expired === null ? LOST : { kind: 'kept', order: expired };
  }
  if (!isRecurring(plan) || rounds === null || isRoundDue(rounds, plan, at)) return null;
  if (!isRoundMissed(rounds, plan, at)) return { kind: 'kept', order };
  const missed = await saveEvent(context, order, { kind: 'round-missed', at });
  return missed === null ? LOST : { kind: 'missed', order: missed, reason: findMissedReason(order, at) };
}

async function putOffOrder(
  context: BeginContext,
  order: WaitingOrder,
  waitsFor: WaitReason,
  attempt: number,
): Promise<FillStart> {
  const at = await context.orders.now();
  const retryAt = computeRetryAt(order, waitsFor, { attempt, now: at });
  const putOff = await saveEvent(context, order, { kind: 'put-off', waitsFor, retryAt, at });
  return putOff === null ? LOST : { kind: 'kept', order: putOff };
}

/** Has a round wait for its prices. The store is told once: thousands of rounds may wait for them, and are looked at often. */
async function waitForPrice(
  context: BeginContext,
  order: WaitingOrder,
  waitsFor: WaitReason,
  times: RetryTimes,
): Promise<FillStart> {
  if (order.waitsFor !== waitsFor) return putOffOrder(context, order, waitsFor, times.attempt);
  const until = Math.min(computeRetryAt(order, waitsFor, times), times.now + LONGEST_LOOK_MS);
  return { kind: 'waits', order, until };
}

interface RetryTimes {
  readonly attempt: number;
  readonly now: number;
}

/**
 * Returns when an order is tried again, in whole milliseconds as the store has them. A round is tried several times within its
 * time, and is put off no further than its end.
 */
function computeRetryAt(
  { plan, rounds }: WaitingOrder,
  waitsFor: WaitReason,
  { attempt, now }: RetryTimes,
): number {
  const delay = Math.min(FIRST_DELAY_MS * 2 ** Math.min(attempt, 20), LONGEST_DELAY_MS[waitsFor]);
  if (!isRecurring(plan) || rounds === null) return now + delay;
  const windowMs = computeRetryWindowMs(plan.intervalMs);
  return Math.min(now + Math.min(delay, Math.floor(windowMs / MIN_TRIES)), rounds.nextAt + windowMs);
}

async function signOrNull(
  { fills, onDefect }: BeginContext,
  sale: OrderSale,
  plan: PlannedFill,
): Promise<Awaited<ReturnType<FillMaker['sign']>> | null> {
  try {
    return await fills.sign(sale, plan);
  } catch (error) {
    if (!(error instanceof SigningRefused)) throw error;
    onDefect('custody refused to sign a fill', error);
    return null;
  }
}
