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
  /**
   * Null for an invite that was created before anybody followed the program here, or in a transaction that was passed over. It is
   * then known by its end alone, so that no open invite is without it. A history shows neither its signature nor its time.
   */
  readonly creationSignature: string | null;
  /** Unix second. Null if the signature is. */
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

/** The most invites of a list before a page. No wallet needs them, and each one before the page takes time to pass over. */
export const MAX_INVITES_BEFORE_PAGE = 10_000;

/**
 * The invites that an instance knows of. All of its methods record first what was confirmed before the call. They reject with
 * `ChainUnavailable` when the network does not answer, with `EventsBehind` while more is to be recorded than one run records, and
 * with `RequestRefused` when more than 10,000 invites stand before the page.
 */
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

/** Which expired invites are asked for. */
export interface ExpiredInviteQuery {
  /** Unix second of the network's clock. Invites that expire at this second have expired. */
  readonly now: bigint;
  /** The last invite of the page before. Null for the first page. */
  readonly after: Pick<RecordedInvite, 'expiresAt' | 'invite'> | null;
  readonly limit: number;
}

/**
 * Lists invites that have expired and are open in the record, the oldest expiry first. The record may lag: what it calls open can
 * have ended, or be another invite of the same key.
 */
export type ListExpiredInvites = (query: ExpiredInviteQuery) => Promise<readonly RecordedInvite[]>;
