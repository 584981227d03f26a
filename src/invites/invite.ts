import type { Work } from '../common/work/work.ts';
import type { Address } from '../solana/address.ts';

/** How an invite ended: the receiver took it, the sender took it back, or it was returned after its expiry. */
export type InviteEndKind = 'claimed' | 'clawedBack' | 'expired';

/** How and when an invite ended. */
export interface InviteEnd {
  readonly kind: InviteEndKind;
  readonly signature: string;
  /** Unix second. */
  readonly at: bigint;
  /** Who claimed it. Null if it went back to the sender. */
  readonly receiver: Address | null;
}

/** An invite as the events of the program tell of it. */
export interface RecordedInvite {
  readonly invite: Address;
  readonly inviteKey: Address;
  readonly sender: Address;
  /** Null for SOL. */
  readonly mint: Address | null;
  /** What it was created with, in atoms. */
  readonly amount: bigint;
  /** Null if it was created before anybody followed the program. */
  readonly creationSignature: string | null;
  /** Unix second. Null like the signature. */
  readonly createdAt: bigint | null;
  /** The first Unix second in which it has expired. */
  readonly expiresAt: bigint;
  /** Null while it is open. */
  readonly end: InviteEnd | null;
}

export interface InviteQuery {
  /** A sender. In a history, also a receiver. */
  readonly wallet: Address;
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
}

export interface InvitePage {
  readonly invites: readonly RecordedInvite[];
  /** Whether there is a later page. */
  readonly hasMore: boolean;
}

/** The invites that an instance knows of. All of its methods record first what was confirmed before the call. */
export interface InviteLists {
  /** Lists the invites of a sender that are open and have not expired, the newest first. */
  readonly listPending: (query: InviteQuery, work: Work) => Promise<InvitePage>;
  /**
   * Lists the invites that a wallet sent or received and that have ended or expired, the newest end first. One that has expired
   * and is not returned yet counts as ended at its expiry, though it has no end.
   */
  readonly listHistory: (query: InviteQuery, work: Work) => Promise<InvitePage>;
}

/** What is known of single invites. */
export interface InviteHistory {
  /** Returns the newest invite at an address, open or not; null if none is recorded. */
  readonly findLast: (invite: Address) => Promise<RecordedInvite | null>;
}
