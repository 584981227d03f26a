import { type Static, Type } from 'typebox';
import type { InviteEndKind, InvitePage, RecordedInvite } from '../../../invites/invite.ts';
import { formatUnixSecond } from '../../../invites/unix-second.ts';
import { named } from '../../named-schema.ts';

const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

export const InviteJson = named(
  'Invite',
  Type.Object({
    invite_signer: Type.String({ description: 'The public key of the key pair of the invite.' }),
    invite_pda: Type.String({ description: 'The account of the invite.' }),
    invitePDA: Type.String({ description: 'The same, under the name that `craft-clawback` takes it by.' }),
    sender: Type.String(),
    expiry: Type.String({ description: 'Until when it can be claimed. ISO 8601.' }),
    amount: Type.String({ description: 'Base units that it was created with.' }),
    mint: nullable('The token; null for SOL.'),
    action: Type.Enum(['created', 'claimed', 'clawback', 'expired'], {
      description: '`created` while it can be claimed, and then how it ended.',
    }),
    creation_tx: Type.String({
      description:
        'The signature with which it was created; empty if that was before anybody followed the program here.',
    }),
    creation_time: Type.String({ description: 'ISO 8601; empty like the signature.' }),
    createdAt: Type.String({ description: 'The same time.' }),
    deletion_tx: nullable(
      'The signature with which it ended; null while it is open, also after its expiry until it is returned.',
    ),
    deletion_time: nullable('ISO 8601; null like the signature.'),
    receiver: nullable('Who has claimed it; null if nobody has.'),
    confirmed: Type.Integer({ description: '1: what is listed was confirmed by the network.' }),
  }),
);
export type InviteJson = Static<typeof InviteJson>;

export const InvitesJson = named(
  'Invites',
  Type.Object({
    invites: Type.Array(InviteJson, { description: 'The newest first, 20 on a page.' }),
    hasMoreData: Type.Boolean({ description: 'Whether there is a later page.' }),
  }),
);

export type InvitesJson = Static<typeof InvitesJson>;

const ACTIONS: Readonly<Record<InviteEndKind, InviteJson['action']>> = {
  claimed: 'claimed',
  clawedBack: 'clawback',
  expired: 'expired',
};

/** @param openAs - What is said of invites that are open. */
export function toInvitesJson({ invites, hasMore }: InvitePage, openAs: 'created' | 'expired'): InvitesJson {
  return { invites: invites.map((invite) => toInviteJson(invite, openAs)), hasMoreData: hasMore };
}

function toInviteJson(invite: RecordedInvite, openAs: 'created' | 'expired'): InviteJson {
  const { end, createdAt, creationSignature } = invite;
  const creationTime = createdAt === null ? '' : formatUnixSecond(createdAt);
  return {
    invite_signer: invite.inviteKey,
    invite_pda: invite.invite,
    invitePDA: invite.invite,
    sender: invite.sender,
    expiry: formatUnixSecond(invite.expiresAt),
    amount: String(invite.amount),
    mint: invite.mint,
    action: end === null ? openAs : ACTIONS[end.kind],
    creation_tx: creationSignature ?? '',
    creation_time: creationTime,
    createdAt: creationTime,
    deletion_tx: end === null ? null : end.signature,
    deletion_time: end === null ? null : formatUnixSecond(end.at),
    receiver: end === null ? null : end.receiver,
    confirmed: 1,
  };
}
