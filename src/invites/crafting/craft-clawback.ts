import { RequestRefused } from '../../common/request-refused.ts';
import type { InviteAccount } from '../../protocols/jupiter-send/invite-account.ts';
import { createClawbackInvite } from '../../protocols/jupiter-send/invite-instructions.ts';
import { deriveInvite } from '../../protocols/jupiter-send/invite-program.ts';
import type { Address } from '../../solana/address.ts';
import { describeEndedInvite } from './describe-ended.ts';
import { buildInviteEnd } from './end-invite.ts';
import {
  type InviteCraftDependencies,
  type InviteTransaction,
  readOpenInvites,
} from './invite-transaction.ts';

export interface ClawbackRequest {
  /** The account of the invite. */
  readonly invite: Address;
  readonly sender: Address;
}

/**
 * Makes the transaction that returns an invite to its sender, who signs it: what was sent, the reward and all rents. The invite
 * may have expired.
 *
 * @throws RequestRefused with a sentence for the client.
 * @throws ChainUnavailable when the network does not answer.
 */
export async function craftClawback(
  dependencies: InviteCraftDependencies,
  request: ClawbackRequest,
): Promise<InviteTransaction> {
  await dependencies.requireProgram();
  const { invite, sender } = request;
  const open = await requireOwnInvite(dependencies, request);
  return buildInviteEnd(dependencies, {
    invite,
    open,
    payee: sender,
    feePayer: sender,
    createEnd: (withholdsFees) => createClawbackInvite(open, undefined, withholdsFees),
  });
}

/** @throws RequestRefused if it is not an open invite of the sender. */
async function requireOwnInvite(
  { chain, history }: InviteCraftDependencies,
  { invite, sender }: ClawbackRequest,
): Promise<InviteAccount> {
  // It is a common mistake to name the key of the invite.
  const { address: ofKey } = deriveInvite(invite);
  const [open, meant] = await readOpenInvites(chain, [invite, ofKey]);
  if (open?.sender === sender) return open;
  if (open != null) {
    throw new RequestRefused(`invitePDA ${invite} is an invite of ${open.sender}, not of sender ${sender}`);
  }
  if (meant != null) {
    throw new RequestRefused(
      `invitePDA must be the account of the invite, ${ofKey}, got the key of the invite, ${invite}`,
    );
  }
  throw new RequestRefused(`invitePDA ${invite} ${describeEndedInvite(await history.findLast(invite))}`);
}
