import { Type } from 'typebox';
import { named } from '../../../named-schema.ts';
import { MAX_ACCOUNTS } from '../../../../solana/messages/message-accounts.ts';
import { amountText, booleanText, integerText, listText } from '../../../parameters.ts';
import {
  AMOUNT_BOUNDS,
  BPS_BOUNDS,
  DEFAULT_SLIPPAGE_BPS,
  V1_ACCOUNTS_BOUNDS,
} from '../parameters/parameter-bounds.ts';
import { BlockhashJson, choice, InstructionJson, text } from '../json/schema.ts';

export const QuoteQuery = Type.Object({
  inputMint: text('Mint of the token to swap.'),
  outputMint: text('Mint of the token to receive.'),
  amount: amountText(
    AMOUNT_BOUNDS,
    'Atoms, 1 to 2^64 - 1: of the input token, or with `ExactOut` of the output token.',
  ),
  slippageBps: Type.Optional(
    integerText(
      BPS_BOUNDS,
      'Basis points, 0 to 10000, 50 when absent: of the output, or with `ExactOut` of the input.',
      DEFAULT_SLIPPAGE_BPS,
    ),
  ),
  swapMode: Type.Optional(
    choice(['ExactIn', 'ExactOut'], 'Which amount is fixed; `ExactIn` when absent.', 'ExactIn'),
  ),
  dexes: Type.Optional(
    listText('Venue labels to use, separated by commas; not together with `excludeDexes`.', 'array'),
  ),
  excludeDexes: Type.Optional(listText('Venue labels to leave out, separated by commas.', 'array')),
  restrictIntermediateTokens: Type.Optional(
    booleanText('Lead only through the tokens that most others are traded for; true when absent.', true),
  ),
  onlyDirectRoutes: Type.Optional(booleanText('Use a single pool; false when absent.')),
  asLegacyTransaction: Type.Optional(
    booleanText('Quote what fits a transaction without lookup tables; false when absent.'),
  ),
  platformFeeBps: Type.Optional(
    integerText(
      BPS_BOUNDS,
      'Fee of the integrator, 0 to 10000, with `V1` at most 255; the swap then needs `feeAccount`.',
    ),
  ),
  maxAccounts: Type.Optional(
    integerText(
      V1_ACCOUNTS_BOUNDS,
      'Most accounts that the swaps in the pools may name, without programs, from 1; 64 when absent.',
      MAX_ACCOUNTS,
    ),
  ),
  instructionVersion: Type.Optional(
    choice(['V1', 'V2'], 'Generation of the swap instruction; `V1` when absent.', 'V1'),
  ),
  dynamicSlippage: Type.Optional(booleanText('Has no effect on a quote; belongs into the swap request.')),
  forJitoBundle: Type.Optional(booleanText('Leave out venues that cannot be bundled; every venue here can.')),
});

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
const address = (description: string) =>
  Type.Optional(Type.Union([Type.String(), Type.Null()], { description }));
const toggle = (description: string) =>
  Type.Optional(Type.Union([Type.Boolean(), Type.Null()], { description }));
const Bound = Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 10_000 }), Type.Null()]));

/** Other fields are ignored, as on the public interface. The last one is listed so that it can be refused. */
export const SwapBody = named(
  'SwapRequest',
  Type.Object(
    {
      userPublicKey: Type.String({ description: 'The wallet that swaps and signs.' }),
      quoteResponse: QuoteResponse,
      payer: address('Pays fees and rent instead of the user, and signs.'),
      wrapAndUnwrapSol: toggle(
        'Whether to wrap SOL that is paid and unwrap SOL that is received; true when absent.',
      ),
      useSharedAccounts: toggle("Swap through the aggregator's own token accounts; false when absent."),
      feeAccount: address('Token account, of the input or the output mint, that collects the platform fee.'),
      trackingAccount: address('Named by the swap instruction, so that its transactions can be found.'),
      prioritizationFeeLamports: Type.Optional(
        Type.Unknown({
          description:
            'Lamports, `"auto"`, `"disabled"`, or one of `{ "autoMultiplier": times }`, `{ "priorityLevelWithMaxLamports": { "priorityLevel": "medium" | "high" | ' +
            '"veryHigh", "maxLamports", "global"? } }`, `{ "jitoTipLamports": lamports }` and ' +
            '`{ "jitoTipLamportsWithPayer": { "lamports", "payer" } }`.',
        }),
      ),
      asLegacyTransaction: toggle('A transaction without lookup tables; false when absent.'),
      destinationTokenAccount: address('Token account of the output mint that receives the output.'),
      nativeDestinationAccount: address('Wallet that receives the output as SOL.'),
      dynamicComputeUnitLimit: toggle('Measure the compute limit by simulation; otherwise it is 1,400,000.'),
      skipUserAccountsRpcCalls: toggle(
        'Look no account up: everything that may be missing is created idempotently.',
      ),
      dynamicSlippage: Type.Optional(
        Type.Union([Type.Boolean(), Type.Object({ minBps: Bound, maxBps: Bound }), Type.Null()], {
          description:
            "Estimate the slippage for this swap and put it in place of the quote's; within bounds, where some are given.",
        }),
      ),
      computeUnitPriceMicroLamports: Type.Optional(
        Type.Union([Type.Integer(), Type.Literal('auto'), Type.Null()], {
          description: 'Exact price, or `"auto"`; not together with `prioritizationFeeLamports`.',
        }),
      ),
      blockhashSlotsToExpiry: Type.Optional(
        Type.Union([Type.Integer({ minimum: 1, maximum: 255 }), Type.Null()], {
          description: 'Slots for which the blockhash stays valid.',
        }),
      ),
      useTokenLedger: toggle(
        'Spend what your own instructions pay into the token account, in place of the quoted amount: put ' +
          '`tokenLedgerInstruction` before them. For `swap-instructions` and quotes with `V1` and `ExactIn`.',
      ),
      keyedUiAccounts: Type.Optional(
        Type.Union([Type.Array(Type.Unknown(), { maxItems: 0 }), Type.Null()], {
          description: 'Not available: pools are read from the network alone.',
        }),
      ),
    },
    { description: 'Unknown fields are ignored.' },
  ),
);

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
