import { EXAMPLE_WALLET, EXAMPLE_MINTS } from '../../example-values.ts';
import { defineEndpoint, OtherAnswer } from '../../endpoint.ts';
import { buildSwap } from '../../../swaps/build/build.ts';
import { SwapRefused } from '../../../swaps/refusals.ts';
import { writeBuildJson } from './json/build-json.ts';
import { NO_ROUTES_FOUND } from './known-texts.ts';
import { BUILD_PARAMETERS, parseBuildRequest } from './parameters/build-parameters.ts';
import { toRoutePlanJson } from './json/route-plan-json.ts';
import { BuildResponse } from './build-schema.ts';
import { Refusal } from './json/schema.ts';
import type { SwapServices } from './services.ts';

export const build = defineEndpoint({
  method: 'GET',
  path: '/swap/v2/build',
  operationId: 'GetBuild',
  example: {
    query: {
      inputMint: EXAMPLE_MINTS.sol,
      outputMint: EXAMPLE_MINTS.usdc,
      amount: '100000000',
      taker: EXAMPLE_WALLET,
    },
  },
  summary: 'Swap as raw instructions',
  description:
    'The best on-chain route for an exact input, as instructions that the caller assembles, signs and sends.',
  query: BUILD_PARAMETERS.schema,
  responses: { 200: BuildResponse, 400: Refusal },
  handle: async ({ swap, labels }: SwapServices, { query }) => {
    try {
      const built = await buildSwap(swap, parseBuildRequest(query, labels));
      return writeBuildJson(built, toRoutePlanJson(swap.prices, built.route));
    } catch (error) {
      if (!(error instanceof SwapRefused && isWithoutRoute(error))) throw error;
      const { errorCode, message } = error;
      return new OtherAnswer(400, { error: NO_ROUTES_FOUND, errorCode, details: message });
    }
  },
});

function isWithoutRoute({ errorCode }: SwapRefused): boolean {
  return errorCode === 'COULD_NOT_FIND_ANY_ROUTE' || errorCode === 'TOKEN_NOT_TRADABLE';
}
