import { Type } from 'typebox';
import { LazyList, writeJsonInTurns } from '../../../json-in-turns.ts';
import { defineHistoryQuery } from '../history-values.ts';
import { defineWalletEndpoint } from '../trigger-endpoint.ts';
import { answerTriggerError, TriggerError } from '../trigger-errors.ts';
import { OrderHistoryItem, toPriceOrderJson } from './price-history-json.ts';

const QUERY = defineHistoryQuery(
  ['updated_at', 'created_at', 'expires_at'],
  '`past` orders are filled, cancelled, expired or failed.',
);

export const listOrders = defineWalletEndpoint({
  method: 'GET',
  path: '/trigger/v2/orders/history',
  operationId: 'ListTriggerOrders',
  summary: 'The orders of the wallet over prices',
  description:
    'Orders that wait, and those that have ended. Of each, `events` has the deposit and the newest 50 other transactions; ' +
    'those of one order are complete up to 1,000 under its id.',
  query: QUERY.schema,
  responses: {
    200: Type.Object({
      orders: Type.Array(OrderHistoryItem),
      pagination: Type.Object({
        total: Type.Number({ description: 'Orders on all pages.' }),
        limit: Type.Number(),
        offset: Type.Number(),
      }),
    }),
    400: TriggerError,
  },
  handle: async ({ history }, { query, work }, wallet) => {
    const read = QUERY.reader(query);
    const [limit, offset] = [read('limit'), read('offset')];
    const { total, orders } = await history.list({
      wallet,
      family: 'price',
      state: read('state') ?? null,
      mint: read('mint') ?? null,
      sort: read('sort'),
      direction: read('dir'),
      limit,
      offset,
    });
    const answer = { orders: new LazyList(orders, toPriceOrderJson), pagination: { total, limit, offset } };
    return writeJsonInTurns(answer, work);
  },
});

export const getOrder = defineWalletEndpoint({
  method: 'GET',
  path: '/trigger/v2/orders/history/:id',
  operationId: 'GetTriggerOrder',
  example: { params: { id: '019a0000-0000-7000-8000-000000000001' } },
  summary: 'One order of the wallet',
  description: '404 `Order not found`: the wallet has no such order.',
  params: Type.Object({ id: Type.String({ description: 'The id of the order.' }) }),
  responses: { 200: OrderHistoryItem, 400: TriggerError, 404: TriggerError },
  handle: async ({ history }, { params, work }, wallet) => {
    const found = await history.find(wallet, params.id, 'price');
    if (found === null) return answerTriggerError(404, 'Order not found');
    return writeJsonInTurns(toPriceOrderJson(found), work);
  },
});
