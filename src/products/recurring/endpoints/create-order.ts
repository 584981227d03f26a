import { type Static, Type } from 'typebox';
import { RequestRefused } from '../../../common/request-refused.ts';
import { craftDcaOrder } from '../../../program-orders/crafting/dca-create.ts';
import { EXAMPLE_MINTS, EXAMPLE_WALLET } from '../../example-values.ts';
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

const nullable = <Schema extends ReturnType<typeof Type.Number> | ReturnType<typeof Type.Integer>>(
  schema: Schema,
) => Type.Optional(Type.Union([schema, Type.Null()]));

const TimeParameters = named(
  'RecurringTimeParameters',
  Type.Object({
    inAmount: Type.Integer({
      minimum: 0,
      description:
        'Base units of the input that are deposited, for all orders. They must be worth 100 US dollars.',
    }),
    numberOfOrders: Type.Integer({
      minimum: 0,
      description:
        'How often it is traded: twice at least, and for 50 US dollars each time. The last order trades the rest.',
    }),
    interval: Type.Integer({ description: 'Seconds between two orders: from 30 to 31,536,000.' }),
    minPrice: nullable(
      Type.Number({
        description:
          'No order is filled below this price: what one whole token of the output costs, in whole tokens of the input, fee included. Default: no bound.',
      }),
    ),
    maxPrice: nullable(
      Type.Number({ description: 'No order is filled above this price. Default: no bound.' }),
    ),
    startAt: nullable(
      Type.Integer({
        description: 'Unix seconds of the first order, at most a year from now. Default: now, like 0.',
      }),
    ),
  }),
);

const CreateBody = named(
  'CreateRecurringOrder',
  Type.Object({
    user: Type.String({ description: 'The wallet that deposits, signs and pays.' }),
    inputMint: Type.String({
      description: 'The token that is traded away. SOL are wrapped by the transaction.',
    }),
    outputMint: Type.String({ description: 'The token that is bought.' }),
    params: Type.Object({
      time: Type.Optional(Type.Union([TimeParameters, Type.Null()])),
      price: Type.Optional(
        Type.Unknown({ description: 'The parameters of the kind of orders that is closed. It is refused.' }),
      ),
    }),
  }),
);

export const createOrder = defineEndpoint({
  method: 'POST',
  path: '/recurring/v1/createOrder',
  operationId: 'CreateRecurringOrder',
  example: {
    body: {
      user: EXAMPLE_WALLET,
      inputMint: EXAMPLE_MINTS.usdc,
      outputMint: EXAMPLE_MINTS.sol,
      params: {
        time: {
          inAmount: 104_000_000,
          numberOfOrders: 2,
          interval: 86_400,
          minPrice: null,
          maxPrice: null,
          startAt: null,
        },
      },
    },
  },
  summary: 'Create an order that trades at regular times',
  description:
    'Makes the transaction that deposits the input into an order on the chain. Sign it, and send it with `execute`, or land it ' +
    'yourself. Tokens of Token-2022 are refused.',
  exactIntegers: true,
  body: CreateBody,
  responses: createResponses(RecurringTransactionJson),
  ...RECURRING_ERROR_FORM,
  handle: ({ transactions }: RecurringServices, { body }) =>
    answerRefusals(async () => toTransactionJson(await craftDcaOrder(transactions, readRequest(body)))),
});

/** @throws RequestRefused with a sentence for the client */
function readRequest({ user, inputMint, outputMint, params }: Static<typeof CreateBody>) {
  if (params.price !== undefined && params.price !== null) throw new RequestRefused(PRICE_ORDERS_CLOSED);
  const { time = null } = params;
  if (time === null)
    throw new RequestRefused('params must have time, with inAmount, numberOfOrders and interval');
  const { inAmount, numberOfOrders, interval, minPrice = null, maxPrice = null, startAt = null } = time;
  return {
    user: readAddressField(user, 'user'),
    inputMint: readAddressField(inputMint, 'inputMint'),
    outputMint: readAddressField(outputMint, 'outputMint'),
    inAmount,
    numberOfOrders,
    interval,
    minPrice,
    maxPrice,
    startAt,
  };
}
