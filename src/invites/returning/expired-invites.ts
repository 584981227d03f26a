import type { RecordedInvite } from '../invite.ts';

/** What the record tells of an invite that has expired. The chain tells the rest. */
export type ExpiredInvite = Pick<RecordedInvite, 'invite' | 'sender' | 'expiresAt'>;

/** The place of an invite among those that have expired: the oldest expiry comes first, then the address decides. */
export type ExpiredPlace = Pick<ExpiredInvite, 'expiresAt' | 'invite'>;

export interface ExpiredQuery {
  /** Unix second of the network's clock. Invites that expire at this second have expired. */
  readonly now: bigint;
  /** Only later invites are listed. Null lists from the first one. */
  readonly after: ExpiredPlace | null;
  readonly limit: number;
}

/** The invites of the record that have expired and have no end, the oldest expiry first. */
export interface ExpiredInvites {
  /**
   * The record may lag behind the chain, so an invite of this list may have ended, and its key may have another invite.
   *
   * @throws Unavailable when the record does not answer
   */
  readonly listExpired: (query: ExpiredQuery) => Promise<readonly ExpiredInvite[]>;
}
