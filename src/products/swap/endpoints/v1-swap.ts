import { endpoint } from '../../endpoint.ts';
import { Refusal } from '../schema.ts';
import { SwapBody, SwapResponse } from '../v1/schema.ts';
import { swapTransaction } from '../v1/swap.ts';
import { parseSwapRequest } from '../v1/swap-request.ts';
import type { SwapServices } from './services.ts';

export const swapV1 = endpoint({
  method: 'POST',
  path: '/swap/v1/swap',
  aliases: ['/v6/swap'],
  operationId: 'SwapPost',
  summary: 'Transaction of a quote (older flow)',
  description: 'The unsigned transaction that carries out a quote; the caller signs and sends it.',
  body: SwapBody,
  responses: { 200: SwapResponse, 400: Refusal },
  handle: async ({ swap }: SwapServices, { body }) => swapTransaction(swap, parseSwapRequest(body)),
});
