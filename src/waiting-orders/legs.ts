import type { Address } from '../solana/address.ts';
import { type Bps, minimum } from '../solana/units.ts';
import {
  type ExitPair,
  isRecurring,
  type OrderLeg,
  type OrderPlan,
  type OtocoPlan,
  type PricedLeg,
  type SinglePlan,
  type Trailing,
  type TriggerCondition,
} from './order-plan.ts';
import type { WaitingOrder } from './waiting-order.ts';

/** A price that fills an order as soon as it is reached. */
export interface OrderTrigger extends PricedLeg {
  readonly leg: OrderLeg;
  readonly mint: Address;
  readonly condition: TriggerCondition;
}

/** What the legs of an order are read from. */
type LeggedOrder = Pick<
  WaitingOrder,
  'plan' | 'inputAmount' | 'remaining' | 'received' | 'bought' | 'unsold' | 'filledBy'
>;

/**
 * Returns the prices that fill an order now, of which the first to be reached decides. An `otoco` order waits for its entry until
 * everything is bought, and only then for its two exits. Once one of two exits has sold a part, only that one may sell the rest. A
 * recurring order waits for none.
 */
export function listTriggers(order: LeggedOrder): readonly OrderTrigger[] {
  const { plan, remaining, filledBy } = order;
  const triggers = listAllTriggers(plan);
  if (plan.kind === 'otoco' && remaining > 0n) return triggers.filter(({ leg }) => leg === 'entry');
  const exits = triggers.filter(({ leg }) => leg !== 'entry');
  return hasSoldPart(order) ? exits.filter(({ leg }) => leg === filledBy) : exits;
}

/** Whether one of two exits has sold something. */
function hasSoldPart({ plan, inputAmount, remaining, bought, unsold }: LeggedOrder): boolean {
  if (plan.kind === 'oco') return remaining < inputAmount;
  return plan.kind === 'otoco' && unsold < bought;
}

/** Returns the prices of a plan, also those that it does not wait for yet, or no longer. */
export function listAllTriggers(plan: OrderPlan): readonly OrderTrigger[] {
  switch (plan.kind) {
    case 'single':
      return [toTrigger('single', plan.triggerMint, plan.condition, plan)];
    case 'oco':
      return listExits(plan);
    case 'otoco':
      return [toTrigger('entry', plan.triggerMint, plan.condition, plan), ...listExits(plan)];
    default:
      return [];
  }
}

function listExits({
  triggerMint,
  takeProfit,
  stopLoss,
}: ExitPair & { readonly triggerMint: Address }): readonly OrderTrigger[] {
  return [
    toTrigger('take_profit', triggerMint, 'above', takeProfit),
    toTrigger('stop_loss', triggerMint, 'below', stopLoss),
  ];
}

function toTrigger(
  leg: OrderLeg,
  mint: Address,
  condition: TriggerCondition,
  { triggerPrice, slippageBps }: PricedLeg,
): OrderTrigger {
  return { leg, mint, condition, triggerPrice, slippageBps };
}

/** Whether a fill may belong to a leg now. No exit of an order can be filled after its other one was, in whole or in part. */
export function isLiveLeg(order: LeggedOrder, leg: OrderLeg): boolean {
  if (leg === 'round') return listTriggers(order).length === 0;
  return listTriggers(order).some((trigger) => trigger.leg === leg);
}

/** What a fill of a leg changes. */
export interface SettledLeg extends Pick<WaitingOrder, 'remaining' | 'received' | 'bought' | 'unsold'> {
  /** Whether the order has nothing left to sell. */
  readonly isDone: boolean;
}

/**
 * Counts a fill of a live leg: its entry buys for the exits, and everything else pays the wallet. A fill may take more than was
 * there, because strangers can pay into the accounts. That is not money of the order.
 *
 * @param moved - Atoms that the fill took and paid.
 */
export function settleLeg(
  order: LeggedOrder,
  leg: OrderLeg,
  { input, output }: { readonly input: bigint; readonly output: bigint },
): SettledLeg {
  const { plan, remaining, received, bought, unsold } = order;
  if (plan.kind === 'otoco' && leg !== 'entry') {
    const left = unsold - minimum(input, unsold);
    return { remaining, received: received + output, bought, unsold: left, isDone: left === 0n };
  }
  const left = remaining - minimum(input, remaining);
  if (leg === 'entry') {
    const held = unsold + output;
    return {
      remaining: left,
      received,
      bought: bought + output,
      unsold: held,
      isDone: left === 0n && held === 0n,
    };
  }
  return { remaining: left, received: received + output, bought, unsold, isDone: left === 0n };
}

/**
 * Returns why the plan of an order cannot be changed to another one; null if it can. Prices, distances and slippages may change.
 * What the deposit was signed for stays: the kind, what is watched, where the output goes, and whether the price trails.
 */
export function findEditFault({ plan: old, remaining }: LeggedOrder, plan: OrderPlan): string | null {
  if (isRecurring(old) || isRecurring(plan)) return `an order ${old.kind} cannot be changed to ${plan.kind}`;
  if (plan.kind === old.kind && plan.triggerMint !== old.triggerMint) {
    return `the price of ${old.triggerMint} is watched, and no other`;
  }
  if (old.kind === 'single' && plan.kind === 'single') return findSingleFault(old, plan);
  if (old.kind === 'oco' && plan.kind === 'oco') return findExitFault(plan);
  if (old.kind === 'otoco' && plan.kind === 'otoco') {
    return findExitFault(plan) ?? findEntryFault(old, plan, remaining === 0n);
  }
  return `an order ${old.kind} cannot become ${plan.kind}`;
}

function findSingleFault(old: SinglePlan, { condition, triggerPrice, trailing }: SinglePlan): string | null {
  if (condition !== old.condition) return `the order waits for a price ${old.condition}`;
  if (old.trailing === null) return trailing === null ? null : 'an order at a fixed price cannot trail';
  if (trailing === null) return 'an order that trails cannot have a fixed price';
  if (trailing.watermark !== old.trailing.watermark) {
    return `the watermark is ${old.trailing.watermark}, and only the market moves it`;
  }
  const expected = computeTrailingTrigger(condition, trailing);
  return triggerPrice === expected ? null : `the price that trails is ${expected}, and not ${triggerPrice}`;
}

function findExitFault({ takeProfit, stopLoss }: ExitPair): string | null {
  if (takeProfit.triggerPrice > stopLoss.triggerPrice) return null;
  return `the profit is taken at ${takeProfit.triggerPrice}, which is not above ${stopLoss.triggerPrice}, where the loss is stopped`;
}

function findEntryFault(old: OtocoPlan, plan: OtocoPlan, isFilled: boolean): string | null {
  if (plan.condition !== old.condition) return `the order waits for a price ${old.condition}`;
  if (plan.outputAccount !== old.outputAccount) return `the order buys into ${old.outputAccount}`;
  const isSame = plan.triggerPrice === old.triggerPrice && plan.slippageBps === old.slippageBps;
  return isFilled && !isSame ? 'the entry is filled, and can no longer be changed' : null;
}

const ALL_BPS = 10_000;

/** Computes the trigger price that follows from a watermark. */
export function computeTrailingTrigger(
  condition: TriggerCondition,
  { bps, watermark }: { readonly bps: Bps; readonly watermark: number },
): number {
  return (watermark * (condition === 'below' ? ALL_BPS - bps : ALL_BPS + bps)) / ALL_BPS;
}

/** Returns a plan whose trigger trails at a distance. */
export function createTrailingPlan(
  plan: Pick<SinglePlan, 'triggerMint' | 'condition' | 'slippageBps'>,
  trailing: Trailing,
): SinglePlan {
  const { triggerMint, condition, slippageBps } = plan;
  const triggerPrice = computeTrailingTrigger(condition, trailing);
  return { kind: 'single', triggerMint, condition, triggerPrice, slippageBps, trailing };
}

/**
 * Returns the plan after a price that has held, or null if that moves nothing: the plan does not trail, or the price is not better
 * for the wallet than all before it, or is no price at all.
 */
export function moveWatermark(plan: SinglePlan, price: number): SinglePlan | null {
  const { trailing, condition } = plan;
  if (trailing === null || !(price > 0 && price < Number.POSITIVE_INFINITY)) return null;
  const isBetter = condition === 'below' ? price > trailing.watermark : price < trailing.watermark;
  return isBetter ? createTrailingPlan(plan, { ...trailing, watermark: price }) : null;
}
