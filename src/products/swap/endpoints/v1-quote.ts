import { endpoint } from '../../endpoint.ts';
import { Refusal } from '../schema.ts';
import { quoteSwap } from '../v1/quote.ts';
import { parseQuoteRequest } from '../v1/quote-request.ts';
import { QuoteQuery, QuoteResponse } from '../v1/schema.ts';
import type { SwapServices } from './services.ts';

export const quoteV1 = endpoint({
  method: 'GET',
  path: '/swap/v1/quote',
  aliases: ['/v6/quote'],
  operationId: 'QuoteGet',
  summary: 'Quote (older flow)',
  description: 'The best on-chain route for an exact input, or the cheapest for an exact output.',
  query: QuoteQuery,
  responses: { 200: QuoteResponse, 400: Refusal },
  handle: async ({ swap, labels }: SwapServices, { query }) =>
    quoteSwap(swap, parseQuoteRequest(query, labels)),
});
