import type { Chain } from '../../chain/chain.ts';
import { INVITE_PROGRAM } from '../../protocols/jupiter-send/invite-program.ts';
import type { InviteLists, InvitePage } from '../invite.ts';
import type { InviteRecords } from '../store/invite-records.ts';

export interface InviteListsOptions {
  /** Its clock decides which invites have expired, as it does in the program. */
  readonly chain: Pick<Chain, 'clock' | 'getAccounts' | 'slot'>;
  readonly records: Pick<InviteRecords, 'listPending' | 'listHistory'>;
  /** Records everything that was confirmed before the call. */
  readonly upToNow: () => Promise<void>;
}

/** Creates the lists of the invites of wallets. */
export function createInviteLists({ chain, records, upToNow }: InviteListsOptions): InviteLists {
  return {
    listPending: async (query) => {
      await upToNow();
      return leaveOutGone(chain, await records.listPending(query, chain.clock().unixTimestamp));
    },
    listHistory: async (query) => {
      await upToNow();
      return leaveOutGone(chain, await records.listHistory(query, chain.clock().unixTimestamp));
    },
  };
}

/**
 * Leaves out invites that are open in the record and have no account any more. They have ended since the record was read, or a
 * reset of the network has taken them away, of which no event tells. What a node shows that is behind leaves nothing out.
 */
async function leaveOutGone(chain: InviteListsOptions['chain'], page: InvitePage): Promise<InvitePage> {
  const open = page.invites.filter(({ end }) => end === null).map(({ invite }) => invite);
  if (open.length === 0) return page;
  const since = chain.slot('confirmed');
  const found = await chain.getAccounts(open, 'confirmed');
  const gone = new Set(
    found
      .filter(({ account, slot }) => slot >= since && account?.owner !== INVITE_PROGRAM)
      .map(({ address }) => address),
  );
  if (gone.size === 0) return page;
  return { ...page, invites: page.invites.filter(({ invite, end }) => end !== null || !gone.has(invite)) };
}
