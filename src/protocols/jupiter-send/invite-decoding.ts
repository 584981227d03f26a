import type { ProgramInstructions } from '../../protocol/instructions/program-instructions.ts';
import { INVITE_PROGRAM } from './invite-program.ts';

const EVENTS = 'event_authority program';

/** The instructions of invites. Without a token, the program's own address stands for the accounts of one. */
export const INVITE_INSTRUCTIONS: ProgramInstructions = {
  program: INVITE_PROGRAM,
  label: 'Jupiter Send',
  instructions: [
    {
      name: 'create',
      args: [
        ['amount', 'u64', 'mint'],
        ['expires_at', 'i64'],
      ],
      accounts: `sender invite_key invite vault source mint token_program associated_token_program system_program ${EVENTS}`,
    },
    {
      name: 'claim',
      accounts: `invite_key receiver sender invite vault destination mint token_program ${EVENTS}`,
    },
    { name: 'clawback', accounts: `sender invite vault destination mint token_program ${EVENTS}` },
    {
      name: 'expire',
      accounts: `caller sender invite vault destination mint token_program associated_token_program system_program ${EVENTS}`,
    },
  ],
};
