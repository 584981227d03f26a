import { createUnaccountedWork, type Work } from '../../common/work/work.ts';
import { EventFollower, type FollowingBounds } from '../../chain/events/event-follower.ts';
import { FOLLOWED_INVITES } from '../../invites/following/followed-invites.ts';
import type { InviteLists, InviteQuery } from '../../invites/invite.ts';
import { createInviteLists } from '../../invites/lists/invite-lists.ts';
import type { InviteStep } from '../../invites/store/invite-changes.ts';
import { InviteRecorder } from '../../invites/store/invite-recorder.ts';
import { InviteRecords } from '../../invites/store/invite-records.ts';
import type { Address } from '../../solana/address.ts';
import type { Store } from '../../store/index.ts';
import type { HistoryChain } from '../svm/history-chain.ts';
import { ManualTimers } from '../timers.ts';

export interface FollowedInvitesOptions {
  readonly isOwnNetwork?: boolean;
  readonly bounds?: Partial<FollowingBounds>;
  /** Stands between the follower and the database. */
  readonly store?: Store;
}

/** The program as one instance follows it, with its lists. */
export interface FollowedInvites {
  readonly follower: EventFollower<InviteStep>;
  readonly records: InviteRecords;
  readonly lists: InviteLists;
}

/** Opens an instance over a chain and a database. It follows nothing before it is told to. */
export function openFollowedInvites(
  chain: HistoryChain,
  store: Store,
  { isOwnNetwork = true, bounds, store: written = store }: FollowedInvitesOptions = {},
): FollowedInvites {
  const { genesisHash } = chain;
  const follower = new EventFollower({
    chain,
    program: FOLLOWED_INVITES,
    recorder: new InviteRecorder(written, genesisHash),
    isOwnNetwork,
    timers: new ManualTimers(),
    outage: { onFailure: throwIt, onAnswer: () => undefined },
    onDefect: (_, error) => throwIt(error),
    bounds,
  });
  const records = new InviteRecords(store, genesisHash);
  const lists = createInviteLists({ chain, records, upToNow: () => follower.upToNow() });
  return { follower, records, lists };
}

/** Asks for the first page of a wallet's invites, as the arguments of a list. */
export function askInvites(wallet: Address, more: Partial<InviteQuery> = {}): readonly [InviteQuery, Work] {
  return [{ wallet, page: 1, perPage: 20, ...more }, createUnaccountedWork()];
}

function throwIt(error: unknown): never {
  throw error;
}
