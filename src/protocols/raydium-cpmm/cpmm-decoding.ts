import {
  nameInstructions,
  type ProgramInstructions,
} from '../../protocol/instructions/program-instructions.ts';
import { RAYDIUM_CPMM_PROGRAM } from './program/program.ts';

const SWAP =
  'payer authority amm_config pool_state input_token_account output_token_account input_vault output_vault input_token_program output_token_program input_token_mint output_token_mint observation_state';
const LIQUIDITY =
  'owner authority pool_state owner_lp_token token_0_account token_1_account token_0_vault token_1_vault token_program token_program_2022 vault_0_mint vault_1_mint lp_mint';
const NEW_POOL =
  'token_0_mint token_1_mint lp_mint creator_token_0 creator_token_1 creator_lp_token token_0_vault token_1_vault create_pool_fee observation_state';
const PROGRAMS = 'token_program token_0_program token_1_program associated_token_program system_program';

/** The instructions of Raydium's constant-product program. */
export const CPMM_INSTRUCTIONS: ProgramInstructions = {
  program: RAYDIUM_CPMM_PROGRAM,
  label: 'Raydium CPMM',
  instructions: [
    {
      name: 'swap_base_input',
      args: [
        ['amount_in', 'u64', 'input_token_mint'],
        ['minimum_amount_out', 'u64', 'output_token_mint'],
      ],
      accounts: SWAP,
    },
    {
      name: 'swap_base_output',
      args: [
        ['max_amount_in', 'u64', 'input_token_mint'],
        ['amount_out', 'u64', 'output_token_mint'],
      ],
      accounts: SWAP,
    },
    {
      name: 'deposit',
      args: [
        ['lp_token_amount', 'u64', 'lp_mint'],
        ['maximum_token_0_amount', 'u64', 'vault_0_mint'],
        ['maximum_token_1_amount', 'u64', 'vault_1_mint'],
      ],
      accounts: LIQUIDITY,
    },
    {
      name: 'withdraw',
      args: [
        ['lp_token_amount', 'u64', 'lp_mint'],
        ['minimum_token_0_amount', 'u64', 'vault_0_mint'],
        ['minimum_token_1_amount', 'u64', 'vault_1_mint'],
      ],
      accounts: `${LIQUIDITY} memo_program`,
    },
    {
      name: 'initialize',
      args: [
        ['init_amount_0', 'u64', 'token_0_mint'],
        ['init_amount_1', 'u64', 'token_1_mint'],
        ['open_time', 'u64'],
      ],
      accounts: `creator amm_config authority pool_state ${NEW_POOL} ${PROGRAMS} rent`,
    },
    {
      name: 'initialize_with_permission',
      args: [
        ['init_amount_0', 'u64', 'token_0_mint'],
        ['init_amount_1', 'u64', 'token_1_mint'],
        ['open_time', 'u64'],
      ],
      accounts: `payer creator amm_config authority pool_state ${NEW_POOL} permission ${PROGRAMS}`,
    },
    ...nameInstructions(
      'create_amm_config update_amm_config update_pool_status collect_protocol_fee collect_fund_fee collect_creator_fee collect_creator_fee_permissionless create_permission_pda close_permission_pda',
    ),
  ],
};
