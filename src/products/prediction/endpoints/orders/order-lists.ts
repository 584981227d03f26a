import { Type } from 'typebox';
import { refuseOrder, refuseUnknown } from '../../../../predictions/prediction-refused.ts';
import type { OpenPredictionOrder } from '../../../../predictions/prediction.ts';
import { EXAMPLE_WALLET } from '../../../example-values.ts';
import { named } from '../../../named-schema.ts';
import { address } from '../../../parameters/kinds.ts';
import { defineQuery } from '../../../parameters/parameter.ts';
import { LazyList, writeJsonInTurns } from '../../../json-in-turns.ts';
import { PaginationJson } from '../json/amount-forms.ts';
import { OrderStatusJson, toOrderStatusJson } from '../json/history-json.ts';
import { createSubjectFinder } from '../json/market-metadata.ts';
import { PredictionOrderJson, toOrderJson } from '../json/order-json.ts';
import type { PredictionDesk } from '../prediction-services.ts';
import { PAGE_PARAMETERS, refuseParameter, toPagination, toRange } from '../event-parameters.ts';
import { OWNER_PARAMETERS, readOwner } from '../owner-parameters.ts';
import { definePredictionEndpoint } from '../prediction-endpoint.ts';

/** The order that examples name. */
const EXAMPLE_ORDER = EXAMPLE_WALLET;

function createFinder({ events, crafting }: PredictionDesk) {
  return createSubjectFinder(events, Number(crafting.chain.clock().unixTimestamp));
}

const OrdersJson = named(
  'PredictionOrders',
  Type.Object({ data: Type.Array(PredictionOrderJson), pagination: PaginationJson }),
);

const LIST = defineQuery({ ...OWNER_PARAMETERS, ...PAGE_PARAMETERS }, refuseParameter);

/** `GET /orders`: orders that are on the chain. */
export const listOrders = definePredictionEndpoint({
  method: 'GET',
  path: '/prediction/v1/orders',
  operationId: 'ListPredictionOrders',
  summary: 'Open orders',
  description:
    'Lists the orders of a wallet that are on the chain, the newest first; without a wallet those of all. An order leaves the list when it is closed: `history` has it then.',
  example: { query: { ownerPubkey: EXAMPLE_WALLET } },
  query: LIST.schema,
  answer: OrdersJson,
  handle: async (desk, { query, work }) => {
    const read = LIST.reader(query);
    const [owner, range] = [readOwner(read), toRange(read('start'), read('end'))];
    const { accounts } = desk;
    const find = createFinder(desk);
    const orders = [...(owner === null ? accounts.openOrders() : accounts.ordersOf(owner))]
      .filter(({ marketIdHash }) => find(marketIdHash) !== null)
      .sort(compareNewest);
    const data = new LazyList(orders.slice(range.start, range.end), (order) => {
      const subject = find(order.marketIdHash);
      return subject === null ? null : toOrderJson(order, subject);
    });
    return writeJsonInTurns({ data, pagination: toPagination(range, orders.length) }, work);
  },
});

function compareNewest(one: OpenPredictionOrder, other: OpenPredictionOrder): number {
  if (one.createdAt !== other.createdAt) return one.createdAt > other.createdAt ? -1 : 1;
  return one.address < other.address ? -1 : 1;
}

const ORDER = defineQuery({ orderPubkey: address('The account of the order.') }, refuseParameter);

/** `GET /orders/:orderPubkey`: an order that is on the chain. */
export const getOrder = definePredictionEndpoint({
  method: 'GET',
  path: '/prediction/v1/orders/:orderPubkey',
  operationId: 'GetPredictionOrder',
  summary: 'One open order',
  description:
    'Returns an order that is on the chain. 400: it is closed, and its status says how it ended. 404: it is not known.',
  example: { params: { orderPubkey: EXAMPLE_ORDER } },
  params: ORDER.schema,
  answer: PredictionOrderJson,
  handle: async (desk, { params }) => {
    const orderPubkey = ORDER.reader(params)('orderPubkey');
    const order = desk.accounts.findOrder(orderPubkey);
    const subject = order === null ? null : createFinder(desk)(order.marketIdHash);
    if (order !== null && subject !== null) return toOrderJson(order, subject);
    const ended = await desk.history.findOrderHistory(orderPubkey);
    if (ended.length > 0) return refuseOrder('order_closed', 'Order is closed', 'orderPubkey');
    return refuseUnknown('order_not_found', 'Order not found', 'orderPubkey');
  },
});

/** `GET /orders/status/:orderPubkey`: what became of an order. */
export const getOrderStatus = definePredictionEndpoint({
  method: 'GET',
  path: '/prediction/v1/orders/status/:orderPubkey',
  operationId: 'GetPredictionOrderStatus',
  summary: 'What became of an order',
  description:
    'Returns the events of an order. 404: it has not landed, or it landed so shortly ago that its events are not recorded yet; ask again.',
  example: { params: { orderPubkey: EXAMPLE_ORDER } },
  params: ORDER.schema,
  answer: OrderStatusJson,
  handle: async ({ history }, { params }) => {
    const orderPubkey = ORDER.reader(params)('orderPubkey');
    const status = toOrderStatusJson(orderPubkey, await history.findOrderHistory(orderPubkey));
    return status ?? refuseUnknown('order_history_not_found', 'Order history not found', 'orderPubkey');
  },
});
