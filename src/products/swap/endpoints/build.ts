import { endpoint } from '../../endpoint.ts';
import { buildSwap } from '../build/build.ts';
import { buildJson } from '../build/build-json.ts';
import { parseBuildRequest } from '../build/build-request.ts';
import { BuildQuery, BuildResponse, Refusal } from '../schema.ts';
import type { SwapServices } from './services.ts';

export const build = endpoint({
  method: 'GET',
  path: '/swap/v2/build',
  operationId: 'GetBuild',
  summary: 'Swap as raw instructions',
  description:
    'The best on-chain route for an exact input, as instructions that the caller assembles, signs and sends.',
  query: BuildQuery,
  responses: { 200: BuildResponse, 400: Refusal },
  handle: async ({ swap, labels }: SwapServices, { query }) =>
    buildJson(await buildSwap(swap, parseBuildRequest(query, labels))),
});
