import type { InviteCraftDependencies } from '../../../invites/crafting/invite-transaction.ts';
import type { InviteLists } from '../../../invites/invite.ts';

/** What the handlers of the product's endpoints are given. */
export interface SendServices {
  readonly lists: InviteLists;
  readonly transactions: InviteCraftDependencies;
  /** How long a new invite can be claimed. */
  readonly lifetimeSeconds: bigint;
}
