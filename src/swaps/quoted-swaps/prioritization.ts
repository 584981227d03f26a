import type { Address } from '../../solana/address.ts';
import { priorityFeeLamports, computeStatedPriorityFeeLamports } from '../../solana/programs/message-fee.ts';
import { type Bps, bps, U64_MAX } from '../../solana/units.ts';
import { chooseLower, computePriorityFee } from '../../transactions/build/priority-fee.ts';

/** What is paid for earlier inclusion. */
export type Prioritization =
  /** A multiple of what recent transactions pay. */
  | { readonly kind: 'auto'; readonly times: bigint }
  | { readonly kind: 'exact'; readonly lamports: bigint }
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
  | { readonly kind: 'unit-price'; readonly microLamports: bigint }
  /** A tip instead of a priority fee. A null payer is the transaction's. */
  | { readonly kind: 'tip'; readonly lamports: bigint; readonly payer: Address | null };

/** `auto` uses the price that three of four recent transactions do not exceed. */
const AUTOMATIC_PERCENTILE = bps(7_500);

/** The percentile of recent prices to use, and whether it is one of all transactions. */
export function getPriceSelection(asked: Prioritization): {
  readonly percentile: Bps;
  readonly global: boolean;
} {
  return asked.kind === 'level' ? asked : { percentile: AUTOMATIC_PERCENTILE, global: false };
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
export function computeStatedFee(asked: Prioritization, recent: bigint, limit: number): StatedFee {
  const price = priceFor(asked, recent, limit);
  return { price, lamports: chooseLower(computeStatedPriorityFeeLamports(price, BigInt(limit)), U64_MAX) };
}

function priceFor(asked: Prioritization, recent: bigint, limit: number): bigint {
  switch (asked.kind) {
    case 'tip':
      return 0n;
    case 'unit-price':
      return asked.microLamports;
    case 'exact':
      return computePriorityFee({ lamports: asked.lamports, kind: 'exactFee' }, recent, limit).price;
    case 'level': {
      const lamports = chooseLower(priorityFeeLamports(recent, BigInt(limit)), asked.maxLamports);
      return computePriorityFee({ lamports, kind: 'exactFee' }, recent, limit).price;
    }
    case 'auto':
      return computePriorityFee(null, recent * asked.times, limit).price;
  }
}
