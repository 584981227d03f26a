import type { CheckedTransaction } from './check-submission.ts';

/**
 * How the landing of a transaction ended. `failed` is in a block with an error, so only its fee was paid, and no tip.
 * `expired` can no longer land. `rejected` is refused by every sender. `unknown` was given up without an answer.
 */
export type LandingOutcome = 'confirmed' | 'failed' | 'expired' | 'rejected' | 'unknown';

/** One transaction on its way to the chain. All times are Unix milliseconds, and null until it happens. */
export interface Landing {
  readonly transaction: CheckedTransaction;
  /** When the first caller submitted it. */
  readonly acceptedAt: number;
  /** The block height after which it cannot be in a block, unless it has a durable nonce. */
  readonly lastHeight: bigint;
  /** When a sender first accepted it. */
  forwardedAt: number | null;
  /** When it was first found in a block. */
  seenAt: number | null;
  confirmedAt: number | null;
  endedAt: number | null;
  /** Null while it is under way. */
  outcome: LandingOutcome | null;
  slot: bigint | null;
  /** The error of a transaction that failed or was rejected; null without one. */
  error: string | null;
  /** How often it was sent, through all senders together. */
  sends: number;
}

/** @returns a landing that begins now */
export function beginLanding(
  transaction: CheckedTransaction,
  { acceptedAt, lastHeight }: Pick<Landing, 'acceptedAt' | 'lastHeight'>,
): Landing {
  return {
    transaction,
    acceptedAt,
    lastHeight,
    forwardedAt: null,
    seenAt: null,
    confirmedAt: null,
    endedAt: null,
    outcome: null,
    slot: null,
    error: null,
    sends: 0,
  };
}
