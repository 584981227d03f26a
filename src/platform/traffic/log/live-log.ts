import type { RequestEntry } from './request-entry.ts';

/** The entries that a follower takes at a time. */
export interface TakenEntries {
  /** Oldest first. */
  readonly entries: readonly RequestEntry[];
  /** How many entries after these were dropped, because too many waited. */
  readonly missed: number;
}

export interface Follower {
  readonly hasEnded: boolean;
  /** Takes the oldest entries that wait. */
  readonly take: () => TakenEntries;
  /** Resolves when entries are waiting, or the follower has ended. */
  readonly somethingWaits: () => Promise<void>;
  readonly end: () => void;
}

export interface FollowRequest {
  readonly matches: (entry: RequestEntry) => boolean;
  /** Who follows: the id of an organisation, which has a share of the places, or null for the operator. */
  readonly party: string | null;
}

const MAX_FOLLOWERS = 16;
const MAX_FOLLOWERS_OF_PARTY = 4;
/** The last places are kept for the operator. */
const MAX_FOLLOWERS_OF_ORGANISATIONS = MAX_FOLLOWERS - MAX_FOLLOWERS_OF_PARTY;
const MAX_WAITING = 1_000;
/** The most entries that are taken at once. */
export const MAX_TAKEN = 200;

interface FollowerState extends FollowRequest {
  waiting: RequestEntry[];
  missed: number;
  hasEnded: boolean;
  wake: () => void;
}

/**
 * Passes each recorded request to the followers of the log. A request never waits for a follower: for a slow follower,
 * a bounded number of entries is kept, and further ones are only counted.
 */
export class LiveLog {
  readonly #followings = new Set<FollowerState>();

  publish(entry: RequestEntry): void {
    for (const following of this.#followings) {
      if (!following.matches(entry)) continue;
      // An entry after a gap would look as if it directly followed the one before the gap.
      if (following.missed > 0 || following.waiting.length >= MAX_WAITING) following.missed++;
      else following.waiting.push(entry);
      following.wake();
    }
  }

  /** How many follow the log, and how many may. */
  get places(): { readonly open: number; readonly limit: number } {
    return { open: this.#followings.size, limit: MAX_FOLLOWERS };
  }

  /** Returns null when there are too many followers. */
  follow({ matches, party }: FollowRequest): Follower | null {
    const all = [...this.#followings];
    const ofParty = all.filter((following) => following.party === party).length;
    const ofOrganisations = all.filter((following) => following.party !== null).length;
    const isFull = party !== null && ofOrganisations >= MAX_FOLLOWERS_OF_ORGANISATIONS;
    if (isFull || ofParty >= MAX_FOLLOWERS_OF_PARTY) return null;
    const following: FollowerState = {
      matches,
      party,
      waiting: [],
      missed: 0,
      hasEnded: false,
      wake: () => {},
    };
    this.#followings.add(following);
    return {
      get hasEnded() {
        return following.hasEnded;
      },
      take: () => take(following),
      somethingWaits: () =>
        new Promise((resolve) => {
          following.wake = resolve;
          if (following.waiting.length + following.missed > 0 || following.hasEnded) resolve();
        }),
      end: () => this.#end(following),
    };
  }

  /** Ends all followers. */
  close(): void {
    for (const following of this.#followings) this.#end(following);
  }

  #end(following: FollowerState): void {
    this.#followings.delete(following);
    following.hasEnded = true;
    following.waiting = [];
    following.wake();
  }
}

function take(following: FollowerState): TakenEntries {
  const entries = following.waiting.splice(0, MAX_TAKEN);
  if (following.waiting.length > 0) return { entries, missed: 0 };
  const { missed } = following;
  following.missed = 0;
  return { entries, missed };
}
