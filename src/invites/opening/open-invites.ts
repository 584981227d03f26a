import type { Chain } from '../../chain/chain.ts';
import { EventFollower, waitUnlessBehind } from '../../chain/events/event-follower.ts';
import type { OutageLog } from '../../common/outage-log.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { createRepeatedWork, type RepeatedWork } from '../../common/work/repeated-work.ts';
import type { Store } from '../../store/index.ts';
import { FOLLOWED_INVITES } from '../following/followed-invites.ts';
import type { InviteHistory, InviteLists, ListExpiredInvites } from '../invite.ts';
import { createInviteLists } from '../lists/invite-lists.ts';
import { InviteRecorder } from '../store/invite-recorder.ts';
import { InviteRecords } from '../store/invite-records.ts';
import { removeOldInvites } from '../store/invite-removal.ts';

export interface InvitesOptions {
  readonly chain: Chain;
  readonly store: Store;
  /** Whether the network is the instance's own, all of whose history is followed. */
  readonly isOwnNetwork: boolean;
  /** Days for which invites are kept after they have ended. 0 keeps them for ever. */
  readonly historyDays: number;
  readonly timers: Timers;
  /** Creates what is called when following the program has failed or succeeded in the background. */
  readonly createOutageLog: () => OutageLog;
  /** Called when events are passed over, or old invites could not be removed. */
  readonly onDefect: (where: string, error: unknown) => void;
}

/** The invites, as far as an instance knows them. */
export interface Invites {
  readonly lists: InviteLists;
  readonly history: InviteHistory;
  /** For the service that returns expired invites. */
  readonly expired: { readonly listExpired: ListExpiredInvites };
  /** Begins to follow the program. */
  readonly start: () => void;
  /** Returns why the program is not followed now, for the operator; null while it is. */
  readonly unhealthy: () => string | null;
  /** Stops, and waits for the recording in progress. */
  readonly close: () => Promise<void>;
}

const REMOVAL_EVERY_MS = 3_600_000;

/**
 * Opens the record of invites, and their lists. Invites that were created in transactions that a follower has passed over are
 * listed only after their end.
 */
export function openInvites(options: InvitesOptions): Invites {
  const { chain, store, isOwnNetwork, timers, onDefect } = options;
  const records = new InviteRecords(store, chain.genesisHash);
  const follower = new EventFollower({
    chain,
    program: FOLLOWED_INVITES,
    recorder: new InviteRecorder(store, chain.genesisHash),
    isOwnNetwork,
    timers,
    outage: options.createOutageLog(),
    onDefect,
  });
  const removal = createRemoval(options);
  return {
    lists: createInviteLists({ chain, records, upToNow: () => follower.upToNow() }),
    history: {
      findLast: async (invite) => {
        await waitUnlessBehind(follower.upToNow());
        return records.findLast(invite);
      },
    },
    expired: {
      listExpired: async (query) => {
        // Those that are known are returned while others are still to be recorded.
        await waitUnlessBehind(follower.upToNow());
        return records.listExpired(query);
      },
    },
    start: () => {
      follower.start();
      removal.start();
    },
    unhealthy: () => follower.unhealthy(),
    close: async () => {
      await Promise.all([removal.stop(), follower.close()]);
    },
  };
}

/** Removes old invites every hour. */
function createRemoval({ chain, store, historyDays, timers, onDefect }: InvitesOptions): RepeatedWork {
  return createRepeatedWork({
    everyMs: REMOVAL_EVERY_MS,
    work: async (isStopped) => {
      const { genesisHash: network } = chain;
      const { unixTimestamp: now } = chain.clock();
      await removeOldInvites(store, { network, now, historyDays, isStopped });
    },
    timers,
    onError: (error) => onDefect('the removal of old invites', error),
  });
}
