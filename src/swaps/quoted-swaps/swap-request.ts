import type { Address } from '../../solana/address.ts';
import type { Bps } from '../../solana/units.ts';
import type { InstructionVersion } from '../../market/aggregator/route-plan.ts';
import type { SwapDestination } from '../build/swap-terms.ts';
import type { Prioritization } from './prioritization.ts';
import type { QuoteSwapMode } from './quote-request.ts';

/** The request `POST /swap/v1/swap` or `/swap-instructions`. Nothing in its quote can be trusted. */
export interface SwapRequest {
  readonly quote: AcceptedQuote;
  readonly taker: Address;
  readonly payer: Address;
  readonly wrapAndUnwrapSol: boolean;
  readonly sharedAccounts: boolean;
  /** Whether the swap spends what other instructions of its transaction pay in, instead of the quoted amount. */
  readonly spendsArrivals: boolean;
  readonly platformFee: { readonly bps: Bps; readonly account: Address } | undefined;
  readonly trackingAccount: Address | undefined;
  readonly prioritization: Prioritization;
  readonly legacy: boolean;
  readonly destination: SwapDestination;
  readonly measuresComputeUnits: boolean;
  readonly skipsLookups: boolean;
  /** Bounds for estimating the slippage; null keeps the quote's slippage. */
  readonly estimatedSlippage: SlippageBounds | null;
  /** Null for the whole lifetime of a blockhash that every node knows. */
  readonly blockhashSlotsToExpiry: number | null;
}

export interface SlippageBounds {
  readonly min: Bps;
  readonly max: Bps;
}

/** The terms of a quote that the taker accepts by signing. Everything else in it is computed again. */
export interface AcceptedQuote {
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly inAmount: bigint;
  /** After the platform fee. */
  readonly outAmount: bigint;
  readonly swapMode: QuoteSwapMode;
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
