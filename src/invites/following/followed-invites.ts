import type { EmittedEvent } from '../../chain/events/emitted-events.ts';
import type { EventMoment, FollowedProgram } from '../../chain/events/followed-program.ts';
import { decodeInviteEvent, type InviteEvent } from '../../protocols/jupiter-send/invite-events.ts';
import { INVITE_EVENT_AUTHORITY, INVITE_PROGRAM } from '../../protocols/jupiter-send/invite-program.ts';
import type { InviteEnd } from '../invite.ts';
import type { InviteStep } from '../store/invite-changes.ts';

/** The program of invites, as it is followed by its events. */
export const FOLLOWED_INVITES: FollowedProgram<InviteStep> = {
  name: 'invite',
  program: INVITE_PROGRAM,
  eventAuthority: INVITE_EVENT_AUTHORITY,
  toStep,
};

function toStep({ data }: EmittedEvent, moment: EventMoment): InviteStep | null {
  const event = decodeInviteEvent(data);
  if (event === null) return null;
  const isCreation = event.kind === 'created';
  return {
    invite: event.invite,
    inviteKey: event.inviteKey,
    sender: event.sender,
    mint: event.mint,
    amount: event.amount,
    creationSignature: isCreation ? moment.signature : null,
    createdAt: isCreation ? moment.at : null,
    expiresAt: event.expiresAt,
    end: findEnd(event, moment),
  };
}

function findEnd(event: InviteEvent, { signature, at }: EventMoment): InviteEnd | null {
  if (event.kind === 'created') return null;
  return { kind: event.kind, signature, at, receiver: event.kind === 'claimed' ? event.receiver : null };
}
