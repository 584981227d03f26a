import { formatForError } from '../../../common/format-for-error.ts';
import type { Address } from '../../../solana/address.ts';
import { type Bps, bps } from '../../../solana/units.ts';
import { destinationOf } from '../build/destination.ts';
import { SwapRefused } from '../errors.ts';
import { type Query, optionalAddress, requiredAddress, requiredAmount } from '../query.ts';
import type { Destination } from '../build/swap-terms.ts';
import { type InstructionVersion, MAX_FEE_BPS } from '../build/forms.ts';
import { type Prioritization, parsePrioritization } from './prioritization.ts';
import type { SwapMode } from './quote-request.ts';
import type { QuoteResponse, SwapBody } from './schema.ts';

/** What `POST /swap/v1/swap` and `/swap-instructions` ask for. Everything in the quote is the caller's word. */
export interface SwapRequest {
  readonly quote: AcceptedQuote;
  readonly taker: Address;
  readonly payer: Address;
  readonly wrapAndUnwrapSol: boolean;
  readonly sharedAccounts: boolean;
  readonly platformFee: { readonly bps: Bps; readonly account: Address } | undefined;
  readonly trackingAccount: Address | undefined;
  readonly prioritization: Prioritization;
  readonly legacy: boolean;
  readonly destination: Destination;
  readonly measuresComputeUnits: boolean;
  readonly skipsLookups: boolean;
  /** Within which the slippage is estimated; null keeps the quote's. */
  readonly estimatedSlippage: SlippageBounds | null;
  readonly blockhashSlotsToExpiry: number;
}

export interface SlippageBounds {
  readonly least: Bps;
  readonly most: Bps;
}

/** The terms of a quote that the taker accepts by signing; what else it says is reckoned anew. */
export interface AcceptedQuote {
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly inAmount: bigint;
  /** Net of the platform fee. */
  readonly outAmount: bigint;
  readonly swapMode: SwapMode;
  readonly slippageBps: Bps;
  readonly version: InstructionVersion;
  readonly routePlan: readonly QuotedStep[];
}

export interface QuotedStep {
  readonly pool: Address;
  readonly inputMint: Address;
  readonly outputMint: Address;
  /** Share of all that the route has of the input mint. */
  readonly bps: number;
}

const BLOCKHASH_SLOTS = 150;

/** @throws SwapRefused with a sentence about the first field that is wrong. */
export function parseSwapRequest(body: SwapBody): SwapRequest {
  if (body.useTokenLedger === true) {
    throw new SwapRefused('useTokenLedger is not available here: swap the amount that the quote has');
  }
  const taker = requiredAddress(texts(body), 'userPublicKey');
  const quote = parseQuote(body.quoteResponse);
  return {
    quote,
    taker,
    payer: optionalAddress(texts(body), 'payer') ?? taker,
    wrapAndUnwrapSol: body.wrapAndUnwrapSol ?? true,
    sharedAccounts: body.useSharedAccounts ?? false,
    platformFee: platformFee(body, quote.version),
    trackingAccount: optionalAddress(texts(body), 'trackingAccount'),
    prioritization: parsePrioritization(body),
    legacy: body.asLegacyTransaction ?? false,
    destination: destinationOf(
      {
        token: optionalAddress(texts(body), 'destinationTokenAccount'),
        native: optionalAddress(texts(body), 'nativeDestinationAccount'),
      },
      quote.outputMint,
    ),
    measuresComputeUnits: body.dynamicComputeUnitLimit ?? false,
    skipsLookups: body.skipUserAccountsRpcCalls ?? false,
    estimatedSlippage: slippageBounds(body),
    blockhashSlotsToExpiry: body.blockhashSlotsToExpiry ?? BLOCKHASH_SLOTS,
  };
}

/** The fields that hold addresses, as the readers of parameters take them. */
function texts(body: SwapBody): Query {
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
  const [least, most] = [minBps ?? 0, maxBps ?? 10_000];
  if (least > most) {
    throw new SwapRefused(
      `dynamicSlippage.minBps must be at most dynamicSlippage.maxBps, got ${least} and ${most}`,
    );
  }
  return { least: bps(least), most: bps(most) };
}

function parseQuote(quote: QuoteResponse): AcceptedQuote {
  const inputMint = address('inputMint', quote.inputMint);
  const outputMint = address('outputMint', quote.outputMint);
  if (inputMint === outputMint) {
    throw new SwapRefused(`quoteResponse.inputMint and outputMint must differ, both are ${inputMint}`);
  }
  const version = quote.instructionVersion ?? 'V1';
  return {
    inputMint,
    outputMint,
    version,
    inAmount: amount('inAmount', quote.inAmount),
    outAmount: amount('outAmount', quote.outAmount),
    swapMode: quote.swapMode,
    slippageBps: share('slippageBps', quote.slippageBps, 10_000),
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
    bps: share(`${name}.${given == null ? 'percent in basis points' : 'bps'}`, whole, 10_000),
  };
}

/** Clients name their account in every request; it collects what the quote has for it, which may be nothing. */
function platformFee(body: SwapBody, version: InstructionVersion): SwapRequest['platformFee'] {
  const { platformFee: quoted } = body.quoteResponse;
  const feeBps = share('platformFee.feeBps', quoted?.feeBps ?? 0, MAX_FEE_BPS[version]);
  const account = optionalAddress(texts(body), 'feeAccount');
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
  return requiredAddress({ [full]: value }, full);
}

function amount(name: string, value: string): bigint {
  const full = `quoteResponse.${name}`;
  return requiredAmount({ [full]: value }, full);
}

function share(name: string, value: number, most: number): Bps {
  if (!Number.isInteger(value) || value < 0 || value > most) {
    throw new SwapRefused(
      `quoteResponse.${name} must be a whole number from 0 to ${most}, got ${formatForError(value)}`,
    );
  }
  return bps(value);
}
