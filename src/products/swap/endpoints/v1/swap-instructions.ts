import { EXAMPLE_QUOTE } from './example-quote.ts';
import { EXAMPLE_WALLET } from '../../../example-values.ts';
import { defineEndpoint } from '../../../endpoint.ts';
import { Refusal } from '../json/schema.ts';
import { SwapBody, SwapInstructionsResponse } from './schema.ts';
import { buildSwapInstructions } from '../../../../swaps/quoted-swaps/swap.ts';
import { parseSwapRequest } from './swap-request.ts';
import { toSwapInstructionsResponse } from './swap-response.ts';
import type { SwapServices } from '../services.ts';

export const swapInstructionsV1 = defineEndpoint({
  method: 'POST',
  path: '/swap/v1/swap-instructions',
  aliases: ['/v6/swap-instructions'],
  operationId: 'SwapInstructionsPost',
  example: { body: { userPublicKey: EXAMPLE_WALLET, quoteResponse: EXAMPLE_QUOTE } },
  summary: 'Instructions of a quote (swap v1)',
  description: 'The instructions that carry out a quote; the caller assembles, signs and sends them.',
  body: SwapBody,
  responses: { 200: SwapInstructionsResponse, 400: Refusal },
  handle: async ({ swap }: SwapServices, { body }) =>
    toSwapInstructionsResponse(await buildSwapInstructions(swap, parseSwapRequest(body))),
});
