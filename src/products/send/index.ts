import type { InviteHistory, InviteLists } from '../../invites/invite.ts';
import type { InviteCraftDependencies } from '../../invites/crafting/invite-transaction.ts';
import { defineProduct, type OpenedProduct } from '../product.ts';
import { craftClaimEndpoint } from './endpoints/craft-claim.ts';
import { craftClawbackEndpoint } from './endpoints/craft-clawback.ts';
import { craftSendEndpoint } from './endpoints/craft-send.ts';
import {
  inviteHistory,
  inviteHistoryOf,
  pendingInvites,
  pendingInvitesOf,
} from './endpoints/list-invites.ts';
import type { SendServices } from './endpoints/services.ts';

export interface SendDependencies {
  readonly market: Pick<InviteCraftDependencies, 'chain' | 'describeFailure'>;
  readonly invites: {
    readonly lists: InviteLists;
    readonly history: InviteHistory;
    /** Returns if the network has the program of invites, and throws a refusal otherwise. */
    readonly requireProgram: () => Promise<void>;
    /** How long a new invite can be claimed. */
    readonly lifetimeSeconds: bigint;
    /** Returns no further invite. Resolves when none is on its way. */
    readonly drain: () => Promise<void>;
  };
}

/** Invites, by which a wallet sends with a code. */
export const send = defineProduct({
  name: 'send',
  description: 'Invites, by which a wallet sends SOL or tokens with a code.',
  basePaths: ['/send'],
  errorSections: [{ heading: 'Send' }],
  endpoints: [
    craftSendEndpoint,
    craftClaimEndpoint,
    craftClawbackEndpoint,
    pendingInvites,
    pendingInvitesOf,
    inviteHistory,
    inviteHistoryOf,
  ],
  open: openSend,
});

function openSend({ market, invites }: SendDependencies): OpenedProduct<SendServices> {
  const { chain, describeFailure } = market;
  const { lists, history, requireProgram, lifetimeSeconds, drain } = invites;
  const transactions = { chain, describeFailure, history, requireProgram };
  return { services: { lists, transactions, lifetimeSeconds }, drain };
}
