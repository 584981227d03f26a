import type { FastifyInstance } from 'fastify';
import { buildSwap } from './build/build.ts';
import { buildJson } from './build/build-json.ts';
import { parseBuildRequest } from './build/build-request.ts';
import { ExecuteRefused, SwapRefused } from './errors.ts';
import { executeSwap } from './execution/execute.ts';
import { ExecuteBody, ExecuteRefusal, ExecuteResponse } from './execution/execute-schema.ts';
import { Code } from './execution/land-order.ts';
import { orderSwap } from './order/order.ts';
import { parseOrderRequest } from './engines/order-request.ts';
import { OrderQuery, OrderRefusal, OrderResponse } from './order/order-schema.ts';
import type { Query } from './query.ts';
import { BuildQuery, BuildResponse, ProgramLabels, Refusal } from './schema.ts';
import type { SwapParts } from './order/swap-parts.ts';
import { registerSwapV1 } from './v1/routes.ts';

/** As long as a transaction may take to land, and some more. */
const EXECUTE_TIMEOUT_MS = 150_000;

export function registerSwap(app: FastifyInstance, parts: SwapParts): void {
  const labels = Object.values(parts.venueLabels);
  registerBuild(app, parts, labels);
  registerOrder(app, parts, labels);
  registerExecute(app, parts);
  registerProgramLabels(app, parts);
  registerSwapV1(app, parts);
}

function registerBuild(app: FastifyInstance, parts: SwapParts, labels: readonly string[]): void {
  app.get<{ Querystring: Query }>(
    '/swap/v2/build',
    {
      schema: {
        operationId: 'GetBuild',
        summary: 'Swap as raw instructions',
        description:
          'The best on-chain route for an exact input, as instructions that the caller assembles, signs and sends.',
        tags: ['swap'],
        querystring: BuildQuery,
        response: { 200: BuildResponse, 400: Refusal },
      },
    },
    async (request, reply) => {
      const built = await buildSwap(parts, parseBuildRequest(request.query, labels));
      return reply.type('application/json; charset=utf-8').send(buildJson(built));
    },
  );
}

function registerOrder(app: FastifyInstance, parts: SwapParts, labels: readonly string[]): void {
  app.get<{ Querystring: Query }>(
    '/swap/v2/order',
    {
      schema: {
        operationId: 'GetOrder',
        summary: 'Swap as a transaction to sign',
        description:
          'The best quote of all routers for an exact input and, for a taker, the transaction that makes the swap.',
        tags: ['swap'],
        querystring: OrderQuery,
        response: { 200: OrderResponse, 400: OrderRefusal },
      },
    },
    async (request, reply) => {
      const requestId = parts.newRequestId();
      try {
        return await orderSwap(parts, parseOrderRequest(request.query, labels), requestId);
      } catch (error) {
        if (!(error instanceof SwapRefused)) throw error;
        return reply.code(error.statusCode).send({ requestId, error: error.message });
      }
    },
  );
}

function registerExecute(app: FastifyInstance, parts: SwapParts): void {
  app.post<{ Body: ExecuteBody }>(
    '/swap/v2/execute',
    {
      handlerTimeout: EXECUTE_TIMEOUT_MS,
      // What is missing has codes of its own.
      attachValidation: true,
      config: { repeatKey: requestIdOf },
      schema: {
        operationId: 'PostExecute',
        summary: 'Land a signed order',
        description:
          'Sends the signed transaction of an order until it is confirmed or runs out, and says what it moved.',
        tags: ['swap'],
        body: ExecuteBody,
        response: { 200: ExecuteResponse, 400: ExecuteRefusal },
      },
    },
    async ({ body, validationError }, reply) => {
      try {
        if (validationError !== undefined) throw bodyRefused(body, validationError);
        return await executeSwap(parts, body);
      } catch (error) {
        if (!(error instanceof ExecuteRefused)) throw error;
        return reply.code(400).send({ error: error.message, code: error.executeCode });
      }
    },
  );
}

/** An order is executed once, so requests for the same one wait for the same answer. */
function requestIdOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('requestId' in body)) return null;
  return typeof body.requestId === 'string' ? body.requestId : null;
}

function bodyRefused(body: unknown, error: Error): Error {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return error;
  if (!('requestId' in body)) return new ExecuteRefused(Code.MISSING_REQUEST_ID, error.message);
  if ('signedTransaction' in body) return error;
  return new ExecuteRefused(Code.MISSING_SIGNED_TRANSACTION, error.message);
}

function registerProgramLabels(app: FastifyInstance, { venueLabels }: SwapParts): void {
  app.get(
    '/swap/v2/program-id-to-label',
    {
      schema: {
        operationId: 'GetProgramIdToLabel',
        summary: 'Venues',
        description: 'The label of each venue by the address of its program.',
        tags: ['swap'],
        response: { 200: ProgramLabels },
      },
    },
    async () => venueLabels,
  );
}
