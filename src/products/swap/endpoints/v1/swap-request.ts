import { type TBoolean, type TNull, type TOptional, type TString, type TUnion, Type } from 'typebox';
import { named } from '../../../named-schema.ts';
import type { Address } from '../../../../solana/address.ts';
import { defineBody, defineField, type Parameter } from '../../../parameters/parameter.ts';
import { address, readAddress, refuseSwap, readAmount, resolveDestination } from '../swap-parameters.ts';
import { formatForError } from '../../../../common/format-for-error.ts';
import { type Bps, bps } from '../../../../solana/units.ts';
import { type InstructionVersion, MAX_FEE_BPS } from '../../../../market/aggregator/route-plan.ts';
import { type SwapRefusalCode, SwapRefused } from '../../../../swaps/refusals.ts';
import type {
  AcceptedQuote,
  QuotedStep,
  SlippageBounds,
  SwapRequest,
} from '../../../../swaps/quoted-swaps/swap-request.ts';
import { parsePrioritization } from './prioritization.ts';
import { QuoteResponse } from './quote.ts';

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
const SWAP_FIELDS = defineBody(
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

export type SwapBody = Type.Static<typeof SwapBody>;

/** @throws SwapRefused with a sentence about the first invalid field */
export function parseSwapRequest(body: SwapBody): SwapRequest {
  const read = SWAP_FIELDS.reader(body);
  const taker = read('userPublicKey');
  const quote = parseQuote(body.quoteResponse);
  return {
    quote,
    taker,
    payer: read('payer') ?? taker,
    wrapAndUnwrapSol: read('wrapAndUnwrapSol'),
    sharedAccounts: read('useSharedAccounts'),
    spendsArrivals: read('useTokenLedger'),
    platformFee: toQuotedFee(parseQuotedFee(body, quote.version), read('feeAccount')),
    trackingAccount: read('trackingAccount') ?? undefined,
    prioritization: parsePrioritization(body),
    legacy: read('asLegacyTransaction'),
    destination: resolveDestination(
      { token: read('destinationTokenAccount'), native: read('nativeDestinationAccount') },
      quote.outputMint,
    ),
    measuresComputeUnits: read('dynamicComputeUnitLimit'),
    skipsLookups: read('skipUserAccountsRpcCalls'),
    estimatedSlippage: slippageBounds(body),
    blockhashSlotsToExpiry: read('blockhashSlotsToExpiry') ?? null,
  };
}

function slippageBounds({ dynamicSlippage: given }: SwapBody): SlippageBounds | null {
  if (given === undefined || given === null || given === false) return null;
  const { minBps, maxBps }: { minBps?: number | null; maxBps?: number | null } = given === true ? {} : given;
  const [min, max] = [minBps ?? 0, maxBps ?? 10_000];
  if (min > max) {
    throw new SwapRefused(
      `dynamicSlippage.minBps must be at most dynamicSlippage.maxBps, got ${min} and ${max}`,
    );
  }
  return { min: bps(min), max: bps(max) };
}

function parseQuote(quote: QuoteResponse): AcceptedQuote {
  const inputMint = readQuotedAddress('inputMint', quote.inputMint);
  const outputMint = readQuotedAddress('outputMint', quote.outputMint);
  if (inputMint === outputMint) {
    throw new SwapRefused(
      `quoteResponse.inputMint and outputMint must differ, both are ${inputMint}`,
      'CIRCULAR_ARBITRAGE_IS_DISABLED',
    );
  }
  const version = quote.instructionVersion ?? 'V1';
  return {
    inputMint,
    outputMint,
    version,
    inAmount: readQuotedAmount('inAmount', quote.inAmount),
    outAmount: readQuotedAmount('outAmount', quote.outAmount),
    swapMode: quote.swapMode,
    slippageBps: requireShare(
      'slippageBps',
      quote.slippageBps,
      10_000,
      'CANNOT_COMPUTE_OTHER_AMOUNT_THRESHOLD',
    ),
    routePlan: quote.routePlan.map((step, index) => parseStep(step, `routePlan[${index}]`)),
  };
}

function parseStep(
  { swapInfo, bps: given, percent }: QuoteResponse['routePlan'][number],
  name: string,
): QuotedStep {
  const fromPercent = typeof percent === 'number' ? percent * 100 : undefined;
  const whole = given ?? fromPercent;
  if (whole === undefined) throw new SwapRefused(`quoteResponse.${name} has neither bps nor percent`);
  if (fromPercent !== undefined && fromPercent !== whole) {
    throw new SwapRefused(
      `quoteResponse.${name} has bps ${given} and percent ${percent}, which are not the same`,
    );
  }
  return {
    pool: readQuotedAddress(`${name}.swapInfo.ammKey`, swapInfo.ammKey),
    inputMint: readQuotedAddress(`${name}.swapInfo.inputMint`, swapInfo.inputMint),
    outputMint: readQuotedAddress(`${name}.swapInfo.outputMint`, swapInfo.outputMint),
    bps: requireShare(`${name}.${given == null ? 'percent in basis points' : 'bps'}`, whole, 10_000),
  };
}

function parseQuotedFee({ quoteResponse: { platformFee } }: SwapBody, version: InstructionVersion): Bps {
  return requireShare('platformFee.feeBps', platformFee?.feeBps ?? 0, MAX_FEE_BPS[version]);
}

/** Clients name their account in every request. It collects the fee of the quote, which may be zero. */
function toQuotedFee(feeBps: Bps, account: Address | null): SwapRequest['platformFee'] {
  if (feeBps === 0) return undefined;
  if (account === null) {
    throw new SwapRefused(
      `feeAccount is missing: quoteResponse.platformFee.feeBps is ${feeBps}, so a token account must collect it`,
    );
  }
  return { bps: feeBps, account };
}

function readQuotedAddress(name: string, value: string): Address {
  return readAddress(value, `quoteResponse.${name}`);
}

function readQuotedAmount(name: string, value: string): bigint {
  return readAmount(value, `quoteResponse.${name}`, 1n);
}

function requireShare(name: string, value: number, most: number, code: SwapRefusalCode | null = null): Bps {
  if (!Number.isInteger(value) || value < 0 || value > most) {
    throw new SwapRefused(
      `quoteResponse.${name} must be a whole number from 0 to ${most}, got ${formatForError(value)}`,
      code,
    );
  }
  return bps(value);
}
