import { defineEndpoint } from '../../endpoint.ts';
import { JUPITERZ_LABEL } from '../../../swaps/engines/engine.ts';
import { RoutersJson } from './schema.ts';

/** The engines that answer orders, by their ids in orders. Strict clients require an icon. */
const ROUTERS = [
  { id: 'metis', name: 'Metis', icon: letterIcon('M') },
  { id: 'jupiterz', name: JUPITERZ_LABEL, icon: letterIcon('Z') },
];

/** Draws a letter in a circle, as an image that a page shows without asking another server. */
function letterIcon(letter: string): string {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="#334155"/>' +
    `<text x="16" y="22" font-family="sans-serif" font-size="18" text-anchor="middle" fill="#fff">${letter}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

export const orderRouters = defineEndpoint({
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
