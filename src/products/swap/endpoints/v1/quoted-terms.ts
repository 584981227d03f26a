import { formatForError } from '../../../../common/format-for-error.ts';
import type { Address } from '../../../../solana/address.ts';
import { type Bps, bps } from '../../../../solana/units.ts';
import { type InstructionVersion, MAX_FEE_BPS } from '../../../../market/aggregator/route-plan.ts';
import type { AcceptedQuote, QuotedStep, SwapRequest } from '../../../../swaps/quoted-swaps/swap-request.ts';
import { type SwapRefusalCode, SwapRefused } from '../../../../swaps/refusals.ts';
import { readAddress, readAmount } from '../swap-parameters.ts';
import type { QuoteResponse } from './quote.ts';

/**
 * Parses the terms of a quote that a client hands back.
 * @param defaultVersion - The generation of its instruction if the quote does not name one.
 * @throws SwapRefused with a sentence about the first invalid field
 */
export function parseQuote(quote: QuoteResponse, defaultVersion: InstructionVersion): AcceptedQuote {
  const inputMint = readQuotedAddress('inputMint', quote.inputMint);
  const outputMint = readQuotedAddress('outputMint', quote.outputMint);
  if (inputMint === outputMint) {
    throw new SwapRefused(
      `quoteResponse.inputMint and outputMint must differ, both are ${inputMint}`,
      'CIRCULAR_ARBITRAGE_IS_DISABLED',
    );
  }
  const version = quote.instructionVersion ?? defaultVersion;
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

/**
 * Parses the platform fee of a quote. Clients name their account in every request. It collects the fee of the quote, which
 * may be zero.
 * @throws SwapRefused when the fee is invalid, or no account collects it
 */
export function parseQuotedFee(
  { platformFee }: QuoteResponse,
  version: InstructionVersion,
  account: Address | null,
): SwapRequest['platformFee'] {
  const feeBps = requireShare('platformFee.feeBps', platformFee?.feeBps ?? 0, MAX_FEE_BPS[version]);
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
