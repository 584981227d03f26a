import type { ProgramInstructions } from '../../protocol/instructions/program-instructions.ts';
import { SABER_PROGRAM } from './program.ts';

const ADMIN = 'swap admin';

/** The instructions of Saber's stable pools. The first byte of the data is the number of the instruction. */
export const SABER_INSTRUCTIONS: ProgramInstructions = {
  program: SABER_PROGRAM,
  label: 'Saber stable swap',
  instructions: [
    {
      name: 'initialize',
      tag: '00',
      args: [
        ['nonce', 'u8'],
        ['amp_factor', 'u64'],
      ],
      accounts:
        'swap swap_authority admin admin_fee_a admin_fee_b token_a_mint token_a_reserve token_b_mint token_b_reserve pool_mint destination token_program',
    },
    {
      name: 'swap',
      tag: '01',
      args: [
        ['amount_in', 'u64', 'source'],
        ['minimum_amount_out', 'u64', 'destination'],
      ],
      accounts:
        'swap swap_authority user_authority source source_reserve destination_reserve destination admin_fee token_program',
    },
    {
      name: 'deposit',
      tag: '02',
      args: [
        ['token_a_amount', 'u64', 'token_a_reserve'],
        ['token_b_amount', 'u64', 'token_b_reserve'],
        ['min_mint_amount', 'u64', 'pool_mint'],
      ],
      accounts:
        'swap swap_authority user_authority token_a token_b token_a_reserve token_b_reserve pool_mint lp_token token_program',
    },
    {
      name: 'withdraw',
      tag: '03',
      args: [
        ['pool_token_amount', 'u64', 'pool_mint'],
        ['minimum_token_a_amount', 'u64', 'token_a_reserve'],
        ['minimum_token_b_amount', 'u64', 'token_b_reserve'],
      ],
      accounts:
        'swap swap_authority user_authority pool_mint lp_token token_a_reserve token_b_reserve token_a token_b admin_fee_a admin_fee_b token_program',
    },
    {
      name: 'withdraw_one',
      tag: '04',
      args: [
        ['pool_token_amount', 'u64', 'pool_mint'],
        ['minimum_token_amount', 'u64', 'base_reserve'],
      ],
      accounts:
        'swap swap_authority user_authority pool_mint lp_token base_reserve quote_reserve destination admin_fee token_program',
    },
    {
      name: 'ramp_a',
      tag: '64',
      args: [
        ['target_amp', 'u64'],
        ['stop_ramp_ts', 'i64'],
      ],
      accounts: ADMIN,
    },
    { name: 'stop_ramp_a', tag: '65', accounts: ADMIN },
    { name: 'pause', tag: '66', accounts: ADMIN },
    { name: 'unpause', tag: '67', accounts: ADMIN },
    { name: 'set_fee_account', tag: '68', accounts: `${ADMIN} new_fee_account` },
    { name: 'apply_new_admin', tag: '69', accounts: ADMIN },
    { name: 'commit_new_admin', tag: '6a', accounts: `${ADMIN} new_admin` },
    { name: 'set_new_fees', tag: '6b', accounts: ADMIN },
  ],
};
