import { type TSchema, Type } from 'typebox';
import { EXAMPLE_WALLET } from '../../example-values.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { LazyList, writeJsonInTurns } from '../../json-in-turns.ts';
import { named } from '../../named-schema.ts';
import { address, choice, flag, integer } from '../../parameters/kinds.ts';
import { defineQuery, optional, type Parameter } from '../../parameters/parameter.ts';
import {
  countOrderPages,
  MAX_ORDER_PAGE,
  ORDERS_PER_PAGE,
  readOrderDecimals,
} from '../../program-order-json.ts';
import { TimeOrderJson, toRecurringJson } from './order-json.ts';
import { answerRefusals, RECURRING_ERROR_FORM, createResponses } from './recurring-errors.ts';
import type { RecurringServices } from './services.ts';

/** A parameter that some clients send as `null` when they have no value. */
function nullable<Value, Schema extends TSchema>({ schema, read }: Parameter<Value, Schema>) {
  return optional<Value | null, Schema>({
    schema,
    read: (given, name, refuse) => (given === 'null' ? null : read(given, name, refuse)),
  });
}

const QUERY = defineQuery({
  user: address('The wallet whose orders are listed.'),
  recurringType: choice(
    ['time', 'price', 'all'],
    'The kind of orders. No order is of the kind `price`, which is closed.',
  ),
  orderStatus: choice(['active', 'history'], 'Whether open orders are listed, or those that have ended.'),
  includeFailedTx: flag('Required. No failed transaction is kept here, so the answer is the same.'),
  page: nullable(
    integer(
      { minimum: 1, maximum: MAX_ORDER_PAGE },
      `From 1, which is the default, like \`null\`. A page has ${ORDERS_PER_PAGE} orders.`,
    ),
  ),
  mint: nullable(address('Only orders that sell or buy this token. Default: all, like `null`.')),
});

const KindOrderJson = named(
  'RecurringOrderWithKind',
  Type.Object({ ...TimeOrderJson.properties, recurringType: Type.Literal('time') }),
);

const OrdersJson = named(
  'RecurringOrders',
  Type.Object({
    user: Type.String(),
    orderStatus: Type.Enum(['active', 'history']),
    time: Type.Array(TimeOrderJson, {
      description:
        'The orders, if `recurringType` is `time`: open ones with the newest first, others with those that ended last first. Otherwise empty.',
    }),
    price: Type.Array(Type.Unknown(), { description: 'Empty.' }),
    all: Type.Array(KindOrderJson, {
      description: 'The same, if `recurringType` is `all`. Otherwise empty.',
    }),
    totalPages: Type.Integer({ description: 'At least 1. A page beyond the last one is empty.' }),
    page: Type.Integer(),
  }),
);

export const getOrders = defineEndpoint({
  method: 'GET',
  path: '/recurring/v1/getRecurringOrders',
  operationId: 'GetRecurringOrders',
  example: {
    query: { user: EXAMPLE_WALLET, recurringType: 'time', orderStatus: 'active', includeFailedTx: 'false' },
  },
  summary: 'The orders of a wallet',
  description: 'Lists orders that trade at regular times, with their trades.',
  query: QUERY.schema,
  responses: createResponses(OrdersJson),
  ...RECURRING_ERROR_FORM,
  handle: ({ lists, chain }: RecurringServices, { query, work }) =>
    answerRefusals(async () => {
      const read = QUERY.reader(query);
      const [user, recurringType, orderStatus] = [read('user'), read('recurringType'), read('orderStatus')];
      read('includeFailedTx');
      const [page, mint] = [read('page') ?? 1, read('mint')];
      const asked = {
        maker: user,
        isOpen: orderStatus === 'active',
        inputMint: null,
        outputMint: null,
        anyMint: mint,
        page,
        perPage: ORDERS_PER_PAGE,
      };
      const { orders, total } =
        recurringType === 'price' ? { orders: [], total: 0 } : await lists.listDcaOrders(asked, work);
      const decimalsOf = await readOrderDecimals(chain, orders);
      const shown = new LazyList(orders, (order) => {
        const json = toRecurringJson(order, decimalsOf);
        return recurringType === 'all' ? { ...json, recurringType: 'time' } : json;
      });
      const answer = {
        user,
        orderStatus,
        time: recurringType === 'time' ? shown : [],
        price: [],
        all: recurringType === 'all' ? shown : [],
        totalPages: countOrderPages(total),
        page,
      };
      return writeJsonInTurns(answer, work);
    }),
});
