import type { FastifyInstance } from 'fastify';
import type { Query } from '../query.ts';
import { ProgramLabels, Refusal } from '../schema.ts';
import type { SwapParts } from '../order/swap-parts.ts';
import { quoteSwap } from './quote.ts';
import { parseQuoteRequest } from './quote-request.ts';
import { QuoteQuery, QuoteResponse, SwapBody, SwapInstructionsResponse, SwapResponse } from './schema.ts';
import { swapInstructions, swapTransaction } from './swap.ts';
import { parseSwapRequest } from './swap-request.ts';

/** The older flow: a quote, then a transaction or instructions made of it. */
export function registerSwapV1(app: FastifyInstance, parts: SwapParts): void {
  registerQuote(app, parts);
  registerSwap(app, parts);
  registerSwapInstructions(app, parts);
  registerProgramLabels(app, parts);
}

function registerQuote(app: FastifyInstance, parts: SwapParts): void {
  const labels = Object.values(parts.venueLabels);
  app.get<{ Querystring: Query }>(
    '/swap/v1/quote',
    {
      schema: {
        operationId: 'QuoteGet',
        summary: 'Quote (older flow)',
        description: 'The best on-chain route for an exact input, or the cheapest for an exact output.',
        tags: ['swap'],
        querystring: QuoteQuery,
        response: { 200: QuoteResponse, 400: Refusal },
      },
    },
    async (request) => quoteSwap(parts, parseQuoteRequest(request.query, labels)),
  );
}

function registerSwap(app: FastifyInstance, parts: SwapParts): void {
  app.post<{ Body: SwapBody }>(
    '/swap/v1/swap',
    {
      schema: {
        operationId: 'SwapPost',
        summary: 'Transaction of a quote (older flow)',
        description: 'The unsigned transaction that carries out a quote; the caller signs and sends it.',
        tags: ['swap'],
        body: SwapBody,
        response: { 200: SwapResponse, 400: Refusal },
      },
    },
    async (request) => swapTransaction(parts, parseSwapRequest(request.body)),
  );
}

function registerSwapInstructions(app: FastifyInstance, parts: SwapParts): void {
  app.post<{ Body: SwapBody }>(
    '/swap/v1/swap-instructions',
    {
      schema: {
        operationId: 'SwapInstructionsPost',
        summary: 'Instructions of a quote (older flow)',
        description: 'The instructions that carry out a quote; the caller assembles, signs and sends them.',
        tags: ['swap'],
        body: SwapBody,
        response: { 200: SwapInstructionsResponse, 400: Refusal },
      },
    },
    async (request) => swapInstructions(parts, parseSwapRequest(request.body)),
  );
}

function registerProgramLabels(app: FastifyInstance, { venueLabels }: SwapParts): void {
  app.get(
    '/swap/v1/program-id-to-label',
    {
      schema: {
        operationId: 'ProgramIdToLabelGet',
        summary: 'Venues (older flow)',
        description: 'The label of each venue by the address of its program.',
        tags: ['swap'],
        response: { 200: ProgramLabels },
      },
    },
    async () => venueLabels,
  );
}
