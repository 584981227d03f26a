import { endpoint, OtherAnswer } from '../../endpoint.ts';
import { SwapRefused } from '../errors.ts';
import { toOrderResponse } from './order-response.ts';
import { orderSwap } from '../order/order.ts';
import { parseOrderRequest } from '../engines/order-request.ts';
import { OrderQuery, OrderRefusal, OrderResponse } from './order-schema.ts';
import type { SwapServices } from './services.ts';

export const order = endpoint({
  method: 'GET',
  path: '/swap/v2/order',
  aliases: ['/ultra/v1/order'],
  operationId: 'GetOrder',
  summary: 'Swap as a transaction to sign',
  description:
    'The best quote of all routers for an exact input and, for a taker, the transaction that makes the swap.',
  query: OrderQuery,
  responses: { 200: OrderResponse, 400: OrderRefusal },
  handle: async ({ swap, labels }: SwapServices, { query }) => {
    const requestId = swap.newRequestId();
    try {
      const order = await orderSwap(swap, parseOrderRequest(query, labels), requestId);
      return toOrderResponse(swap.pools, order);
    } catch (error) {
      if (!(error instanceof SwapRefused)) throw error;
      return new OtherAnswer(400, { requestId, error: error.message });
    }
  },
});
