import type { Chain } from '../../chain/chain.ts';
import type { InviteLists } from '../invite.ts';
import type { InviteRecords } from '../store/invite-records.ts';

export interface InviteListsOptions {
  /** Its clock decides which invites have expired, as it does in the program. */
  readonly chain: Pick<Chain, 'clock'>;
  readonly records: Pick<InviteRecords, 'listPending' | 'listHistory'>;
  /** Records everything that was confirmed before the call. */
  readonly upToNow: () => Promise<void>;
}

/** Creates the lists of the invites of wallets. */
export function createInviteLists({ chain, records, upToNow }: InviteListsOptions): InviteLists {
  return {
    listPending: async (query) => {
      await upToNow();
      return records.listPending(query, chain.clock().unixTimestamp);
    },
    listHistory: async (query) => {
      await upToNow();
      return records.listHistory(query, chain.clock().unixTimestamp);
    },
  };
}
