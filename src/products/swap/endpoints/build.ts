import { Type } from 'typebox';
import { named } from '../../named-schema.ts';
import { BlockhashJson, InstructionJson } from './instruction-json.ts';
import { RoutePlanStepJson, toRoutePlanJson } from './route-plan-json.ts';
import { EXAMPLE_WALLET, EXAMPLE_MINTS } from '../../example-values.ts';
import { defineEndpoint, OtherAnswer } from '../../endpoint.ts';
import { buildSwap } from '../../../swaps/build/build.ts';
import { SwapRefused } from '../../../swaps/refusals.ts';
import { writeBuildJson } from './build-json.ts';
import { NO_ROUTES_FOUND, Refusal } from './refusal.ts';
import { BUILD_PARAMETERS, parseBuildRequest } from './parameters/build-parameters.ts';
import type { SwapServices } from '../order/compose-swap.ts';

export const BuildResponse = named(
  'BuildResponse',
  Type.Object({
    inputMint: Type.String(),
    outputMint: Type.String(),
    inAmount: Type.String(),
    outAmount: Type.String({
      description: 'What the taker receives at the present state, after the platform fee.',
    }),
    otherAmountThreshold: Type.String({ description: 'The swap fails when it would pay less.' }),
    swapMode: Type.String(),
    slippageBps: Type.Number(),
    priceImpactPct: Type.String({
      description: 'Share of the price lost to the size of the swap, as a decimal.',
    }),
    routePlan: Type.Array(RoutePlanStepJson),
    computeBudgetInstructions: Type.Array(InstructionJson),
    setupInstructions: Type.Array(InstructionJson),
    swapInstruction: InstructionJson,
    cleanupInstruction: Type.Union([InstructionJson, Type.Null()]),
    otherInstructions: Type.Array(InstructionJson),
    tipInstruction: Type.Union([InstructionJson, Type.Null()]),
    addressesByLookupTableAddress: Type.Union([
      Type.Record(Type.String(), Type.Array(Type.String())),
      Type.Null(),
    ]),
    blockhashWithMetadata: BlockhashJson,
  }),
);

export type BuildResponse = Type.Static<typeof BuildResponse>;

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
