import { Type } from 'typebox';
import {
  buildSwapInstructions,
  buildSwapTransaction,
  type SwapInstructions,
  type UnsignedSwap,
} from '../../../../swaps/quoted-swaps/swap.ts';
import { defineEndpoint } from '../../../endpoint.ts';
import { EXAMPLE_WALLET } from '../../../example-values.ts';
import { named } from '../../../named-schema.ts';
import type { SwapServices } from '../../order/swap-services.ts';
import { BlockhashJson, InstructionJson, toBlockhashJson, toInstructionJson } from '../instruction-json.ts';
import { answerOrRefuse, Refusal } from '../refusal.ts';
import { EXAMPLE_QUOTE } from '../v1/example-quote.ts';
import { parseSeparateSwapRequest, SeparateSwapBody } from './swap-body.ts';

const SeparateSwapResponse = named(
  'SeparateSwapResponse',
  Type.Object({
    swapTransaction: Type.String({ description: 'Base64; every signature is still to come.' }),
    lastValidBlockHeight: Type.Integer(),
    prioritizationFeeLamports: Type.Integer({
      description: 'The price of compute units times their limit, 1,400,000.',
    }),
    computeUnitPrice: Type.String({ description: 'Micro-lamports.' }),
  }),
);

const SeparateSwapInstructions = named(
  'SeparateSwapInstructions',
  Type.Object({
    computeBudgetInstructions: Type.Array(InstructionJson, {
      description: 'The limit of compute units, 1,400,000, and their price.',
    }),
    setupInstructions: Type.Array(InstructionJson),
    swapInstruction: InstructionJson,
    cleanupInstruction: Type.Union([InstructionJson, Type.Null()]),
    otherInstructions: Type.Array(InstructionJson),
    tipInstruction: Type.Union([InstructionJson, Type.Null()], { description: 'Null without `tipAmount`.' }),
    addressesByLookupTableAddress: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: 'The contents of every lookup table that the transaction needs.',
    }),
    blockhashWithMetadata: BlockhashJson,
  }),
);

export type SeparateSwapResponse = Type.Static<typeof SeparateSwapResponse>;

export type SeparateSwapInstructions = Type.Static<typeof SeparateSwapInstructions>;

const example = { body: { taker: EXAMPLE_WALLET, quoteResponse: EXAMPLE_QUOTE } };

export const swapV2 = defineEndpoint({
  method: 'POST',
  path: '/swap/v2/swap',
  operationId: 'PostSwap',
  example,
  summary: 'Transaction of a quote',
  description:
    'The unsigned transaction that carries out a quote of `/swap/v2/quote`; the caller signs and sends it.',
  body: SeparateSwapBody,
  responses: { 200: SeparateSwapResponse, 400: Refusal },
  handle: ({ swap }: SwapServices, { body }) =>
    answerOrRefuse(async () =>
      toSeparateSwapResponse(await buildSwapTransaction(swap, parseSeparateSwapRequest(body))),
    ),
});

export const swapInstructionsV2 = defineEndpoint({
  method: 'POST',
  path: '/swap/v2/swap-instructions',
  operationId: 'PostSwapInstructions',
  example,
  summary: 'Instructions of a quote',
  description:
    'The instructions that carry out a quote of `/swap/v2/quote`, with the lookup tables that they need; the caller assembles, signs and sends them.',
  body: SeparateSwapBody,
  responses: { 200: SeparateSwapInstructions, 400: Refusal },
  handle: ({ swap }: SwapServices, { body }) =>
    answerOrRefuse(async () =>
      toSeparateSwapInstructions(await buildSwapInstructions(swap, parseSeparateSwapRequest(body))),
    ),
});

/** Maps the transaction of a quote to the body of `POST /swap/v2/swap`. */
export function toSeparateSwapResponse({
  transaction,
  lastValidBlockHeight,
  costs: { priorityFee, unitPrice },
}: UnsignedSwap): SeparateSwapResponse {
  return {
    swapTransaction: Buffer.from(transaction).toString('base64'),
    lastValidBlockHeight: Number(lastValidBlockHeight),
    prioritizationFeeLamports: Number(priorityFee),
    computeUnitPrice: (unitPrice?.paid ?? 0n).toString(),
  };
}

/** Maps the instructions of a quote to the body of `POST /swap/v2/swap-instructions`. */
export function toSeparateSwapInstructions(instructions: SwapInstructions): SeparateSwapInstructions {
  const { computeBudget, setup, swap, cleanup, others, tip, lookupTables, blockhash } = instructions;
  return {
    computeBudgetInstructions: computeBudget.map(toInstructionJson),
    setupInstructions: setup.map(toInstructionJson),
    swapInstruction: toInstructionJson(swap),
    cleanupInstruction: cleanup === null ? null : toInstructionJson(cleanup),
    otherInstructions: others.map(toInstructionJson),
    tipInstruction: tip === null ? null : toInstructionJson(tip),
    addressesByLookupTableAddress: lookupTables ?? {},
    blockhashWithMetadata: toBlockhashJson(blockhash),
  };
}
