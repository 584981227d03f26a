import { Type } from 'typebox';
import { named } from '../../../named-schema.ts';
import { BlockhashJson, InstructionJson, toBlockhashJson, toInstructionJson } from '../instruction-json.ts';
import { EXAMPLE_QUOTE } from './example-quote.ts';
import { EXAMPLE_WALLET } from '../../../example-values.ts';
import { defineEndpoint } from '../../../endpoint.ts';
import { answerOrRefuse, Refusal } from '../refusal.ts';
import { SwapBody, parseSwapRequest } from './swap-request.ts';
import {
  buildSwapTransaction,
  buildSwapInstructions,
  type SwapCosts,
  type SwapInstructions,
  type UnsignedSwap,
} from '../../../../swaps/quoted-swaps/swap.ts';
import type { SwapServices } from '../../order/swap-services.ts';

const SlippageReport = named(
  'SlippageReport',
  Type.Object({
    slippageBps: Type.Integer(),
    otherAmount: Type.Unsafe<bigint>(
      Type.Integer({ description: 'Atoms: the least received, or with `ExactOut` the most that is spent.' }),
    ),
  }),
);

const Costs = {
  prioritizationFeeLamports: Type.Integer({ description: 'Priority fee, or the tip.' }),
  computeUnitLimit: Type.Integer(),
  prioritizationType: Type.Union(
    [
      named(
        'PaidPriorityFee',
        Type.Object({
          computeBudget: Type.Object({
            microLamports: Type.Integer({ description: 'Price per compute unit.' }),
            estimatedMicroLamports: Type.Integer({ description: 'What recent transactions pay.' }),
          }),
        }),
      ),
      named(
        'PaidTip',
        Type.Object({ jito: Type.Object({ lamports: Type.Integer({ description: 'The tip.' }) }) }),
      ),
    ],
    { description: 'Whether a priority fee or a tip is paid.' },
  ),
  // With `anyOf`, the serializer would not accept the amount as an integer, because it can exceed what a number
  // holds.
  dynamicSlippageReport: Type.Unsafe<Type.Static<typeof SlippageReport> | null>({
    ...SlippageReport,
    type: ['object', 'null'],
    description: 'The slippage that was estimated for the swap; null where none was asked for.',
  }),
  simulationError: Type.Union(
    [Type.Object({ errorCode: Type.String(), error: Type.String() }), Type.Null()],
    {
      description:
        'Why the simulation for the compute limit failed; null when it did not, or was not asked for.',
    },
  ),
};

export const SwapResponse = named(
  'SwapResponse',
  Type.Object({
    swapTransaction: Type.String({ description: 'Base64; every signature is still to come.' }),
    lastValidBlockHeight: Type.Integer(),
    ...Costs,
  }),
);

export const SwapInstructionsResponse = named(
  'SwapInstructionsResponse',
  Type.Object({
    tokenLedgerInstruction: Type.Union([InstructionJson, Type.Null()], {
      description: 'Notes the balance of the token account; null without `useTokenLedger`.',
    }),
    otherInstructions: Type.Array(InstructionJson),
    computeBudgetInstructions: Type.Array(InstructionJson),
    setupInstructions: Type.Array(InstructionJson),
    swapInstruction: InstructionJson,
    cleanupInstruction: Type.Optional(InstructionJson),
    addressLookupTableAddresses: Type.Array(Type.String()),
    blockhashWithMetadata: BlockhashJson,
    ...Costs,
  }),
);

export type SwapResponse = Type.Static<typeof SwapResponse>;

export type SwapInstructionsResponse = Type.Static<typeof SwapInstructionsResponse>;

type CostsJson = Pick<
  SwapResponse,
  | 'prioritizationFeeLamports'
  | 'computeUnitLimit'
  | 'prioritizationType'
  | 'dynamicSlippageReport'
  | 'simulationError'
>;

export const swapV1 = defineEndpoint({
  method: 'POST',
  path: '/swap/v1/swap',
  aliases: ['/v6/swap'],
  operationId: 'SwapPost',
  example: { body: { userPublicKey: EXAMPLE_WALLET, quoteResponse: EXAMPLE_QUOTE } },
  summary: 'Transaction of a quote (swap v1)',
  description: 'The unsigned transaction that carries out a quote; the caller signs and sends it.',
  body: SwapBody,
  responses: { 200: SwapResponse, 400: Refusal },
  handle: ({ swap }: SwapServices, { body }) =>
    answerOrRefuse(async () => toSwapResponse(await buildSwapTransaction(swap, parseSwapRequest(body)))),
});

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
  handle: ({ swap }: SwapServices, { body }) =>
    answerOrRefuse(async () =>
      toSwapInstructionsResponse(await buildSwapInstructions(swap, parseSwapRequest(body))),
    ),
});

/** Maps the transaction of a quote to the body of `POST /swap/v1/swap`. */
export function toSwapResponse({ transaction, lastValidBlockHeight, costs }: UnsignedSwap): SwapResponse {
  return {
    swapTransaction: Buffer.from(transaction).toString('base64'),
    lastValidBlockHeight: Number(lastValidBlockHeight),
    ...toCostsJson(costs),
  };
}

/** Maps the instructions of a quote to the body of `POST /swap/v1/swap-instructions`. */
export function toSwapInstructionsResponse(instructions: SwapInstructions): SwapInstructionsResponse {
  const { computeBudget, setup, swap, cleanup, tip, setLedger, others, lookupTables, blockhash, costs } =
    instructions;
  return {
    tokenLedgerInstruction: setLedger === null ? null : toInstructionJson(setLedger),
    otherInstructions: [...others, ...(tip === null ? [] : [tip])].map(toInstructionJson),
    computeBudgetInstructions: computeBudget.map(toInstructionJson),
    setupInstructions: setup.map(toInstructionJson),
    swapInstruction: toInstructionJson(swap),
    ...(cleanup === null ? {} : { cleanupInstruction: toInstructionJson(cleanup) }),
    addressLookupTableAddresses: Object.keys(lookupTables ?? {}),
    blockhashWithMetadata: toBlockhashJson(blockhash),
    ...toCostsJson(costs),
  };
}

function toCostsJson(costs: SwapCosts): CostsJson {
  const { priorityFee, tipLamports, unitPrice, computeUnitLimit, estimatedSlippage, simulationError } = costs;
  return {
    prioritizationFeeLamports: Number(unitPrice === null ? tipLamports : priorityFee),
    computeUnitLimit,
    prioritizationType:
      unitPrice === null
        ? { jito: { lamports: Number(tipLamports) } }
        : {
            computeBudget: {
              microLamports: Number(unitPrice.paid),
              estimatedMicroLamports: Number(unitPrice.estimated),
            },
          },
    dynamicSlippageReport:
      estimatedSlippage === null
        ? null
        : { slippageBps: estimatedSlippage.bps, otherAmount: estimatedSlippage.otherAmount },
    simulationError:
      simulationError === null ? null : { errorCode: 'TRANSACTION_ERROR', error: simulationError },
  };
}
