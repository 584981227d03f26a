import type { Address } from '../solana/address.ts';
import type { Bps } from '../solana/units.ts';

/** The kinds of orders, by the names of the interface. */
export const PLAN_KINDS = ['single', 'oco', 'otoco', 'time_based', 'price_conditional'] as const;
export type PlanKind = (typeof PLAN_KINDS)[number];

export const TRIGGER_CONDITIONS = ['above', 'below'] as const;
export type TriggerCondition = (typeof TRIGGER_CONDITIONS)[number];

/**
 * What a fill belongs to: the only price of a `single` order, the price that an `otoco` order buys at, one of the two prices at
 * which it or an `oco` order sells, or a round of a recurring order.
 */
export const ORDER_LEGS = ['single', 'entry', 'take_profit', 'stop_loss', 'round'] as const;
export type OrderLeg = (typeof ORDER_LEGS)[number];

/** A price that an order waits for. */
export interface PricedLeg {
  /** US dollars for one whole token of the trigger mint. */
  readonly triggerPrice: number;
  /** Null leaves it to the service. */
  readonly slippageBps: Bps | null;
}

/** What all plans have that wait for a price. */
interface WatchingPlan {
  /** The mint whose price is watched: the input or the output. */
  readonly triggerMint: Address;
}

/** Waits for one price. */
export interface SinglePlan extends WatchingPlan, PricedLeg {
  readonly kind: 'single';
  readonly condition: TriggerCondition;
  /** Null for a price that stays as it is. */
  readonly trailing: Trailing | null;
}

/** A trigger that follows the price as long as it moves in the wallet's favour. */
export interface Trailing {
  /** How far the trigger price is from the watermark: below it for an order below a price, and above it for one above. */
  readonly bps: Bps;
  /** The best price since the order was created: the highest for an order below a price, the lowest for one above. */
  readonly watermark: number;
}

/** Two prices, of which the first one to be reached decides. The profit is taken above the one, and the loss stopped below the other. */
export interface ExitPair {
  readonly takeProfit: PricedLeg;
  readonly stopLoss: PricedLeg;
}

/** One deposit that is sold at the first of two prices to be reached. */
export interface OcoPlan extends WatchingPlan, ExitPair {
  readonly kind: 'oco';
}

/** Waits for one price, and then sells what it has bought at the first of two prices to be reached. */
export interface OtocoPlan extends WatchingPlan, PricedLeg, ExitPair {
  readonly kind: 'otoco';
  readonly condition: TriggerCondition;
  /** The token account of the vault that holds what was bought. */
  readonly outputAccount: Address;
}

export type PricePlan = SinglePlan | OcoPlan | OtocoPlan;

/** The prices between which a round is filled, in US dollars for one whole token; null where there is no bound. */
export interface PriceBand {
  readonly triggerMint: Address;
  readonly minPrice: number | null;
  readonly maxPrice: number | null;
}

/** Sells equal parts of a deposit, one in each interval. */
export interface RecurringPlan {
  readonly kind: 'time_based' | 'price_conditional';
  readonly rounds: number;
  readonly intervalMs: number;
  /** When the first round is due, in Unix milliseconds. */
  readonly beginAt: number;
  /** Null for rounds at any price: those of a `time_based` order. */
  readonly band: PriceBand | null;
  /**
   * The mint of the shares in which the order's account holds the deposit while it waits, so that it earns; null if the account
   * holds the input itself.
   */
  readonly earnMint: Address | null;
}

export type OrderPlan = PricePlan | RecurringPlan;

/** Orders that wait for a price, and those that are filled by the clock. They are listed, counted and cancelled apart. */
export type OrderFamily = 'price' | 'recurring';

export const RECURRING_KINDS = ['time_based', 'price_conditional'] as const satisfies PlanKind[];

export function getOrderFamily(plan: OrderPlan): OrderFamily {
  return isRecurring(plan) ? 'recurring' : 'price';
}

/** Whether an order is filled by the clock, in rounds. */
export function isRecurring(plan: OrderPlan): plan is RecurringPlan {
  return plan.kind === 'time_based' || plan.kind === 'price_conditional';
}
