import type { ExpiredInviteQuery, RecordedInvite } from '../invite.ts';

/** What the record tells of an invite that has expired. The chain tells the rest. */
export type ExpiredInvite = Pick<RecordedInvite, 'invite' | 'sender' | 'expiresAt'>;

/** The place of an invite among those that have expired: the oldest expiry comes first, then the address decides. */
export type ExpiredPlace = Pick<ExpiredInvite, 'expiresAt' | 'invite'>;

/** The invites of the record that have expired and have no end, the oldest expiry first. */
export interface ExpiredInvites {
  /**
   * The record may lag behind the chain, so an invite of this list may have ended, and its key may have another invite.
   *
   * @throws Unavailable when the record does not answer
   */
  readonly listExpired: (query: ExpiredInviteQuery) => Promise<readonly ExpiredInvite[]>;
}
