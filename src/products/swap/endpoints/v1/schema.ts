import { type TBoolean, type TNull, type TOptional, type TString, type TUnion, Type } from 'typebox';
import { named } from '../../../named-schema.ts';
import type { Address } from '../../../../solana/address.ts';
import { defineBody, defineField, type Parameter } from '../../../parameters/parameter.ts';
import { BlockhashJson, InstructionJson } from '../json/schema.ts';
import { address, readAddress, refuseSwap } from '../parameters/swap-kinds.ts';

const OptionalText = Type.Optional(Type.Union([Type.String(), Type.Null()]));

const RoutePlanStep = named(
  'QuoteRoutePlanStep',
  Type.Object({
    swapInfo: Type.Object({
      ammKey: Type.String(),
      label: OptionalText,
      inputMint: Type.String(),
      outputMint: Type.String(),
      inAmount: Type.String(),
      outAmount: Type.String(),
      feeAmount: OptionalText,
      feeMint: OptionalText,
    }),
    percent: Type.Optional(
      Type.Union([Type.Integer(), Type.Null()], {
        description: '100 is the whole; null for a broken percent.',
      }),
    ),
    bps: Type.Optional(Type.Union([Type.Integer(), Type.Null()], { description: '10000 is the whole.' })),
  }),
);

/** Routes have a handful of steps, so a quote with more than this was not made by Sluice. */
const MAX_STEPS = 32;

export const QuoteResponse = named(
  'QuoteResponse',
  Type.Object({
    inputMint: Type.String(),
    inAmount: Type.String(),
    outputMint: Type.String(),
    outAmount: Type.String({ description: 'After the platform fee, before slippage.' }),
    otherAmountThreshold: Type.String({
      description: 'The least that is received, or with `ExactOut` the most that is spent.',
    }),
    swapMode: Type.Enum(['ExactIn', 'ExactOut']),
    slippageBps: Type.Integer(),
    platformFee: Type.Optional(
      Type.Union([
        Type.Object({
          amount: OptionalText,
          feeBps: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
        }),
        Type.Null(),
      ]),
    ),
    priceImpactPct: Type.String({
      description: 'Share of the price lost to the size of the swap, as a decimal.',
    }),
    routePlan: Type.Array(RoutePlanStep, { maxItems: MAX_STEPS }),
    contextSlot: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
    timeTaken: Type.Optional(Type.Union([Type.Number(), Type.Null()], { description: 'Seconds.' })),
    instructionVersion: Type.Optional(
      Type.Union([Type.Literal('V1'), Type.Literal('V2'), Type.Null()], { description: '`V1` when absent.' }),
    ),
    mostReliableAmmsQuoteReport: Type.Optional(
      Type.Union([
        Type.Object({ info: Type.Optional(Type.Record(Type.String(), Type.String())) }),
        Type.Null(),
      ]),
    ),
  }),
);

/** Clients with fixed structures send null for what they leave out. */
function optionalAddress(
  description: string,
): Parameter<Address | null, TOptional<TUnion<[TString, TNull]>>> {
  return {
    schema: Type.Optional(Type.Union([Type.String(), Type.Null()], { description })),
    read: (given, name) => (typeof given === 'string' && given !== '' ? readAddress(given, name) : null),
  };
}
function toggle(
  description: string,
  defaultValue = false,
): Parameter<boolean, TOptional<TUnion<[TBoolean, TNull]>>> {
  return {
    schema: Type.Optional(Type.Union([Type.Boolean(), Type.Null()], { description })),
    read: (given) => (typeof given === 'boolean' ? given : defaultValue),
  };
}
const Bound = Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 10_000 }), Type.Null()]));

/** Other fields are ignored, as on the public interface. The last one is listed so that it can be refused. */
export const SWAP_FIELDS = defineBody(
  {
    userPublicKey: address('The wallet that swaps and signs.'),
    quoteResponse: defineField(QuoteResponse),
    payer: optionalAddress('Pays fees and rent instead of the user, and signs.'),
    wrapAndUnwrapSol: toggle(
      'Whether to wrap SOL that is paid and unwrap SOL that is received; true when absent.',
      true,
    ),
    useSharedAccounts: toggle("Swap through the aggregator's own token accounts; false when absent."),
    feeAccount: optionalAddress(
      'Token account, of the input or the output mint, that collects the platform fee.',
    ),
    trackingAccount: optionalAddress('Named by the swap instruction, so that its transactions can be found.'),
    prioritizationFeeLamports: defineField(
      Type.Optional(
        Type.Unknown({
          description:
            'Lamports, `"auto"`, `"disabled"`, or one of `{ "autoMultiplier": times }`, `{ "priorityLevelWithMaxLamports": { "priorityLevel": "medium" | "high" | ' +
            '"veryHigh", "maxLamports", "global"? } }`, `{ "jitoTipLamports": lamports }` and ' +
            '`{ "jitoTipLamportsWithPayer": { "lamports", "payer" } }`.',
        }),
      ),
    ),
    asLegacyTransaction: toggle('A transaction without lookup tables; false when absent.'),
    destinationTokenAccount: optionalAddress('Token account of the output mint that receives the output.'),
    nativeDestinationAccount: optionalAddress('Wallet that receives the output as SOL.'),
    dynamicComputeUnitLimit: toggle('Measure the compute limit by simulation; otherwise it is 1,400,000.'),
    skipUserAccountsRpcCalls: toggle(
      'Look no account up: everything that may be missing is created idempotently.',
    ),
    dynamicSlippage: defineField(
      Type.Optional(
        Type.Union([Type.Boolean(), Type.Object({ minBps: Bound, maxBps: Bound }), Type.Null()], {
          description:
            "Estimate the slippage for this swap and put it in place of the quote's; within bounds, where some are given.",
        }),
      ),
    ),
    computeUnitPriceMicroLamports: defineField(
      Type.Optional(
        Type.Union([Type.Integer(), Type.Literal('auto'), Type.Null()], {
          description: 'Exact price, or `"auto"`; not together with `prioritizationFeeLamports`.',
        }),
      ),
    ),
    blockhashSlotsToExpiry: defineField(
      Type.Optional(
        Type.Union([Type.Integer({ minimum: 1, maximum: 255 }), Type.Null()], {
          description: 'Slots for which the blockhash stays valid.',
        }),
      ),
    ),
    useTokenLedger: toggle(
      'Spend what your own instructions pay into the token account, in place of the quoted amount: put ' +
        '`tokenLedgerInstruction` before them. For `swap-instructions` and quotes with `V1` and `ExactIn`.',
    ),
    keyedUiAccounts: defineField(
      Type.Optional(
        Type.Union([Type.Array(Type.Unknown(), { maxItems: 0 }), Type.Null()], {
          description: 'Not available: pools are read from the network alone.',
        }),
      ),
    ),
  },
  refuseSwap,
  { description: 'Unknown fields are ignored.' },
);
export const SwapBody = named('SwapRequest', SWAP_FIELDS.schema);

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

export type QuoteResponse = Type.Static<typeof QuoteResponse>;
export type SwapBody = Type.Static<typeof SwapBody>;
export type SwapResponse = Type.Static<typeof SwapResponse>;
export type SwapInstructionsResponse = Type.Static<typeof SwapInstructionsResponse>;
export type CostsJson = Pick<
  SwapResponse,
  | 'prioritizationFeeLamports'
  | 'computeUnitLimit'
  | 'prioritizationType'
  | 'dynamicSlippageReport'
  | 'simulationError'
>;
