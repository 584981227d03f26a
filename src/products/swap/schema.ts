import { Type } from 'typebox';
import { MAX_ACCOUNTS } from '../../solana/messages/message-accounts.ts';
import { integerText, textFor } from '../parameters.ts';
import { ACCOUNTS_BOUNDS, BLOCKHASH_SLOTS_BOUNDS, BPS_BOUNDS } from './parameter-bounds.ts';

/** Query parameters arrive as text; what they may hold beyond that is checked, with better sentences, on parsing. */
export const text = (description: string, options: { readonly enum?: readonly string[] } = {}) =>
  Type.String({ description, ...(options.enum === undefined ? {} : { enum: [...options.enum] }) });

export const BuildQuery = Type.Object({
  inputMint: text('Mint of the token to swap.'),
  outputMint: text('Mint of the token to receive.'),
  amount: text('Atoms of the input token, 1 to 2^64 - 1.'),
  taker: text('The wallet that swaps and signs.'),
  slippageBps: Type.Optional(
    textFor(
      {
        anyOf: [
          { type: 'integer', ...BPS_BOUNDS },
          { type: 'string', enum: ['rtse'] },
        ],
        default: 50,
      },
      'Allowed shortfall in basis points, 0 to 10000, or `rtse` to have it estimated; 50 when absent.',
    ),
  ),
  mode: Type.Optional(text('`fast` looks at global rather than local fees.', { enum: ['fast'] })),
  dexes: Type.Optional(text('Venue labels to use, separated by commas; not together with `excludeDexes`.')),
  excludeDexes: Type.Optional(text('Venue labels to leave out, separated by commas.')),
  platformFeeBps: Type.Optional(
    integerText(BPS_BOUNDS, 'Fee of the integrator, 0 to 10000; needs `feeAccount`.'),
  ),
  feeAccount: Type.Optional(text('Token account, of the input or the output mint, that collects the fee.')),
  maxAccounts: Type.Optional(
    integerText(
      ACCOUNTS_BOUNDS,
      'Most accounts that the transaction may name, 1 to 64; 64 when absent.',
      MAX_ACCOUNTS,
    ),
  ),
  payer: Type.Optional(text('Pays fees and rent instead of the taker, and signs.')),
  wrapAndUnwrapSol: Type.Optional(
    text('Whether to wrap SOL that is paid and unwrap SOL that is received; true when absent.', {
      enum: ['true', 'false'],
    }),
  ),
  destinationTokenAccount: Type.Optional(text('Token account of the output mint that receives the output.')),
  nativeDestinationAccount: Type.Optional(
    text('Wallet that receives the output as SOL, with the rent of the account it passed through.'),
  ),
  blockhashSlotsToExpiry: Type.Optional(
    integerText(BLOCKHASH_SLOTS_BOUNDS, 'Slots for which the blockhash stays valid, 1 to 300.', 150),
  ),
  tipAmount: Type.Optional(text('Lamports to tip, paid by the payer.')),
  computeUnitPricePercentile: Type.Optional(
    text('Of recent prices: `medium` (25th), `high` (50th), `veryHigh` (75th) or basis points, 0 to 10000.'),
  ),
  forJitoBundle: Type.Optional(
    text('Leave out venues that cannot be bundled; every venue here can.', { enum: ['true', 'false'] }),
  ),
  instructionVersion: Type.Optional(
    text('Generation of the swap instruction; `V2` when absent.', { enum: ['V1', 'V2'] }),
  ),
  swapMode: Type.Optional(text('Only exact input.', { enum: ['ExactIn'] })),
});

export const InstructionJson = Type.Object({
  programId: Type.String(),
  accounts: Type.Array(
    Type.Object({ pubkey: Type.String(), isWritable: Type.Boolean(), isSigner: Type.Boolean() }),
  ),
  data: Type.String({ description: 'Base64.' }),
});

export const BlockhashJson = Type.Object({
  blockhash: Type.Array(Type.Number()),
  lastValidBlockHeight: Type.Number(),
  fetchedAt: Type.Object({ secs_since_epoch: Type.Number(), nanos_since_epoch: Type.Number() }),
});

const SwapInfo = {
  ammKey: Type.String(),
  label: Type.String(),
  inputMint: Type.String(),
  outputMint: Type.String(),
  inAmount: Type.String(),
  outAmount: Type.String(),
};
const Share = {
  percent: Type.Integer({ description: '`bps` in whole percents; those of one token add up to 100.' }),
  bps: Type.Integer({ description: 'Share of the input token that the step takes; 10000 is the whole.' }),
  usdValue: Type.Optional(Type.Number({ description: 'US dollars that the step takes.' })),
};

export const RoutePlanStepJson = Type.Object({ swapInfo: Type.Object(SwapInfo), ...Share });

/** Clients from before the present interface read no step without its fee. */
export const OrderStepJson = Type.Object({
  swapInfo: Type.Object({
    ...SwapInfo,
    feeAmount: Type.String({ deprecated: true, description: 'Atoms that the pool keeps.' }),
    feeMint: Type.String({ deprecated: true }),
  }),
  ...Share,
});

export const BuildResponse = Type.Object({
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
});

export const ProgramLabels = Type.Record(Type.String(), Type.String());

export const Refusal = Type.Object({
  error: Type.String(),
  errorCode: Type.Optional(
    Type.String({
      description:
        '`COULD_NOT_FIND_ANY_ROUTE`, `TOKEN_NOT_TRADABLE` or `CIRCULAR_ARBITRAGE_IS_DISABLED`, where it is that.',
    }),
  ),
});

export type BuildResponse = Type.Static<typeof BuildResponse>;
export type InstructionJson = Type.Static<typeof InstructionJson>;
export type RoutePlanStepJson = Type.Static<typeof RoutePlanStepJson>;
export type OrderStepJson = Type.Static<typeof OrderStepJson>;
