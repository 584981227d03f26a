import type { Address } from '../../solana/address.ts';

export interface SponsorLimits {
  /** Lamports that one taker's swaps may cost within an hour. */
  readonly perTaker: bigint;
  /** Lamports that all swaps together may. */
  readonly inAll: bigint;
}

/** Lamports that were spent within the last hour. */
export interface Spent {
  readonly byTaker: bigint;
  readonly inAll: bigint;
}

/** What the sponsor signs away within any hour, counted at the most that it can cost. */
export interface SponsorBudget {
  /** Why so much more may not be spent on the taker at present; null when it may. Asking spends nothing. */
  readonly refusal: (taker: Address, lamports: bigint) => Promise<string | null>;
  /** Spends it, or says why not. Of those who ask at the same time, each is told by what the others left. */
  readonly spend: (taker: Address, lamports: bigint) => Promise<string | null>;
  /**
   * Takes back what was spent too much, when it is known what a transaction has cost. To be called once at most for what
   * was spent, and with no more than that. It does not wait, and what cannot be taken back stays counted.
   */
  readonly giveBack: (taker: Address, lamports: bigint) => void;
}

/** Why so much more may not be spent after that; null when it may. */
export function refusalAfter(
  spent: Spent,
  { perTaker, inAll }: SponsorLimits,
  taker: Address,
  lamports: bigint,
): string | null {
  const forTaker = spent.byTaker + lamports;
  if (forTaker > perTaker) {
    return `the swaps of ${taker} would cost ${forTaker} lamports within an hour, at most ${perTaker} are sponsored`;
  }
  if (spent.inAll + lamports > inAll) {
    return `what is sponsored within an hour is used up (${spent.inAll} of ${inAll} lamports)`;
  }
  return null;
}
