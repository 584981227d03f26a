import { formatForError } from '../../../../common/format-for-error.ts';
import type { Address } from '../../../../solana/address.ts';
import { type Bps, bps } from '../../../../solana/units.ts';
import { resolveDestination } from '../parameters/destination.ts';
import { AMOUNT_BOUNDS } from '../parameters/parameter-bounds.ts';
import { type InstructionVersion, MAX_FEE_BPS } from '../../../../market/aggregator/instruction-version.ts';
import { type SwapRefusalCode, SwapRefused } from '../../../../swaps/refusals.ts';
import {
  parseOptionalAddress,
  type Query,
  parseRequiredAddress,
  parseRequiredAmount,
} from '../parameters/query.ts';
import type {
  AcceptedQuote,
  QuotedStep,
  SlippageBounds,
  SwapRequest,
} from '../../../../swaps/quoted-swaps/swap-request.ts';
import { parsePrioritization } from './prioritization.ts';
import type { QuoteResponse, SwapBody } from './schema.ts';

/** @throws SwapRefused with a sentence about the first invalid field */
export function parseSwapRequest(body: SwapBody): SwapRequest {
  const taker = parseRequiredAddress(toQueryTexts(body), 'userPublicKey');
  const quote = parseQuote(body.quoteResponse);
  return {
    quote,
    taker,
    payer: parseOptionalAddress(toQueryTexts(body), 'payer') ?? taker,
    wrapAndUnwrapSol: body.wrapAndUnwrapSol ?? true,
    sharedAccounts: body.useSharedAccounts ?? false,
    spendsArrivals: body.useTokenLedger ?? false,
    platformFee: parseQuotedFee(body, quote.version),
    trackingAccount: parseOptionalAddress(toQueryTexts(body), 'trackingAccount'),
    prioritization: parsePrioritization(body),
    legacy: body.asLegacyTransaction ?? false,
    destination: resolveDestination(
      {
        token: parseOptionalAddress(toQueryTexts(body), 'destinationTokenAccount'),
        native: parseOptionalAddress(toQueryTexts(body), 'nativeDestinationAccount'),
      },
      quote.outputMint,
    ),
    measuresComputeUnits: body.dynamicComputeUnitLimit ?? false,
    skipsLookups: body.skipUserAccountsRpcCalls ?? false,
    estimatedSlippage: slippageBounds(body),
    blockhashSlotsToExpiry: body.blockhashSlotsToExpiry ?? null,
  };
}

/** The fields that hold addresses, in the form that the readers of parameters accept. */
function toQueryTexts(body: SwapBody): Query {
  return {
    userPublicKey: body.userPublicKey,
    payer: body.payer ?? undefined,
    feeAccount: body.feeAccount ?? undefined,
    trackingAccount: body.trackingAccount ?? undefined,
    destinationTokenAccount: body.destinationTokenAccount ?? undefined,
    nativeDestinationAccount: body.nativeDestinationAccount ?? undefined,
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
  const inputMint = address('inputMint', quote.inputMint);
  const outputMint = address('outputMint', quote.outputMint);
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
    inAmount: amount('inAmount', quote.inAmount),
    outAmount: amount('outAmount', quote.outAmount),
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
    pool: address(`${name}.swapInfo.ammKey`, swapInfo.ammKey),
    inputMint: address(`${name}.swapInfo.inputMint`, swapInfo.inputMint),
    outputMint: address(`${name}.swapInfo.outputMint`, swapInfo.outputMint),
    bps: requireShare(`${name}.${given == null ? 'percent in basis points' : 'bps'}`, whole, 10_000),
  };
}

/** Clients name their account in every request. It collects the fee of the quote, which may be zero. */
function parseQuotedFee(body: SwapBody, version: InstructionVersion): SwapRequest['platformFee'] {
  const { platformFee: quoted } = body.quoteResponse;
  const feeBps = requireShare('platformFee.feeBps', quoted?.feeBps ?? 0, MAX_FEE_BPS[version]);
  const account = parseOptionalAddress(toQueryTexts(body), 'feeAccount');
  if (feeBps === 0) return undefined;
  if (account === undefined) {
    throw new SwapRefused(
      `feeAccount is missing: quoteResponse.platformFee.feeBps is ${feeBps}, so a token account must collect it`,
    );
  }
  return { bps: feeBps, account };
}

function address(name: string, value: string): Address {
  const full = `quoteResponse.${name}`;
  return parseRequiredAddress({ [full]: value }, full);
}

function amount(name: string, value: string): bigint {
  const full = `quoteResponse.${name}`;
  return parseRequiredAmount({ [full]: value }, full, AMOUNT_BOUNDS);
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
