import type { Address } from '../../solana/address.ts';
import { type Bps, bps, minimum, U64_MAX } from '../../solana/units.ts';
import type { InstructionVersion } from '../../market/aggregator/route-plan.ts';
import type { SwapDestination } from '../build/swap-terms.ts';
import type { FixedAmountMode } from '../swap-mode.ts';
import { priorityFeeLamports, computeStatedPriorityFeeLamports } from '../../solana/programs/message-fee.ts';
import { computePriorityFee } from '../../transactions/build/priority-fee.ts';

/** The request `/swap` or `/swap-instructions` of swap v1 or v2. Nothing in its quote can be trusted. */
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
  readonly swapMode: FixedAmountMode;
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

/** What is paid for earlier inclusion: a priority fee, a tip, both or nothing. */
export interface Prioritization {
  /** Null sets no price per compute unit. */
  readonly fee: SwapPriorityFee | null;
  readonly tip: SwapTip | null;
}

export interface SwapTip {
  readonly lamports: bigint;
  /** Null for the payer of the transaction. */
  readonly payer: Address | null;
}

export type SwapPriorityFee =
  /** A multiple of what recent transactions pay. */
  | { readonly kind: 'auto'; readonly times: bigint }
  | { readonly kind: 'exact'; readonly lamports: bigint }
  /**
   * A percentile of what recent transactions that write the same accounts pay. The request names no lamports, so the fee
   * has the bound of an automatic one: a cheap transaction that writes a pool's account can offer any price.
   */
  | { readonly kind: 'percentile'; readonly percentile: Bps }
  /**
   * A percentile of what recent transactions pay, up to a bound. `global` looks at all transactions, otherwise at
   * those that write the same accounts.
   */
  | {
      readonly kind: 'level';
      readonly percentile: Bps;
      readonly maxLamports: bigint;
      readonly global: boolean;
    }
  | { readonly kind: 'unit-price'; readonly microLamports: bigint };

/** `auto` uses the price that three of four recent transactions do not exceed. */
const AUTOMATIC_PERCENTILE = bps(7_500);

/** The percentile of recent prices to use, and whether it is one of all transactions. */
export function getPriceSelection(asked: SwapPriorityFee): {
  readonly percentile: Bps;
  readonly global: boolean;
} {
  if (asked.kind === 'level') return asked;
  const percentile = asked.kind === 'percentile' ? asked.percentile : AUTOMATIC_PERCENTILE;
  return { percentile, global: false };
}

/** A price per compute unit, and the fee at that price. */
interface StatedFee {
  /** Micro-lamports per compute unit. */
  readonly price: bigint;
  /** Rounded down, as the public interface states it; the network may take one lamport more. */
  readonly lamports: bigint;
}

/**
 * Computes the priority fee of a transaction. A fee that no price of 64 bits reaches is paid with the highest price.
 * @param recent - The price at that percentile, in micro-lamports.
 * @param limit - The transaction's compute units.
 */
export function computeStatedFee(asked: SwapPriorityFee, recent: bigint, limit: number): StatedFee {
  const price = priceFor(asked, recent, limit);
  return { price, lamports: minimum(computeStatedPriorityFeeLamports(price, BigInt(limit)), U64_MAX) };
}

function priceFor(asked: SwapPriorityFee, recent: bigint, limit: number): bigint {
  switch (asked.kind) {
    case 'percentile':
      return computePriorityFee(null, recent, limit).price;
    case 'unit-price':
      return asked.microLamports;
    case 'exact':
      return computePriorityFee({ lamports: asked.lamports, kind: 'exactFee' }, recent, limit).price;
    case 'level': {
      const lamports = minimum(priorityFeeLamports(recent, BigInt(limit)), asked.maxLamports);
      return computePriorityFee({ lamports, kind: 'exactFee' }, recent, limit).price;
    }
    case 'auto':
      return computePriorityFee(null, recent * asked.times, limit).price;
  }
}
