import type { FastifyInstance } from 'fastify';
import { buildSwap } from './build.ts';
import type { BuildParts } from './build-parts.ts';
import { parseBuildRequest } from './build-request.ts';
import type { Query } from './query.ts';
import { BuildQuery, BuildResponse, Refusal } from './schema.ts';

export interface SwapParts extends BuildParts {
  /** Labels of the venues that routes may use. */
  readonly venueLabels: readonly string[];
}

export function registerSwap(app: FastifyInstance, parts: SwapParts): void {
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
    async (request) => buildSwap(parts, parseBuildRequest(request.query, parts.venueLabels)),
  );
}
