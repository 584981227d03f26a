import { formatForError } from '../../../../common/format-for-error.ts';
import type { Address } from '../../../../solana/address.ts';
import { type Bps, bps } from '../../../../solana/units.ts';
import { resolveDestination } from '../parameters/destination.ts';
import { type InstructionVersion, MAX_FEE_BPS } from '../../../../market/aggregator/route-plan.ts';
import { type SwapRefusalCode, SwapRefused } from '../../../../swaps/refusals.ts';
import { readAddress, readAmount } from '../parameters/swap-kinds.ts';
import type {
  AcceptedQuote,
  QuotedStep,
  SlippageBounds,
  SwapRequest,
} from '../../../../swaps/quoted-swaps/swap-request.ts';
import { parsePrioritization } from './prioritization.ts';
import { type QuoteResponse, SWAP_FIELDS, type SwapBody } from './schema.ts';

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

function address(name: string, value: string): Address {
  return readAddress(value, `quoteResponse.${name}`);
}

function amount(name: string, value: string): bigint {
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
