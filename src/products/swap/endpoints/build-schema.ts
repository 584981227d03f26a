import { Type } from 'typebox';
import { named } from '../../named-schema.ts';
import { BlockhashJson, InstructionJson, RoutePlanStepJson } from './json/schema.ts';

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
