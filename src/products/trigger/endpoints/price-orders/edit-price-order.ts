import { Type } from 'typebox';
import { named } from '../../../named-schema.ts';
import { defineWalletEndpoint } from '../trigger-endpoint.ts';
import { TriggerError } from '../trigger-errors.ts';
import { EXAMPLE_ORDER, OrderParams } from '../withdrawal-json.ts';
import { PRICE_FIELDS, readPriceFields } from './price-fields.ts';

const EditRequest = named(
  'TriggerPriceOrderEdit',
  Type.Object({
    orderType: Type.Enum(['single', 'oco', 'otoco'], {
      description: 'The kind of the order, which cannot be changed.',
    }),
    ...PRICE_FIELDS,
    expiresAt: Type.Optional(
      Type.Union([Type.Number(), Type.Null()], { description: 'Unix milliseconds, in the future.' }),
    ),
  }),
);

const EditedJson = named(
  'TriggerOrderEdited',
  Type.Object({ id: Type.String({ description: 'The id of the order.' }) }),
);

export const editPriceOrder = defineWalletEndpoint({
  method: 'PATCH',
  path: '/trigger/v2/orders/price/:id',
  operationId: 'EditTriggerPriceOrder',
  example: { params: EXAMPLE_ORDER, body: { orderType: 'single', triggerPriceUsd: 121 } },
  summary: 'Change the prices of an order',
  description:
    'Changes prices, slippages and the end of an open order; what is left out stays as it is. A fill that was begun before wins, ' +
    'and then the order is not changed.',
  params: OrderParams,
  body: EditRequest,
  responses: { 200: EditedJson, 400: TriggerError, 403: TriggerError, 404: TriggerError },
  handle: async ({ edits }, { params, body }, wallet) => {
    const { id } = await edits.edit({
      wallet,
      orderId: params.id,
      kind: body.orderType,
      ...readPriceFields(body),
      expiresAt: body.expiresAt ?? null,
    });
    return { id };
  },
});
