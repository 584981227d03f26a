import {
  nameInstructions,
  type ProgramInstructions,
} from '../../protocol/instructions/program-instructions.ts';
import { LIMIT_ORDER_PROGRAM } from './program.ts';

const EVENTS = 'event_authority program';

/** The instructions of limit orders. */
export const LIMIT_ORDER_INSTRUCTIONS: ProgramInstructions = {
  program: LIMIT_ORDER_PROGRAM,
  label: 'Jupiter limit orders',
  instructions: [
    {
      name: 'initialize_order',
      args: [
        ['unique_id', 'u64'],
        ['making_amount', 'u64', 'input_mint'],
        ['taking_amount', 'u64', 'output_mint'],
        ['expired_at', { option: 'i64' }],
        ['fee_bps', { option: 'u16' }],
        ['slippage_bps', { option: 'u16' }],
      ],
      accounts: `payer maker order input_mint_reserve maker_input_mint_account fee referral input_mint output_mint input_token_program output_token_program system_program associated_token_program ${EVENTS}`,
    },
    {
      name: 'cancel_order',
      accounts: `signer maker order input_mint_reserve maker_input_mint_account input_mint input_token_program ${EVENTS}`,
    },
    {
      name: 'pre_flash_fill_order',
      args: [['making_amount', 'u64', 'input_mint']],
      accounts:
        'taker order input_mint_reserve taker_input_mint_account input_mint input_token_program instruction',
    },
    {
      name: 'flash_fill_order',
      args: [['max_taking_amount', 'u64', 'output_mint']],
      accounts: `taker maker order input_mint_reserve maker_output_mint_account taker_output_mint_account fee_account input_token_program output_mint output_token_program system_program ${EVENTS}`,
    },
    ...nameInstructions('update_fee withdraw_fee fill_order cancel_dust_order'),
  ],
};
