import { Type } from 'typebox';
import type { RequestedPrices } from '../../../../waiting-orders/deposits/order-request.ts';

const optional = (
  description: string,
  limits: { readonly minimum?: number; readonly exclusiveMinimum?: number; readonly maximum?: number },
) => Type.Optional(Type.Union([Type.Number(limits), Type.Null()], { description }));

/** US dollars. */
const PRICE = { exclusiveMinimum: 0 };
/** Basis points. */
const SLIPPAGE = { minimum: 0, maximum: 10_000 };

/** Prices and slippages, as they are given when an order is created and when it is edited. */
export const PRICE_FIELDS = {
  triggerPriceUsd: optional(
    'Of `single` and `otoco` orders. US dollars for one whole token of `triggerMint`. Not with `trailingBps`.',
    PRICE,
  ),
  trailingBps: optional(
    'Of `single` orders. Basis points, from 50 to 9000, by which the trigger follows the best price since the order was created.',
    { minimum: 50, maximum: 9_000 },
  ),
  slippageBps: optional(
    'Of `single` and `otoco` orders. Basis points, from 0 to 10000, under the reference price that a fill may pay less. The ' +
      'service decides if it is left out.',
    SLIPPAGE,
  ),
  tpPriceUsd: optional('Of `oco` and `otoco` orders. The profit is taken at this price or above.', PRICE),
  slPriceUsd: optional(
    'Of `oco` and `otoco` orders, below `tpPriceUsd`. The loss is stopped at this price or below.',
    PRICE,
  ),
  tpSlippageBps: optional('Of `oco` and `otoco` orders: the slippage of taking the profit.', SLIPPAGE),
  slSlippageBps: optional('Of `oco` and `otoco` orders: the slippage of stopping the loss.', SLIPPAGE),
};

/** Returns the prices of a request, with null for those that it does not have. */
export function readPriceFields(
  body: {
    readonly [Field in keyof RequestedPrices]?: number | null | undefined;
  },
): RequestedPrices {
  return {
    triggerPriceUsd: body.triggerPriceUsd ?? null,
    trailingBps: body.trailingBps ?? null,
    slippageBps: body.slippageBps ?? null,
    tpPriceUsd: body.tpPriceUsd ?? null,
    tpSlippageBps: body.tpSlippageBps ?? null,
    slPriceUsd: body.slPriceUsd ?? null,
    slSlippageBps: body.slSlippageBps ?? null,
  };
}
