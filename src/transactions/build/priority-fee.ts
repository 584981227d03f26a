import type { PriorityFeeSample } from '../../chain/chain.ts';
import { computePriceWithin, priorityFeeLamports } from '../../solana/programs/message-fee.ts';
import { type Bps, bps, compareAmounts, minimum } from '../../solana/units.ts';

/** The percentile of recent prices that is paid: three quarters of the competing transactions pay less. */
export const PRICE_PERCENTILE = bps(7_500);

/** The upper bound of a fee that the request does not ask for, however much others pay: 0.005 SOL. */
const MAX_AUTOMATIC = 5_000_000n;

/**
 * The most lamports that a sponsor pays for priority, whatever others pay or the taker requests. A sponsored swap
 * that fails on chain costs this and two signatures, and earns no fee.
 */
export const MAX_SPONSORED_PRIORITY_FEE = 100_000n;

/** A priority fee that a request asks for. */
export interface AskedPriorityFee {
  readonly lamports: bigint;
  /** Whether `lamports` is the exact fee, or its upper bound. */
  readonly kind: 'exactFee' | 'maxCap';
}

/** A price per compute unit that a request asks for, in micro-lamports. */
export interface AskedUnitPrice {
  readonly microLamports: bigint;
  readonly kind: 'unitPrice';
}

export interface PriorityFee {
  /** Micro-lamports per compute unit. */
  readonly price: bigint;
  /** The fee in lamports for the whole compute-unit limit, as the network rounds it. */
  readonly lamports: bigint;
}

/**
 * Returns the micro-lamports per compute unit that `percentile` of the recent slots did not exceed (nearest rank); 0
 * when no recent transaction wrote the accounts, because then nothing competes for them.
 */
export function computeUnitPrice(samples: readonly PriorityFeeSample[], percentile: Bps): bigint {
  if (samples.length === 0) return 0n;
  const sorted = samples.map((sample) => sample.microLamports).sort(compareAmounts);
  const rank = Math.max(1, Math.ceil((sorted.length * percentile) / 10_000));
  return sorted[rank - 1] ?? 0n;
}

/**
 * Computes the price per compute unit for a transaction with this limit. A requested `exactFee` replaces `recent`,
 * what others pay; a `maxCap` bounds it. The price is rounded down, so the fee never exceeds the request.
 */
export function computePriorityFee(
  asked: AskedPriorityFee | AskedUnitPrice | null,
  recent: bigint,
  limit: number,
): PriorityFee {
  const units = BigInt(limit);
  if (asked?.kind === 'unitPrice') {
    return { price: asked.microLamports, lamports: priorityFeeLamports(asked.microLamports, units) };
  }
  const toUnitPrice = (lamports: bigint) => computePriceWithin(lamports, units);
  const automatic = minimum(recent, toUnitPrice(MAX_AUTOMATIC));
  const given = asked === null ? automatic : toUnitPrice(asked.lamports);
  const price = asked?.kind === 'maxCap' ? minimum(automatic, given) : given;
  return { price, lamports: priorityFeeLamports(price, units) };
}

/** Computes what a sponsor pays: no more than others pay, than the taker allows, and than the sponsor's own bound. */
export function computeSponsoredPriorityFee(
  asked: AskedPriorityFee | AskedUnitPrice | null,
  recent: bigint,
  limit: number,
): PriorityFee {
  const given = asked?.kind === 'unitPrice' ? computePriorityFee(asked, recent, limit) : asked;
  const most = minimum(given?.lamports ?? MAX_SPONSORED_PRIORITY_FEE, MAX_SPONSORED_PRIORITY_FEE);
  return computePriorityFee({ kind: 'maxCap', lamports: most }, recent, limit);
}
