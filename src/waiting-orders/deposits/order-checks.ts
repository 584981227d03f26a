import type { Address } from '../../solana/address.ts';
import { type OrderPlan, type PricePlan, type RecurringPlan, isRecurring } from '../order-plan.ts';
import { OrderRefused } from '../order-refused.ts';
import type { OrderTransaction, WaitingOrder } from '../waiting-order.ts';
import type { DepositTerms } from './deposit-craft.ts';
import {
  type DepositKind,
  isRecurringRequest,
  type NewOrderRequest,
  type PriceOrderRequest,
  type RecurringOrderRequest,
} from './order-request.ts';

/** @throws OrderRefused when the request names another wallet than the one that has signed in */
export function requireOwnWallet(wallet: Address, named: Address): void {
  if (wallet === named) return;
  throw new OrderRefused('not the owner', 'Forbidden: userPubkey must match authenticated user');
}

/** Returns what the deposit of an order has to be crafted for. */
export function getDepositKind(request: NewOrderRequest): DepositKind {
  return isRecurringRequest(request) ? 'recurring' : request.kind;
}

/** @throws OrderRefused when the order is about something else than what was crafted */
export function checkAgainstDeposit(request: NewOrderRequest, terms: DepositTerms): void {
  const kind = getDepositKind(request);
  if (kind !== terms.kind) {
    throw new OrderRefused(
      'invalid',
      `orderType does not match the deposit: it was crafted for ${nameKind(terms.kind)}, got ${nameKind(kind)}. Please craft a new deposit.`,
    );
  }
  const pairs = [
    ['inputMint', request.inputMint, terms.inputMint],
    ['outputMint', request.outputMint, terms.outputMint],
    ['inputAmount', request.inputAmount, terms.amount],
  ] as const;
  for (const [name, given, crafted] of pairs) {
    if (given !== crafted) {
      throw new OrderRefused(
        'invalid',
        `${name} does not match the deposit: it was crafted with ${crafted}, got ${given}`,
      );
    }
  }
}

function nameKind(kind: DepositKind): string {
  return kind === 'recurring' ? "orderType 'dca'" : `orderSubType '${kind}'`;
}

/**
 * Whether a request asks again for an order that was created before. Of an order that was edited, the prices are not compared:
 * nobody knows any more what they were.
 */
export function isSameOrder(
  request: NewOrderRequest,
  order: WaitingOrder,
  deposit: Pick<OrderTransaction, 'inputAmount'>,
): boolean {
  const isSameDeposit =
    request.inputMint === order.inputMint &&
    request.outputMint === order.outputMint &&
    request.inputAmount === deposit.inputAmount &&
    request.kind === order.plan.kind;
  if (!isSameDeposit) return false;
  if (isRecurringRequest(request)) return isSameSchedule(request, order.plan);
  if (isRecurring(order.plan)) return false;
  const { triggerMint, condition } = request;
  if (triggerMint !== order.plan.triggerMint || condition !== getCondition(order.plan)) return false;
  return order.editedAt !== null || (request.expiresAt === order.expiresAt && hasPrices(request, order.plan));
}

function getCondition(plan: PricePlan) {
  return plan.kind === 'oco' ? null : plan.condition;
}

function hasPrices(request: PriceOrderRequest, plan: PricePlan): boolean {
  const given = toPrices(plan);
  return (Object.keys(given) as (keyof typeof given)[]).every((field) => request[field] === given[field]);
}

/** Returns the prices of a plan by the names of the interface. */
export function toPrices(plan: PricePlan) {
  const pair = plan.kind === 'single' ? null : plan;
  const trailing = plan.kind === 'single' ? plan.trailing : null;
  return {
    triggerPriceUsd: plan.kind === 'oco' || trailing !== null ? null : plan.triggerPrice,
    trailingBps: trailing?.bps ?? null,
    slippageBps: plan.kind === 'oco' ? null : plan.slippageBps,
    tpPriceUsd: pair?.takeProfit.triggerPrice ?? null,
    tpSlippageBps: pair?.takeProfit.slippageBps ?? null,
    slPriceUsd: pair?.stopLoss.triggerPrice ?? null,
    slSlippageBps: pair?.stopLoss.slippageBps ?? null,
  };
}

/** A request without a time begins when it is created, which a repeat cannot name. */
function isSameSchedule(request: RecurringOrderRequest, plan: OrderPlan): boolean {
  if (!isRecurring(plan)) return false;
  return (
    request.orderCount === plan.rounds &&
    request.intervalSeconds * 1_000 === plan.intervalMs &&
    (request.beginFillAt === null || request.beginFillAt === plan.beginAt) &&
    request.earns === (plan.earnMint !== null) &&
    (!request.earns || request.earnMint === plan.earnMint) &&
    isSameBand(request, plan)
  );
}

function isSameBand(request: RecurringOrderRequest, { band }: RecurringPlan): boolean {
  if (band === null) return request.kind === 'time_based';
  return (
    request.triggerMint === band.triggerMint &&
    request.minPriceUsd === band.minPrice &&
    request.maxPriceUsd === band.maxPrice
  );
}
