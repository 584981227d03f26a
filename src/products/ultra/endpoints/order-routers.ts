import { endpoint } from '../../endpoint.ts';
import { RoutersJson } from './schema.ts';

/** The engines that answer orders, by their ids in orders. */
const ROUTERS = [
  { id: 'metis', name: 'Metis' },
  { id: 'jupiterz', name: 'JupiterZ' },
];

export const orderRouters = endpoint({
  method: 'GET',
  path: '/ultra/v1/order/routers',
  operationId: 'GetOrderRouters',
  summary: 'The routers of orders',
  description:
    'The routers that compete for orders: `metis` trades in pools, `jupiterz` asks market makers. `excludeRouters` of an ' +
    'order takes their ids.',
  responses: { 200: RoutersJson },
  handle: () => ROUTERS,
});
