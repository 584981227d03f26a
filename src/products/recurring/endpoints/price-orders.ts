import { Type } from 'typebox';
import { EXAMPLE_WALLET } from '../../example-values.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { EXAMPLE_ORDER } from './cancel-order.ts';
import { RecurringTransactionJson } from './crafted-order.ts';
import {
  answerRecurringError,
  PRICE_ORDERS_CLOSED,
  RECURRING_ERROR_FORM,
  createResponses,
} from './recurring-errors.ts';
import type { RecurringServices } from './services.ts';

/** Defines an endpoint of the kind of orders that is closed. Nothing of a request matters, because all are refused alike. */
function definePriceOrderEndpoint(name: string, operationId: string, more: object) {
  return defineEndpoint({
    method: 'POST',
    path: `/recurring/v1/${name}`,
    operationId,
    example: { body: { order: EXAMPLE_ORDER, user: EXAMPLE_WALLET, ...more } },
    summary: 'Closed: price-based orders',
    description: 'The public service has closed orders of this kind. Every request is refused.',
    body: Type.Unknown(),
    responses: createResponses(RecurringTransactionJson),
    ...RECURRING_ERROR_FORM,
    handle: (_services: RecurringServices) => answerRecurringError(400, PRICE_ORDERS_CLOSED),
  });
}

export const priceDeposit = definePriceOrderEndpoint('priceDeposit', 'DepositToPriceOrder', {
  amount: 1_000_000,
});

export const priceWithdraw = definePriceOrderEndpoint('priceWithdraw', 'WithdrawFromPriceOrder', {
  inputOrOutput: 'In',
});
