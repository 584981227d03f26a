import { Type } from 'typebox';
import { LazyList, writeJsonInTurns } from '../../../json-in-turns.ts';
import { defineHistoryQuery } from '../history-values.ts';
import { defineWalletEndpoint } from '../trigger-endpoint.ts';
import { answerTriggerError, TriggerError } from '../trigger-errors.ts';
import { RecurringOrderJson, toRecurringOrderJson } from './recurring-history-json.ts';

const QUERY = defineHistoryQuery(
  ['updated_at', 'created_at', 'next_fill_at'],
  '`past` orders are completed, cancelled or failed.',
);

export const listRecurringOrders = defineWalletEndpoint({
  method: 'GET',
  path: '/trigger/v2/orders/history/dca',
  operationId: 'ListTriggerDcaOrders',
  summary: 'The orders of the wallet that are filled in rounds',
  description:
    'Orders that wait, and those that have ended. Of each, `events` has the deposit and the newest 50 other transactions; ' +
    'those of one order are complete up to 1,000 under its id.',
  query: QUERY.schema,
  responses: {
    200: Type.Object({
      orders: Type.Array(RecurringOrderJson),
      pagination: Type.Object({
        total: Type.Number({ description: 'Orders on all pages.' }),
        limit: Type.Number(),
        offset: Type.Number(),
      }),
    }),
    400: TriggerError,
  },
  handle: async ({ history, yields }, { query, work }, wallet) => {
    const read = QUERY.reader(query);
    const [limit, offset] = [read('limit'), read('offset')];
    const { total, orders } = await history.list({
      wallet,
      family: 'recurring',
      state: read('state') ?? null,
      mint: read('mint') ?? null,
      sort: read('sort'),
      direction: read('dir'),
      limit,
      offset,
    });
    const earned = await yields.of(orders.map(({ order }) => order));
    const answer = {
      orders: new LazyList(orders, (each) => toRecurringOrderJson(each, earned)),
      pagination: { total, limit, offset },
    };
    return writeJsonInTurns(answer, work);
  },
});

export const getRecurringOrder = defineWalletEndpoint({
  method: 'GET',
  path: '/trigger/v2/orders/history/dca/:id',
  operationId: 'GetTriggerDcaOrder',
  example: { params: { id: '019a0000-0000-7000-8000-000000000001' } },
  summary: 'One order of the wallet that is filled in rounds',
  description: '404 `Order not found`: the wallet has no such order.',
  params: Type.Object({ id: Type.String({ description: 'The id of the order.' }) }),
  responses: { 200: RecurringOrderJson, 400: TriggerError, 404: TriggerError },
  handle: async ({ history, yields }, { params, work }, wallet) => {
    const found = await history.find(wallet, params.id, 'recurring');
    if (found === null) return answerTriggerError(404, 'Order not found');
    const earned = await yields.of([found.order]);
    return writeJsonInTurns(toRecurringOrderJson(found, earned), work);
  },
});
