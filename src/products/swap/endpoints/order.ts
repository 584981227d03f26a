import { EXAMPLE_WALLET, EXAMPLE_MINTS } from '../../example-values.ts';
import { defineEndpoint, OtherAnswer } from '../../endpoint.ts';
import { SwapRefused } from '../../../swaps/refusals.ts';
import { FAILED_TO_GET_QUOTES } from './known-texts.ts';
import { toOrderResponse } from './order-response.ts';
import { chooseFeeMint } from '../../../swaps/fees/platform-fee.ts';
import { orderSwap, type SwapOrder } from '../order/order.ts';
import { ORDER_PARAMETERS, parseOrderRequest } from './parameters/order-parameters.ts';
import { OrderRefusal, OrderResponse } from './order-schema.ts';
import type { SwapServices } from './services.ts';

export const order = defineEndpoint({
  method: 'GET',
  path: '/swap/v2/order',
  aliases: ['/ultra/v1/order'],
  operationId: 'GetOrder',
  example: {
    query: {
      inputMint: EXAMPLE_MINTS.sol,
      outputMint: EXAMPLE_MINTS.usdc,
      amount: '100000000',
      taker: EXAMPLE_WALLET,
    },
  },
  summary: 'Swap as a transaction to sign',
  description:
    'The best quote of all routers and, for a taker, the transaction that makes the swap. 404: only makers were asked, and none of their quotes can be settled.',
  query: ORDER_PARAMETERS.schema,
  responses: { 200: OrderResponse, 400: OrderRefusal, 404: OrderRefusal },
  handle: async ({ swap, labels }: SwapServices, { query, caller }) => {
    const requestId = swap.newRequestId();
    try {
      const order = await orderSwap(swap, parseOrderRequest(query, labels), {
        requestId,
        caller,
      });
      const body = toOrderResponse(swap.prices, order);
      const notice = describeFeelessReferral(order);
      return notice === null ? body : new OtherAnswer(200, body, { 'x-sluice-notice': notice });
    } catch (error) {
      if (!(error instanceof SwapRefused)) throw error;
      const { message, reason } = error;
      const isUnquoted = reason.kind === 'unquoted';
      const texts = isUnquoted ? { error: FAILED_TO_GET_QUOTES, details: message } : { error: message };
      const status = isUnquoted && reason.askedMakersOnly ? 404 : 400;
      return new OtherAnswer(status, { requestId, ...texts });
    }
  },
});

/** The answer has the form that clients know, which has no place to say why a referrer gets nothing. */
function describeFeelessReferral({
  request: { referral, inputMint, outputMint },
  isReferralPaid,
}: SwapOrder): string | null {
  if (referral === null || isReferralPaid) return null;
  const mint = chooseFeeMint(inputMint, outputMint);
  return `referralAccount ${referral.account} has no token account for ${mint}, so referralFee is not taken`;
}
