import { difference, firstOf, unless } from '../../answer.ts';
import type { Statement } from '../../statement.ts';
import { advanceClock } from '../embedded-network.ts';
import { findInvite, listInvites, openInvite, post, refusal } from './invite-requests.ts';

const WEEK = 7 * 86_400;

/** Statements that put the clock forward, so they are the last ones. */
export const sendExpiryStatements: readonly Statement[] = [
  {
    id: 'send/expired',
    says: 'From its `expiry` on an invite is not pending any more, but in the history as `expired`, and it cannot be claimed.',
    check: async (world) => {
      const sender = await world.newWallet();
      const { key, invite } = await openInvite(world, {}, sender);
      await advanceClock(world, WEEK - 600);
      const open = await listInvites(world, 'pending-invites', sender.address);
      await advanceClock(world, 700);
      const pending = await listInvites(world, 'pending-invites', sender.address);
      const found = findInvite(await listInvites(world, 'invite-history', sender.address), invite);
      const body = { inviteSigner: key.address, receiver: world.wallet.address };
      return firstOf(
        unless(findInvite(open, invite)?.action === 'created', open.json),
        difference(pending, { status: 200, body: { invites: [], hasMoreData: false } }),
        unless(found?.action === 'expired' && found.receiver === null, found),
        refusal(await post(world, 'craft-claim', body), / expired at |it was returned after its expiry at /),
      );
    },
  },
];
