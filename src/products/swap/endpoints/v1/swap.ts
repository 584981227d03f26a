import { EXAMPLE_QUOTE } from './example-quote.ts';
import { EXAMPLE_WALLET } from '../../../example-values.ts';
import { defineEndpoint } from '../../../endpoint.ts';
import { Refusal } from '../json/schema.ts';
import { SwapBody, SwapResponse } from './schema.ts';
import { buildSwapTransaction } from '../../../../swaps/quoted-swaps/swap.ts';
import { parseSwapRequest } from './swap-request.ts';
import { toSwapResponse } from './swap-response.ts';
import type { SwapServices } from '../services.ts';

export const swapV1 = defineEndpoint({
  method: 'POST',
  path: '/swap/v1/swap',
  aliases: ['/v6/swap'],
  operationId: 'SwapPost',
  example: { body: { userPublicKey: EXAMPLE_WALLET, quoteResponse: EXAMPLE_QUOTE } },
  summary: 'Transaction of a quote (swap v1)',
  description: 'The unsigned transaction that carries out a quote; the caller signs and sends it.',
  body: SwapBody,
  responses: { 200: SwapResponse, 400: Refusal },
  handle: async ({ swap }: SwapServices, { body }) =>
    toSwapResponse(await buildSwapTransaction(swap, parseSwapRequest(body))),
});
