import { SYSVAR_INSTRUCTIONS } from '../../solana/program-addresses.ts';
import type { ProgramInterface } from '../../solana/programs/idl/idl.ts';
import { RFQ_FILL_PROGRAM } from './fill-step.ts';

/** The interface of the fill program of market makers. */
export const RFQ_FILL_INTERFACE: ProgramInterface = {
  name: 'rfq_v2',
  version: '0.1.0',
  address: RFQ_FILL_PROGRAM,
  instructions: [
    {
      name: 'fill_exact_in',
      accounts: [
        ['user', 'signer'],
        ['fill_authority', 'signer'],
        ['user_base_token_account', 'writable'],
        ['user_quote_token_account', 'writable'],
        ['maker_base_token_account', 'writable'],
        ['maker_quote_token_account', 'writable'],
        ['base_mint', ''],
        ['quote_mint', ''],
        ['base_token_program', ''],
        ['quote_token_program', ''],
        ['instructions_sysvar', '', SYSVAR_INSTRUCTIONS],
      ],
      args: [
        ['taker_side', { defined: { name: 'Side' } }],
        ['amount_in_atoms', 'u64'],
        ['params', { defined: { name: 'FillExactInParams' } }],
      ],
    },
  ],
  types: [
    {
      name: 'FillExactInParams',
      fields: [
        ['expire_at', 'u64'],
        ['tick_size_qpb', 'u64'],
        ['lot_size_base', 'u64'],
        ['levels', { vec: { defined: { name: 'Level' } } }],
      ],
    },
    {
      name: 'Level',
      fields: [
        ['px_ticks', 'u64'],
        ['qty_lots', 'u64'],
      ],
    },
    { name: 'Side', variants: [['Bid'], ['Ask']] },
  ],
  accounts: [],
  events: [],
  errors: [
    'Overflow',
    'NoFill',
    'StaleOrderbook',
    'InvalidLevelOrdering',
    'InvalidCaller',
    'MakerAppearsInOtherInstruction',
  ],
};
