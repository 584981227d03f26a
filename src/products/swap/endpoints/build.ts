import { type TString, Type } from 'typebox';
import { formatForError } from '../../../common/format-for-error.ts';
import { INSTRUCTION_VERSIONS } from '../../../market/aggregator/route-plan.ts';
import type { Address } from '../../../solana/address.ts';
import { MAX_ACCOUNTS } from '../../../solana/messages/message-accounts.ts';
import { type Bps, bps as toBps } from '../../../solana/units.ts';
import { type BuildRequest, buildSwap } from '../../../swaps/build/build.ts';
import { NO_ROUTE, SwapRefused } from '../../../swaps/refusals.ts';
import { choice, flag, list } from '../../parameters/kinds.ts';
import { defineQuery, defineText, optional, type Parameter, type Query } from '../../parameters/parameter.ts';
import { textFor } from '../../parameters/parameter-schema.ts';
import {
  resolveDestination,
  checkFeeShare,
  checkMintPair,
  address,
  amount,
  BPS_BOUNDS,
  DEFAULT_BLOCKHASH_SLOTS,
  DEFAULT_PRICE_PERCENTILE,
  MAX_BLOCKHASH_SLOTS,
  bps,
  DEFAULT_SLIPPAGE_BPS,
  PRICE_LEVELS,
  readBps,
  refuseSwap,
  wholeNumber,
  toVenueChoice,
} from './swap-parameters.ts';
import { named } from '../../named-schema.ts';
import { BlockhashJson, InstructionJson } from './instruction-json.ts';
import { RoutePlanStepJson, toRoutePlanJson } from './route-plan-json.ts';
import { EXAMPLE_WALLET, EXAMPLE_MINTS } from '../../example-values.ts';
import { defineEndpoint, OtherAnswer } from '../../endpoint.ts';
import { writeBuildJson } from './build-json.ts';
import { answerOrRefuse, NO_ROUTES_FOUND, Refusal } from './refusal.ts';
import type { SwapServices } from '../order/swap-services.ts';

const FAST_PERCENTILE = toBps(9_000);

/** The parameters of `GET /swap/v2/build`. */
export const BUILD_PARAMETERS = defineQuery(
  {
    inputMint: address('Mint of the token to swap.'),
    outputMint: address('Mint of the token to receive.'),
    amount: amount(1n, 'Atoms of the input token, 1 to 2^64 - 1.'),
    taker: address('The wallet that swaps and signs.'),
    slippageBps: optional(slippage(), DEFAULT_SLIPPAGE_BPS),
    mode: optional(choice(['fast'], '`fast` looks at global rather than local fees.')),
    dexes: optional(list('Venue labels to use, separated by commas; not together with `excludeDexes`.')),
    excludeDexes: optional(list('Venue labels to leave out, separated by commas.')),
    platformFeeBps: optional(bps('Fee of the integrator, 0 to 10000; needs `feeAccount`.')),
    feeAccount: optional(address('Token account, of the input or the output mint, that collects the fee.')),
    maxAccounts: optional(
      wholeNumber(
        { minimum: 1, maximum: MAX_ACCOUNTS },
        'Most accounts that the swaps in the pools may name, 1 to 64, without programs; 64 when absent.',
      ),
      MAX_ACCOUNTS,
    ),
    payer: optional(address('Pays fees and rent instead of the taker, and signs.')),
    wrapAndUnwrapSol: optional(
      flag('Whether to wrap SOL that is paid and unwrap SOL that is received; true when absent.'),
      true,
    ),
    destinationTokenAccount: optional(address('Token account of the output mint that receives the output.')),
    nativeDestinationAccount: optional(
      address('Wallet that receives the output as SOL, with the rent of the account it passed through.'),
    ),
    blockhashSlotsToExpiry: optional(
      wholeNumber(
        { minimum: 1, maximum: MAX_BLOCKHASH_SLOTS },
        `Slots for which the blockhash stays valid, 1 to ${MAX_BLOCKHASH_SLOTS}.`,
      ),
      DEFAULT_BLOCKHASH_SLOTS,
    ),
    tipAmount: optional(amount(0n, 'Lamports to tip, paid by the payer; none when absent.')),
    computeUnitPricePercentile: optional(percentile()),
    forJitoBundle: optional(flag('Leave out venues that cannot be bundled; every venue here can.'), false),
    instructionVersion: optional(
      choice(INSTRUCTION_VERSIONS, 'Generation of the swap instruction; `V2` when absent.'),
      'V2',
    ),
    swapMode: optional(choice(['ExactIn'], 'Only exact input.'), 'ExactIn'),
  },
  refuseSwap,
);

/** @throws SwapRefused with a sentence about the first invalid parameter */
export function parseBuildRequest(query: Query, labels: readonly string[]): BuildRequest {
  const read = BUILD_PARAMETERS.reader(query);
  const [inputMint, outputMint] = [read('inputMint'), read('outputMint')];
  checkMintPair(inputMint, outputMint);
  const amount = read('amount');
  const taker = read('taker');
  read('swapMode');
  const instructionVersion = read('instructionVersion');
  const fast = read('mode') === 'fast';
  // Every venue in routes can be bundled, so both values give the same route.
  read('forJitoBundle');
  return {
    inputMint,
    outputMint,
    amount,
    taker,
    payer: read('payer') ?? taker,
    slippageBps: read('slippageBps'),
    fast,
    venues: toVenueChoice(read('dexes') ?? [], read('excludeDexes') ?? [], labels),
    maxAccounts: read('maxAccounts'),
    platformFee: toBuildFee(
      checkFeeShare(read('platformFeeBps') ?? toBps(0), instructionVersion),
      read('feeAccount'),
    ),
    instructionVersion,
    wrapAndUnwrapSol: read('wrapAndUnwrapSol'),
    destination: resolveDestination(
      { token: read('destinationTokenAccount'), native: read('nativeDestinationAccount') },
      outputMint,
    ),
    blockhashSlotsToExpiry: read('blockhashSlotsToExpiry'),
    // The caller may add instructions of its own.
    chargesRent: false,
    tipAmount: read('tipAmount') ?? 0n,
    computeUnitPricePercentile:
      read('computeUnitPricePercentile') ?? (fast ? FAST_PERCENTILE : DEFAULT_PRICE_PERCENTILE),
  };
}

/** Null: the slippage is estimated. */
function slippage(): Parameter<Bps | null, TString> {
  const schema = textFor(
    {
      anyOf: [
        { type: 'integer', ...BPS_BOUNDS },
        { type: 'string', enum: ['rtse'] },
      ],
    },
    'Allowed shortfall in basis points, 0 to 10000, or `rtse` to have it estimated; 50 when absent.',
  );
  return defineText(schema, (text, name) => (text === 'rtse' ? null : readBps(text, name)));
}

function percentile(): Parameter<Bps, TString> {
  const schema = textFor(
    {
      anyOf: [
        { type: 'integer', ...BPS_BOUNDS },
        { type: 'string', enum: [...PRICE_LEVELS.keys()] },
      ],
    },
    'Of recent prices: `medium` (25th), `high` (50th), `veryHigh` (75th) or basis points, 0 to 10000. The price costs at most 0.005 SOL for the units that the route is expected to use.',
  );
  return defineText(schema, (text, name) => {
    const level = PRICE_LEVELS.get(text);
    if (level !== undefined) return level;
    if (/^\d+$/.test(text)) return readBps(text, name);
    const names = [...PRICE_LEVELS.keys()].join(', ');
    throw new SwapRefused(
      `computeUnitPricePercentile must be ${names} or basis points from 0 to 10000, got ${formatForError(text)}`,
    );
  });
}

function toBuildFee(share: Bps, account: Address | null): BuildRequest['platformFee'] {
  if (share === 0) return undefined;
  if (account === null) {
    throw new SwapRefused(
      `feeAccount is missing: platformFeeBps is ${share}, so a token account must collect it`,
    );
  }
  return { bps: share, account };
}

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
  handle: ({ swap, labels }: SwapServices, { query }) =>
    answerOrRefuse(async () => {
      const built = await buildSwap(swap, parseBuildRequest(query, labels));
      return writeBuildJson(built, toRoutePlanJson(swap.prices, built.route));
    }, answerMissingRoute),
});

function answerMissingRoute({ errorCode, message }: SwapRefused): OtherAnswer | null {
  if (errorCode !== NO_ROUTE && errorCode !== 'TOKEN_NOT_TRADABLE') return null;
  return new OtherAnswer(400, { error: NO_ROUTES_FOUND, errorCode, details: message });
}
