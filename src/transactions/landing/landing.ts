import type { CheckedTransaction } from './check-submission.ts';

/**
 * How the landing of a transaction ended. `failed` is in a block with an error, so only its fee was paid, and no tip.
 * `expired` can no longer land. `rejected` is refused by every sender. `unknown` was given up without an answer.
 */
export type LandingOutcome = 'confirmed' | 'failed' | 'expired' | 'rejected' | 'unknown';

/** The submission of a transaction by one organisation, or by a caller without a key. */
export interface LandingSubmission {
  /** Null without a key. */
  readonly organisationId: string | null;
  /** The id of the first such request. */
  readonly requestId: string;
  /** Unix milliseconds. */
  readonly acceptedAt: number;
}

/**
 * A submission with what happened for its submitter. An organisation that submits a transaction after another one learns
 * nothing of what the earlier submission did.
 */
export interface OwnSubmission extends LandingSubmission {
  /** When a sender first accepted the transaction after it was submitted. */
  forwardedAt: number | null;
  /** `Landing.sends` when it was submitted. Below 0 if it was sent before this process began. */
  readonly sendsBefore: number;
}

/** A landing that a process had not finished when it ended. `forwardedAt`, `seenAt` and `sends` are the submitter's. */
export interface UnfinishedLanding
  extends LandingSubmission,
    Pick<Landing, 'forwardedAt' | 'seenAt' | 'sends'> {
  readonly transaction: Omit<CheckedTransaction, 'blockhash'>;
  readonly lastHeight: bigint;
}

/** One transaction on its way to the chain. All times are Unix milliseconds; a time is null until the event happens. */
export interface Landing {
  readonly transaction: Omit<CheckedTransaction, 'blockhash'>;
  /** When the first caller submitted it. */
  readonly acceptedAt: number;
  /** The first submission of each organisation, and the first one without a key. */
  readonly submissions: OwnSubmission[];
  /** The block height after which it cannot be in a block, unless it has a durable nonce. */
  readonly lastHeight: bigint;
  /** When a sender first accepted it. */
  forwardedAt: number | null;
  /** When it was first found in a block. */
  seenAt: number | null;
  confirmedAt: number | null;
  endedAt: number | null;
  /** Null until the landing has ended. */
  outcome: LandingOutcome | null;
  slot: bigint | null;
  /** The error of a transaction that failed or was rejected; null without one. */
  error: string | null;
  /** The name of the sender whose node was the first to show it in its block; null if that is not known. */
  firstSeenBy: string | null;
  /** How many times it was sent, through all senders together. */
  sends: number;
}

/** What a submitter may be told about a landing: what happened from its own submission on. */
export type OwnProgress = Pick<
  Landing,
  'forwardedAt' | 'seenAt' | 'confirmedAt' | 'endedAt' | 'firstSeenBy' | 'sends'
>;

/**
 * Returns what a submitter may be told. That the transaction was in a block before is public, so it counts as seen when it
 * was submitted. When it was forwarded for somebody else, how often, and which node showed it then is not.
 */
export function toOwnProgress(
  { acceptedAt, forwardedAt, sendsBefore }: OwnSubmission,
  { seenAt, confirmedAt, endedAt, firstSeenBy, sends }: Landing,
): OwnProgress {
  const since = (time: number | null) => (time === null ? null : Math.max(time, acceptedAt));
  return {
    forwardedAt,
    seenAt: since(seenAt),
    confirmedAt: since(confirmedAt),
    endedAt: since(endedAt),
    firstSeenBy: seenAt !== null && seenAt < acceptedAt ? null : firstSeenBy,
    sends: sends - sendsBefore,
  };
}

/** Returns a landing that begins now. */
export function beginLanding(
  transaction: Landing['transaction'],
  { acceptedAt, lastHeight, submissions }: Pick<Landing, 'acceptedAt' | 'lastHeight' | 'submissions'>,
): Landing {
  return {
    transaction,
    acceptedAt,
    lastHeight,
    submissions,
    forwardedAt: null,
    seenAt: null,
    confirmedAt: null,
    endedAt: null,
    outcome: null,
    slot: null,
    error: null,
    firstSeenBy: null,
    sends: 0,
  };
}
