import type { Protocol } from '../../protocol/protocol.ts';
import { ANCHOR_FIRST_ERROR } from '../../protocol/venue/venue.ts';
import { INVITE_ERRORS } from './errors.ts';
import { jupiterSendInvites } from './invite-positions.ts';
import { INVITE_PROGRAM } from './invite-program.ts';
import { INVITE_INSTRUCTIONS } from './invite-decoding.ts';
import { INVITE_ACCOUNTS } from './invite-account-types.ts';

/** The program of invites, by which a wallet sends with a code. */
export const jupiterSendProtocol: Protocol = {
  name: 'jupiter-send',
  programs: [{ name: 'invite', address: INVITE_PROGRAM, loadsAfterAggregator: true }],
  fetchers: [jupiterSendInvites],
  errors: [{ program: INVITE_PROGRAM, names: INVITE_ERRORS, firstCode: ANCHOR_FIRST_ERROR }],
  instructions: [INVITE_INSTRUCTIONS],
  accounts: [INVITE_ACCOUNTS],
};
