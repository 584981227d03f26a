import type { Account } from '../../chain/accounts.ts';
import { RequestRefused } from '../../common/request-refused.ts';
import type { InviteAccount } from '../../protocols/jupiter-send/invite-account.ts';
import { createClaimInvite } from '../../protocols/jupiter-send/invite-instructions.ts';
import { deriveInvite } from '../../protocols/jupiter-send/invite-program.ts';
import type { Address } from '../../solana/address.ts';
import { describeReceiverLoss } from '../../transactions/receiver-loss.ts';
import { formatUnixSecond } from '../unix-second.ts';
import { describeEndedInvite } from './describe-ended.ts';
import { buildInviteEnd } from './end-invite.ts';
import {
  type InviteCraftDependencies,
  type InviteTransaction,
  readOpenInvite,
} from './invite-transaction.ts';

export interface ClaimRequest {
  readonly inviteKey: Address;
  /** Gets what was sent. It need not sign, unless it pays. */
  readonly receiver: Address;
  /** Pays the fees, and the rent of the receiver's token account if it is missing. */
  readonly payer: Address;
}

export interface CraftedClaim extends InviteTransaction {
  readonly invite: Address;
  readonly sender: Address;
  /** Null for SOL. */
  readonly mint: Address | null;
  /** Atoms that the invite was created with. */
  readonly amount: bigint;
}

/**
 * Makes the transaction that pays an invite to a receiver. The invite key and the payer sign it. The signature of the invite key
 * covers the receiver, so nobody who sees the transaction can put another one there.
 *
 * @throws RequestRefused with a sentence for the client.
 * @throws ChainUnavailable when the network does not answer.
 */
export async function craftClaim(
  dependencies: InviteCraftDependencies,
  { inviteKey, receiver, payer }: ClaimRequest,
): Promise<CraftedClaim> {
  await dependencies.requireProgram();
  const { address: invite } = deriveInvite(inviteKey);
  const [made, paid] = await dependencies.chain.getAccounts([invite, receiver]);
  const open = await requireClaimable(dependencies, inviteKey, invite, made?.account ?? null);
  requireOwner(invite, receiver, paid?.account ?? null);
  const crafted = await buildInviteEnd(dependencies, {
    invite,
    open,
    payee: receiver,
    feePayer: payer,
    createEnd: (withholdsFees) => createClaimInvite(open, receiver, withholdsFees),
  });
  const { sender, token, amount } = open;
  return { ...crafted, invite, sender, mint: token?.mint ?? null, amount };
}

/** @throws RequestRefused if nobody could get at what the receiver is paid. */
function requireOwner(invite: Address, receiver: Address, account: Account | null): void {
  if (receiver === invite) throw new RequestRefused(`receiver ${receiver} is the invite itself`);
  const loss = describeReceiverLoss('receiver', receiver, account);
  if (loss !== null) throw new RequestRefused(loss);
}

/** @throws RequestRefused if it is not open, or has expired. */
async function requireClaimable(
  { chain, history }: InviteCraftDependencies,
  inviteKey: Address,
  invite: Address,
  account: Account | null,
): Promise<InviteAccount> {
  const open = readOpenInvite(invite, account);
  if (open === null) {
    const why = describeEndedInvite(await history.findLast(invite));
    throw new RequestRefused(`the invite ${invite} of inviteSigner ${inviteKey} ${why}`);
  }
  if (chain.clock().unixTimestamp < open.expiresAt) return open;
  throw new RequestRefused(
    `the invite ${invite} of inviteSigner ${inviteKey} expired at ${formatUnixSecond(open.expiresAt)}`,
  );
}
