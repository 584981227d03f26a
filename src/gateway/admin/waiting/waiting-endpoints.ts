import type { Static } from 'typebox';
import { formatForError } from '../../../common/format-for-error.ts';
import { toResult } from '../../../common/refusal.ts';
import { createPage, getPageLimit, parseCursor } from '../../../platform/requests/paging.ts';
import type { Address } from '../../../solana/address.ts';
import type { Store } from '../../../store/index.ts';
import { listTriggers, type OrderTrigger } from '../../../waiting-orders/legs.ts';
import { isRecurring } from '../../../waiting-orders/order-plan.ts';
import { describeWait } from '../../../waiting-orders/overview/describe-wait.ts';
import { findOrderDetails, listAllOrders } from '../../../waiting-orders/overview/order-overview.ts';
import type { WaitingOrderStore } from '../../../waiting-orders/store/order-store.ts';
import { NEVER, type OrderTransaction, type WaitingOrder } from '../../../waiting-orders/waiting-order.ts';
import { RequestInvalid } from '../../http/validation.ts';
import { unwrapResult } from '../access/unwrap-result.ts';
import { defineAdminEndpoint } from '../endpoint/admin-endpoint.ts';
import * as shape from './waiting-schema.ts';

/** What the operator reads of orders that wait. */
export interface WaitingOrderControls {
  readonly store: Pick<Store, 'db'>;
  /** Orders are judged by its clock, as keepers judge them. */
  readonly orders: Pick<WaitingOrderStore, 'network' | 'rows' | 'now'>;
  /** Returns the price of a token in US dollars, as orders are triggered by it; null if it has none. */
  readonly priceOf: (mint: Address) => number | null;
}

const MAX_TRANSACTIONS = 100;

const waitingOrdersOfAll = defineAdminEndpoint({
  method: 'GET',
  path: '/admin/v1/waiting-orders',
  summary: 'The orders that wait for their price on this network, newest first',
  query: shape.WaitingListQuery,
  responses: { 200: shape.WaitingOrdersAnswer },
  handle: async ({ store, orders, priceOf }: WaitingOrderControls, { query }) => {
    const place = unwrapResult(await toResult(async () => parseCursor<[string]>(query, [''])));
    // One row more shows whether there is a next page.
    const listed = await listAllOrders(
      toListSource(store, orders),
      query,
      place?.[0] ?? null,
      getPageLimit(query) + 1,
    );
    const { items, next } = createPage(listed, query, ({ id }) => [id]);
    const now = await orders.now();
    return { orders: items.map((order) => toWaitingOrderLine(order, findPrice(order, priceOf), now)), next };
  },
});

const waitingOrder = defineAdminEndpoint({
  method: 'GET',
  path: '/admin/v1/waiting-orders/:order',
  summary: 'An order that waits for its price, with its transactions, and why it is not filled',
  params: shape.WaitingOrderParams,
  responses: { 200: shape.WaitingOrderAnswer },
  handle: async ({ store, orders, priceOf }: WaitingOrderControls, { params: { order: id } }) => {
    const found = await findOrderDetails(toListSource(store, orders), id, MAX_TRANSACTIONS);
    if (found === null) throw new RequestInvalid(`there is no order ${formatForError(id)} that waits`, 404);
    if (found.kind === 'unreadable')
      throw new RequestInvalid(`the order ${id} cannot be read: ${found.reason}`, 409);
    const { order, transactions } = found;
    const now = await orders.now();
    return {
      order: toWaitingOrderLine(order, findPrice(order, priceOf), now),
      transactions: transactions.map(toTransactionLine),
    };
  },
});

/** The orders that wait for their price. They belong to wallets and not to organisations, so the operator alone sees them. */
export const WAITING_ORDER_ENDPOINTS = [waitingOrdersOfAll, waitingOrder];

function toListSource({ db }: Pick<Store, 'db'>, { network, rows }: WaitingOrderControls['orders']) {
  return { db, network, rows };
}

function findPrice(order: WaitingOrder, priceOf: WaitingOrderControls['priceOf']): number | null {
  const watched = isRecurring(order.plan) ? order.plan.band?.triggerMint : order.plan.triggerMint;
  return watched === undefined ? null : priceOf(watched);
}

function toTriggerLine({ leg, mint, condition, triggerPrice, slippageBps }: OrderTrigger) {
  return { leg, mint, condition, triggerPrice, slippageBps };
}

function toRoundsLine({ plan, rounds }: WaitingOrder): Static<typeof shape.WaitingOrderLine>['rounds'] {
  if (!isRecurring(plan) || rounds === null) return null;
  const { band } = plan;
  return {
    total: plan.rounds,
    filled: rounds.filled,
    intervalMs: plan.intervalMs,
    nextAt: rounds.nextAt,
    lastAt: rounds.lastAt,
    triggerMint: band?.triggerMint ?? null,
    minPrice: band?.minPrice ?? null,
    maxPrice: band?.maxPrice ?? null,
  };
}

/** @param now - Unix milliseconds. */
function toWaitingOrderLine(
  order: WaitingOrder,
  price: number | null,
  now: number,
): Static<typeof shape.WaitingOrderLine> {
  return {
    id: order.id,
    wallet: order.wallet,
    vault: order.vault,
    account: order.account,
    inputMint: order.inputMint,
    outputMint: order.outputMint,
    inputAmount: order.inputAmount.toString(),
    remaining: order.remaining.toString(),
    received: order.received.toString(),
    kind: order.plan.kind,
    triggers: listTriggers(order).map(toTriggerLine),
    price,
    trailing: order.plan.kind === 'single' ? order.plan.trailing : null,
    rounds: toRoundsLine(order),
    state: order.state,
    waitsFor: order.waitsFor,
    explanation: describeWait(order, price, now),
    failures: order.failures,
    retryAt: order.retryAt > now ? order.retryAt : null,
    keeper: order.leaseUntil > now ? order.leaseHolder : null,
    keeperUntil: order.leaseHolder !== null && order.leaseUntil > now ? order.leaseUntil : null,
    triggeredAt: order.triggeredAt,
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
    expiresAt: order.expiresAt === NEVER ? null : order.expiresAt,
    editedAt: order.editedAt,
  };
}

function toTransactionLine(transaction: OrderTransaction) {
  return {
    number: transaction.number,
    kind: transaction.kind,
    signature: transaction.signature,
    outcome: transaction.outcome,
    inputAmount: transaction.inputAmount.toString(),
    outputAmount: transaction.outputAmount === null ? null : transaction.outputAmount.toString(),
    triggeredPrice: transaction.triggeredPrice,
    leg: transaction.leg,
    round: transaction.round,
    lastValidBlockHeight: transaction.lastValidBlockHeight.toString(),
    createdAt: transaction.createdAt,
    endedAt: transaction.endedAt,
  };
}
