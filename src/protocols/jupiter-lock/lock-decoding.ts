import type {
  DescribedArgument,
  ProgramInstructions,
} from '../../protocol/instructions/program-instructions.ts';
import { LOCK_PROGRAM } from './layout.ts';

const EVENTS = 'event_authority program';
const TERMS: readonly DescribedArgument[] = [
  ['vesting_start_time', 'u64'],
  ['cliff_time', 'u64'],
  ['frequency', 'u64'],
  ['cliff_unlock_amount', 'u64', 'sender_token'],
  ['amount_per_period', 'u64', 'sender_token'],
  ['number_of_period', 'u64'],
  ['update_recipient_mode', 'u8'],
  ['cancel_mode', 'u8'],
];

/** The instructions of Jupiter Lock. */
export const LOCK_INSTRUCTIONS: ProgramInstructions = {
  program: LOCK_PROGRAM,
  label: 'Jupiter Lock',
  instructions: [
    {
      name: 'create_vesting_escrow',
      args: TERMS,
      accounts: `base escrow escrow_token sender sender_token recipient token_program system_program ${EVENTS}`,
    },
    {
      name: 'create_vesting_escrow_v2',
      args: TERMS,
      accounts: `base escrow token_mint escrow_token sender sender_token recipient token_program system_program ${EVENTS}`,
    },
    {
      name: 'create_vesting_escrow_metadata',
      args: [
        ['name', 'string'],
        ['description', 'string'],
        ['creator_email', 'string'],
        ['recipient_email', 'string'],
      ],
      accounts: 'escrow creator escrow_metadata payer system_program',
    },
    {
      name: 'claim',
      args: [['max_amount', 'u64', 'recipient_token']],
      accounts: `escrow escrow_token recipient recipient_token token_program ${EVENTS}`,
    },
    {
      name: 'claim_v2',
      args: [['max_amount', 'u64', 'token_mint']],
      accounts: `escrow token_mint escrow_token recipient recipient_token memo_program token_program ${EVENTS}`,
    },
    {
      name: 'cancel_vesting_escrow',
      accounts: `escrow token_mint escrow_token creator_token recipient_token rent_receiver signer memo_program token_program ${EVENTS}`,
    },
    {
      name: 'update_vesting_escrow_recipient',
      args: [
        ['new_recipient', 'pubkey'],
        ['new_recipient_email', { option: 'string' }],
      ],
      accounts: `escrow escrow_metadata signer system_program ${EVENTS}`,
    },
    {
      name: 'close_vesting_escrow',
      accounts: `escrow escrow_metadata token_mint escrow_token creator_token creator token_program memo_program ${EVENTS}`,
    },
  ],
};
