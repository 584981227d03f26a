import type { Protocol } from '../../protocol/protocol.ts';
import { jupiterDcaOrders } from './dca.ts';
import { jupiterLimitOrders } from './limit.ts';
import { jupiterLimitOrdersV1 } from './limit-v1.ts';
import { jupiterValueAverageOrders } from './value-average.ts';
import { ORDER_ACCOUNTS } from './order-account-types.ts';

/** Orders that wait in the order programs of Jupiter. */
export const jupiterOrdersProtocol: Protocol = {
  name: 'jupiter-orders',
  fetchers: [jupiterLimitOrders, jupiterLimitOrdersV1, jupiterDcaOrders, jupiterValueAverageOrders],
  accounts: ORDER_ACCOUNTS,
};
