import type { Address } from '../../solana/address.ts';
import type { OcoPlan, OtocoPlan, RecurringPlan, SinglePlan, TriggerCondition } from '../order-plan.ts';

/** What every request for an order says, beside its plan. */
interface FundedRequest {
  /** The wallet that has signed in. */
  readonly wallet: Address;
  /** The wallet that the request names. */
  readonly userPubkey: Address;
  readonly depositRequestId: string;
  /** Base64. */
  readonly depositSignedTx: string;
  readonly inputMint: Address;
  readonly inputAmount: bigint;
  readonly outputMint: Address;
}

/** Prices and slippages as a client gives them. Null where it gives none, which leaves a slippage to the service. */
export interface RequestedPrices {
  /** US dollars for one whole token of the trigger mint. */
  readonly triggerPriceUsd: number | null;
  readonly trailingBps: number | null;
  readonly slippageBps: number | null;
  readonly tpPriceUsd: number | null;
  readonly tpSlippageBps: number | null;
  readonly slPriceUsd: number | null;
  readonly slSlippageBps: number | null;
}

/** An order over prices, as a client asks for it. */
export interface PriceOrderRequest extends FundedRequest, RequestedPrices {
  readonly kind: SinglePlan['kind'] | OcoPlan['kind'] | OtocoPlan['kind'];
  readonly triggerMint: Address;
  /** Null if it is not given: an `oco` order has none. */
  readonly condition: TriggerCondition | null;
  /** Unix milliseconds. */
  readonly expiresAt: number;
}

/** A recurring order, as a client asks for it. */
export interface RecurringOrderRequest extends FundedRequest {
  readonly kind: RecurringPlan['kind'];
  readonly orderCount: number;
  readonly intervalSeconds: number;
  /** Unix milliseconds; null begins now. */
  readonly beginFillAt: number | null;
  readonly minPriceUsd: number | null;
  readonly maxPriceUsd: number | null;
  readonly triggerMint: Address | null;
  /** Whether the deposit is to earn while it waits. */
  readonly earns: boolean;
  /** The mint of the shares that it then is held in; null if it is not given. */
  readonly earnMint: Address | null;
}

export type NewOrderRequest = PriceOrderRequest | RecurringOrderRequest;

/** What a deposit is crafted for. */
export type DepositKind = PriceOrderRequest['kind'] | 'recurring';

export function isRecurringRequest(request: NewOrderRequest): request is RecurringOrderRequest {
  return request.kind === 'time_based' || request.kind === 'price_conditional';
}
