import type { Address } from '../../solana/address.ts';
import { SigningRefused } from '../../custody/custody.ts';
import type { FillPlan, PlannedFill } from '../fills/fill-plan.ts';
import type { GasCharge } from '../fills/gas-budget.ts';
import { applyOrderEvent, LEASE_MS } from '../machine.ts';
import type { OrderLeg } from '../order-plan.ts';
import { findSale, type OrderSale } from '../order-sale.ts';
import type { OrderTransaction, WaitingOrder, WaitReason } from '../waiting-order.ts';
import { recordFill, saveEvent, type WriteContext } from './kept-orders.ts';

const FIRST_DELAY_MS = 1_000;
/** A price or a route may come at any time; what a program refuses does not change by itself. */
const LONGEST_DELAY_MS: Readonly<Record<WaitReason, number>> = {
  gas: 60_000,
  price: 60_000,
  route: 60_000,
  unpriced: 60_000,
  unavailable: 5_000,
  refused: 600_000,
};

/** What plans, pays for and signs fills. */
export interface FillMaker {
  readonly plan: (sale: OrderSale, prices: OrderPrices) => Promise<FillPlan>;
  /**
   * Counts the most that a fill may cost. Returns null if that is not within the budget of the operator.
   * @throws Unavailable when the store does not answer
   */
  readonly spend: (wallet: Address, lamports: bigint) => Promise<GasCharge | null>;
  /** Subtracts lamports of a charge that were not spent. A failure only leaves them counted. */
  readonly giveBack: (charge: GasCharge, lamports: bigint) => void;
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

export interface BeginContext extends WriteContext {
  /** Names this keeper among all. It is never used again. */
  readonly holder: string;
  readonly fills: FillMaker;
  /** Returns the prices by which an order is filled now; null if its price does not hold. */
  readonly findPrices: (order: WaitingOrder) => OrderPrices | null;
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
  /** Somebody else has changed the order. */
  | { readonly kind: 'lost' }
  /** The store does not say whether the fill is recorded. If it is, it is found when the lease has run out. */
  | { readonly kind: 'unknown' };

const LOST = { kind: 'lost' } as const;

/**
 * Takes an open order, plans its fill, and records it. Nothing is sent here.
 *
 * The order is changed three times at most, each time only if nobody else has changed it: it is taken, then put off or recorded.
 * That it has not expired and that its price holds is checked before it is planned, and again right before it is recorded.
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
  if (now >= order.expiresAt) return expire(context, order, now);
  const taken = await saveEvent(context, order, {
    kind: 'taken',
    holder,
    leaseUntil: now + LEASE_MS,
    at: now,
  });
  if (taken === null) return LOST;
  const putOff = (reason: WaitReason) => putOffOrder(context, taken, reason, attempt);
  const prices = context.findPrices(taken);
  if (prices === null) return { kind: 'kept', order: taken };
  const sale = findSale(taken, prices.leg);
  const plan = await fills.plan(sale, prices);
  if (plan.kind === 'waits') return putOff(plan.reason);
  const charge = await fills.spend(taken.wallet, plan.lamports);
  if (charge === null) return putOff('gas');
  let isSpent = false;
  try {
    const signed = await signOrNull(context, sale, plan);
    if (signed === null) return await putOff('refused');
    const at = await orders.now();
    if (at >= taken.expiresAt) return await expire(context, taken, at);
    if (context.findPrices(taken)?.leg !== prices.leg) return { kind: 'kept', order: taken };
    const { leg } = prices;
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
      inputAmount: plan.inputAmount,
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

async function expire(context: BeginContext, order: WaitingOrder, at: number): Promise<FillStart> {
  const expired = await saveEvent(context, order, { kind: 'expired', at });
  return expired === null ? LOST : { kind: 'kept', order: expired };
}

async function putOffOrder(
  context: BeginContext,
  order: WaitingOrder,
  waitsFor: WaitReason,
  attempt: number,
): Promise<FillStart> {
  const at = await context.orders.now();
  const delay = Math.min(FIRST_DELAY_MS * 2 ** Math.min(attempt, 20), LONGEST_DELAY_MS[waitsFor]);
  const putOff = await saveEvent(context, order, { kind: 'put-off', waitsFor, retryAt: at + delay, at });
  return putOff === null ? LOST : { kind: 'kept', order: putOff };
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
