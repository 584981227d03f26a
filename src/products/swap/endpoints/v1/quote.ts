import { SWAP_MODES } from '../../../../swaps/swap-mode.ts';
import { Type } from 'typebox';
import { named } from '../../../named-schema.ts';
import { defineQuery, optional, type Query } from '../../../parameters/parameter.ts';
import {
  address,
  refuseSwap,
  bps,
  DEFAULT_SLIPPAGE_BPS,
  numericAmount,
  wholeNumber,
  checkFeeShare,
  checkMintPair,
  toVenueChoice,
} from '../swap-parameters.ts';
import { EXAMPLE_MINTS } from '../../../example-values.ts';
import { defineEndpoint, OtherAnswer } from '../../../endpoint.ts';
import { NO_ROUTE, type SwapRefused } from '../../../../swaps/refusals.ts';
import { answerOrRefuse, COULD_NOT_FIND_ANY_ROUTE, Refusal } from '../refusal.ts';
import { quoteSwap, type SwapQuote, type QuoteRequest } from '../../../../swaps/quoted-swaps/quote.ts';
import type { SwapServices } from '../../order/swap-services.ts';
import { INSTRUCTION_VERSIONS } from '../../../../market/aggregator/route-plan.ts';
import { MAX_ACCOUNTS } from '../../../../solana/messages/message-accounts.ts';
import { bps as toBps } from '../../../../solana/units.ts';
import { choice, flag, list } from '../../../parameters/kinds.ts';
import type { Leg } from '../../../../market/router/index.ts';
import { toSwapInfoWithFeeJson } from '../route-plan-json.ts';

/** With a slippage above 100 % there is no least output. */
export const NO_THRESHOLD = 'CANNOT_COMPUTE_OTHER_AMOUNT_THRESHOLD';
/** The public interface accepts any integer of 64 bits; this is what a number holds exactly. */
const ACCOUNTS_BOUNDS = { minimum: 1, maximum: 999_999_999_999_999 };

/** The parameters of `GET /swap/v1/quote`. */
export const QUOTE_PARAMETERS = defineQuery(
  {
    inputMint: address('Mint of the token to swap.'),
    outputMint: address('Mint of the token to receive.'),
    amount: numericAmount(
      1n,
      'Atoms, 1 to 2^64 - 1: of the input token, or with `ExactOut` of the output token.',
    ),
    slippageBps: optional(
      bps(
        'Basis points, 0 to 10000, 50 when absent: of the output, or with `ExactOut` of the input.',
        NO_THRESHOLD,
      ),
      DEFAULT_SLIPPAGE_BPS,
    ),
    swapMode: optional(choice(SWAP_MODES, 'Which amount is fixed; `ExactIn` when absent.'), 'ExactIn'),
    dexes: optional(
      list('Venue labels to use, separated by commas; not together with `excludeDexes`.', 'array'),
    ),
    excludeDexes: optional(list('Venue labels to leave out, separated by commas.', 'array')),
    restrictIntermediateTokens: optional(
      flag('Lead only through the tokens that most others are traded for; true when absent.'),
      true,
    ),
    onlyDirectRoutes: optional(flag('Use a single pool; false when absent.'), false),
    asLegacyTransaction: optional(
      flag('Quote what fits a transaction without lookup tables; false when absent.'),
      false,
    ),
    platformFeeBps: optional(
      bps('Fee of the integrator, 0 to 10000, with `V1` at most 255; the swap then needs `feeAccount`.'),
    ),
    maxAccounts: optional(
      wholeNumber(
        ACCOUNTS_BOUNDS,
        'Most accounts that the swaps in the pools may name, without programs, from 1; 64 when absent.',
      ),
      MAX_ACCOUNTS,
    ),
    instructionVersion: optional(
      choice(INSTRUCTION_VERSIONS, 'Generation of the swap instruction; `V1` when absent.'),
      'V1',
    ),
    dynamicSlippage: optional(flag('Has no effect on a quote; belongs into the swap request.'), false),
    forJitoBundle: optional(flag('Leave out venues that cannot be bundled; every venue here can.'), false),
  },
  refuseSwap,
);

/** @throws SwapRefused with a sentence about the first invalid parameter */
export function parseQuoteRequest(query: Query, labels: readonly string[]): QuoteRequest {
  const read = QUOTE_PARAMETERS.reader(query);
  const [inputMint, outputMint] = [read('inputMint'), read('outputMint')];
  checkMintPair(inputMint, outputMint);
  // These change nothing: slippage is estimated for a swap, and every venue here can be bundled.
  read('dynamicSlippage');
  read('forJitoBundle');
  const version = read('instructionVersion');
  return {
    inputMint,
    outputMint,
    amount: read('amount'),
    swapMode: read('swapMode'),
    slippageBps: read('slippageBps'),
    venues: toVenueChoice(read('dexes') ?? [], read('excludeDexes') ?? [], labels),
    onlyHubs: read('restrictIntermediateTokens'),
    onlyDirect: read('onlyDirectRoutes'),
    splits: true,
    legacy: read('asLegacyTransaction'),
    platformFeeBps: checkFeeShare(read('platformFeeBps') ?? toBps(0), version),
    // Every route keeps a bound that is above what a transaction may name.
    maxAccounts: Math.min(read('maxAccounts'), MAX_ACCOUNTS),
    version,
  };
}

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
      Type.Union([Type.Literal('V1'), Type.Literal('V2'), Type.Null()], {
        description: '`V1` when absent, and `V2` at `/swap/v2`.',
      }),
    ),
    mostReliableAmmsQuoteReport: Type.Optional(
      Type.Union([
        Type.Object({ info: Type.Optional(Type.Record(Type.String(), Type.String())) }),
        Type.Null(),
      ]),
    ),
  }),
);

export type QuoteResponse = Type.Static<typeof QuoteResponse>;

export const quoteV1 = defineEndpoint({
  method: 'GET',
  path: '/swap/v1/quote',
  aliases: ['/v6/quote'],
  operationId: 'QuoteGet',
  example: { query: { inputMint: EXAMPLE_MINTS.sol, outputMint: EXAMPLE_MINTS.usdc, amount: '100000000' } },
  summary: 'Quote (swap v1)',
  description: 'The best on-chain route for an exact input, or the cheapest for an exact output.',
  query: QUOTE_PARAMETERS.schema,
  responses: { 200: QuoteResponse, 400: Refusal },
  handle: ({ swap, labels }: SwapServices, { query }) =>
    answerOrRefuse(
      () => toQuoteResponse(quoteSwap(swap, parseQuoteRequest(query, labels))),
      answerMissingRoute,
    ),
});

/** The answer of quotes without a route, whose text clients compare. */
export function answerMissingRoute({ errorCode, message }: SwapRefused): OtherAnswer | null {
  if (errorCode !== NO_ROUTE) return null;
  return new OtherAnswer(400, { error: COULD_NOT_FIND_ANY_ROUTE, errorCode, details: message });
}

/** Maps a quote to the body of `GET /swap/v1/quote`. */
export function toQuoteResponse(quote: SwapQuote): QuoteResponse {
  const { platformFee } = quote;
  return {
    inputMint: quote.inputMint,
    inAmount: quote.inAmount.toString(),
    outputMint: quote.outputMint,
    outAmount: quote.outAmount.toString(),
    otherAmountThreshold: quote.otherAmount.toString(),
    instructionVersion: quote.version,
    swapMode: quote.swapMode,
    slippageBps: quote.slippageBps,
    platformFee:
      platformFee === null ? null : { amount: platformFee.amount.toString(), feeBps: platformFee.bps },
    priceImpactPct: quote.priceImpact,
    routePlan: quote.route.legs.map(routePlanStep),
    mostReliableAmmsQuoteReport: {
      info: Object.fromEntries(quote.singlePools.map(({ pool, outAmount }) => [pool, outAmount.toString()])),
    },
    contextSlot: Number(quote.slot),
    timeTaken: quote.totalMs / 1_000,
  };
}

function routePlanStep(leg: Leg): QuoteResponse['routePlan'][number] {
  const { bps } = leg;
  return {
    swapInfo: toSwapInfoWithFeeJson(leg),
    percent: bps % 100 === 0 ? bps / 100 : null,
    bps,
  };
}
