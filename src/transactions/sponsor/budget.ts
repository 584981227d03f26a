import type { Address } from '../../solana/address.ts';

export interface SponsorLimits {
  /** Lamports that the transactions of one taker may cost within an hour. */
  readonly perTaker: bigint;
  /** Lamports that all transactions together may cost within an hour. */
  readonly inAll: bigint;
}

/** Lamports that were spent within the last hour. */
export interface SpentLamports {
  readonly byTaker: bigint;
  readonly inAll: bigint;
}

/** Why the sponsor does not spend more now. */
export type BudgetRefusal =
  /** The transactions of the taker would cost `lamports` within an hour, which is more than the limit. */
  | {
      readonly kind: 'taker-limit';
      readonly taker: Address;
      readonly lamports: bigint;
      readonly limit: bigint;
    }
  /** `spent` lamports of the limit for all takers are used, and what is left is not enough. */
  | { readonly kind: 'total-limit'; readonly spent: bigint; readonly limit: bigint }
  /** What was spent before cannot be read. */
  | { readonly kind: 'unknown' }
  /** What is spent now cannot be recorded. */
  | { readonly kind: 'uncountable' };

/**
 * Whether the budget was not refused, but the database did not answer, is slow, or takes no writes. This passes, so the
 * client is asked to try again.
 */
export function isBudgetLost({ kind }: BudgetRefusal): boolean {
  return kind === 'unknown' || kind === 'uncountable';
}

/** Limits what the sponsor pays within any hour. A transaction is counted at the most that it can cost. */
export interface SponsorBudget {
  /** Returns why `lamports` more may not be spent on the taker now; null if they may. Nothing is spent. */
  readonly refusal: (taker: Address, lamports: bigint) => Promise<BudgetRefusal | null>;
  /**
   * Counts the lamports, unless a limit forbids it. Concurrent calls see each other's spending.
   * Returns why nothing was counted; null if the lamports were counted.
   */
  readonly spend: (taker: Address, lamports: bigint) => Promise<BudgetRefusal | null>;
  /**
   * Subtracts lamports that were counted and not spent, once the cost of a transaction is known. Call it at most once
   * for each call of `spend`, with no more lamports than that. It does not wait, and what cannot be subtracted stays
   * counted.
   */
  readonly giveBack: (taker: Address, lamports: bigint) => void;
}

/** Returns why `lamports` more may not be spent after `spent`; null if they may. */
export function findLimitRefusal(
  spent: SpentLamports,
  { perTaker, inAll }: SponsorLimits,
  taker: Address,
  lamports: bigint,
): BudgetRefusal | null {
  const forTaker = spent.byTaker + lamports;
  if (forTaker > perTaker) return { kind: 'taker-limit', taker, lamports: forTaker, limit: perTaker };
  if (spent.inAll + lamports > inAll) return { kind: 'total-limit', spent: spent.inAll, limit: inAll };
  return null;
}

/**
 * @param plural - What is sponsored, in the plural: `swaps`.
 * @returns the refusal as part of a sentence for the client
 */
export function describeBudgetRefusal(refusal: BudgetRefusal, plural: string): string {
  switch (refusal.kind) {
    case 'taker-limit': {
      const { taker, lamports, limit } = refusal;
      return `the ${plural} of ${taker} would cost ${lamports} lamports within an hour, at most ${limit} are sponsored`;
    }
    case 'total-limit':
      return `what is sponsored within an hour is used up (${refusal.spent} of ${refusal.limit} lamports)`;
    case 'unknown':
      return 'what was spent before cannot be looked up at the moment';
    case 'uncountable':
      return 'what is spent cannot be counted at the moment';
  }
}
