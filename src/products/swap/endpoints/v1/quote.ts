import { EXAMPLE_MINTS } from '../../../example-values.ts';
import { defineEndpoint, OtherAnswer } from '../../../endpoint.ts';
import { SwapRefused } from '../../../../swaps/refusals.ts';
import { COULD_NOT_FIND_ANY_ROUTE } from '../known-texts.ts';
import { Refusal } from '../json/schema.ts';
import { quoteSwap } from '../../../../swaps/quoted-swaps/quote.ts';
import { parseQuoteRequest, QUOTE_PARAMETERS } from './quote-parameters.ts';
import { QuoteResponse } from './schema.ts';
import { toQuoteResponse } from './quote-response.ts';
import type { SwapServices } from '../services.ts';

const NO_ROUTE = 'COULD_NOT_FIND_ANY_ROUTE';

export const quoteV1 = defineEndpoint({
  method: 'GET',
  path: '/swap/v1/quote',
  aliases: ['/v6/quote'],
  operationId: 'QuoteGet',
  example: { query: { inputMint: EXAMPLE_MINTS.sol, outputMint: EXAMPLE_MINTS.usdc, amount: '100000000' } },
  summary: 'Quote (swap v1)',
  description: 'The best on-chain route for an exact input, or the cheapest for an exact output.',
  query: QUOTE_PARAMETERS.schema,
  responses: { 200: QuoteResponse, 400: Refusal },
  handle: async ({ swap, labels }: SwapServices, { query }) => {
    try {
      return toQuoteResponse(quoteSwap(swap, parseQuoteRequest(query, labels)));
    } catch (error) {
      if (!(error instanceof SwapRefused && error.errorCode === NO_ROUTE)) throw error;
      const { message: details } = error;
      return new OtherAnswer(400, { error: COULD_NOT_FIND_ANY_ROUTE, errorCode: NO_ROUTE, details });
    }
  },
});
