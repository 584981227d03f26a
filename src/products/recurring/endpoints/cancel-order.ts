import { Type } from 'typebox';
import { RequestRefused } from '../../../common/request-refused.ts';
import { craftDcaCancellation } from '../../../program-orders/crafting/dca-cancel.ts';
import { EXAMPLE_WALLET } from '../../example-values.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { named } from '../../named-schema.ts';
import { RecurringTransactionJson, toTransactionJson } from './crafted-order.ts';
import {
  answerRefusals,
  PRICE_ORDERS_CLOSED,
  RECURRING_ERROR_FORM,
  createResponses,
} from './recurring-errors.ts';
import { readAddressField } from '../../parameters/address-field.ts';
import type { RecurringServices } from './services.ts';

/** An order of the public network. Examples on other networks name one of their own. */
export const EXAMPLE_ORDER = '4DWzP4TdTsuwvYMaMWrRqzya4UTFKFoVjfUWNWh8zhzd';

const CancelBody = named(
  'CancelRecurringOrder',
  Type.Object({
    order: Type.String({ description: 'The address of the order.' }),
    user: Type.String({ description: 'Its user, who signs and pays.' }),
    recurringType: Type.Enum(['time', 'price'], { description: '`time`. The other kind is closed.' }),
  }),
);

export const cancelOrder = defineEndpoint({
  method: 'POST',
  path: '/recurring/v1/cancelOrder',
  operationId: 'CancelRecurringOrder',
  example: { body: { order: EXAMPLE_ORDER, user: EXAMPLE_WALLET, recurringType: 'time' } },
  summary: 'Cancel an order',
  description:
    'Makes the transaction that closes an order on the chain. The user gets what is left of the input, what was bought and not ' +
    'paid out yet, and the rent. Tokens go to the associated accounts of the user. SOL are unwrapped, unless the user held ' +
    'wrapped SOL before. Sign it, and send it with `execute`, or land it yourself.',
  body: CancelBody,
  responses: createResponses(RecurringTransactionJson),
  ...RECURRING_ERROR_FORM,
  handle: ({ transactions }: RecurringServices, { body }) =>
    answerRefusals(async () => {
      if (body.recurringType === 'price') throw new RequestRefused(PRICE_ORDERS_CLOSED);
      const crafted = await craftDcaCancellation(transactions, {
        order: readAddressField(body.order, 'order'),
        user: readAddressField(body.user, 'user'),
      });
      return toTransactionJson(crafted);
    }),
});
