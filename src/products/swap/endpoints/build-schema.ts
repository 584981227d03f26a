import { Type } from 'typebox';
import { named } from '../../named-schema.ts';
import { MAX_ACCOUNTS } from '../../../solana/messages/message-accounts.ts';
import { booleanText, digitsText, integerText, listText, textFor } from '../../parameters.ts';
import {
  ACCOUNTS_BOUNDS,
  BLOCKHASH_SLOTS_BOUNDS,
  BPS_BOUNDS,
  DEFAULT_BLOCKHASH_SLOTS,
  DEFAULT_SLIPPAGE_BPS,
  PRICE_LEVELS,
} from './parameters/parameter-bounds.ts';
import { BlockhashJson, choice, InstructionJson, RoutePlanStepJson, text } from './json/schema.ts';

export const BuildQuery = Type.Object({
  inputMint: text('Mint of the token to swap.'),
  outputMint: text('Mint of the token to receive.'),
  amount: digitsText('Atoms of the input token, 1 to 2^64 - 1.'),
  taker: text('The wallet that swaps and signs.'),
  slippageBps: Type.Optional(
    textFor(
      {
        anyOf: [
          { type: 'integer', ...BPS_BOUNDS },
          { type: 'string', enum: ['rtse'] },
        ],
        default: DEFAULT_SLIPPAGE_BPS,
      },
      'Allowed shortfall in basis points, 0 to 10000, or `rtse` to have it estimated; 50 when absent.',
    ),
  ),
  mode: Type.Optional(choice(['fast'], '`fast` looks at global rather than local fees.')),
  dexes: Type.Optional(
    listText('Venue labels to use, separated by commas; not together with `excludeDexes`.'),
  ),
  excludeDexes: Type.Optional(listText('Venue labels to leave out, separated by commas.')),
  platformFeeBps: Type.Optional(
    integerText(BPS_BOUNDS, 'Fee of the integrator, 0 to 10000; needs `feeAccount`.'),
  ),
  feeAccount: Type.Optional(text('Token account, of the input or the output mint, that collects the fee.')),
  maxAccounts: Type.Optional(
    integerText(
      ACCOUNTS_BOUNDS,
      'Most accounts that the swaps in the pools may name, 1 to 64, without programs; 64 when absent.',
      MAX_ACCOUNTS,
    ),
  ),
  payer: Type.Optional(text('Pays fees and rent instead of the taker, and signs.')),
  wrapAndUnwrapSol: Type.Optional(
    booleanText('Whether to wrap SOL that is paid and unwrap SOL that is received; true when absent.', true),
  ),
  destinationTokenAccount: Type.Optional(text('Token account of the output mint that receives the output.')),
  nativeDestinationAccount: Type.Optional(
    text('Wallet that receives the output as SOL, with the rent of the account it passed through.'),
  ),
  blockhashSlotsToExpiry: Type.Optional(
    integerText(
      BLOCKHASH_SLOTS_BOUNDS,
      'Slots for which the blockhash stays valid, 1 to 300.',
      DEFAULT_BLOCKHASH_SLOTS,
    ),
  ),
  tipAmount: Type.Optional(digitsText('Lamports to tip, paid by the payer; none when absent.')),
  computeUnitPricePercentile: Type.Optional(
    textFor(
      {
        anyOf: [
          { type: 'integer', ...BPS_BOUNDS },
          { type: 'string', enum: [...PRICE_LEVELS.keys()] },
        ],
      },
      'Of recent prices: `medium` (25th), `high` (50th), `veryHigh` (75th) or basis points, 0 to 10000.',
    ),
  ),
  forJitoBundle: Type.Optional(booleanText('Leave out venues that cannot be bundled; every venue here can.')),
  instructionVersion: Type.Optional(
    choice(['V1', 'V2'], 'Generation of the swap instruction; `V2` when absent.', 'V2'),
  ),
  swapMode: Type.Optional(choice(['ExactIn'], 'Only exact input.', 'ExactIn')),
});

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
