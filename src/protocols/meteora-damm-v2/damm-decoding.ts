import {
  nameInstructions,
  type ProgramInstructions,
  type ReadArguments,
} from '../../protocol/instructions/program-instructions.ts';
import { SwapMode } from './instructions.ts';
import { METEORA_DAMM_V2_PROGRAM } from './program/program.ts';

const EVENTS = 'event_authority program';
const SWAP = `pool_authority pool input_token_account output_token_account token_a_vault token_b_vault token_a_mint token_b_mint payer token_a_program token_b_program referral_token_account ${EVENTS}`;
const SIDES =
  'token_a_account token_b_account token_a_vault token_b_vault token_a_mint token_b_mint position_nft_account signer token_a_program token_b_program';
const POOL_TAIL =
  'token_a_mint token_b_mint token_a_vault token_b_vault payer_token_a payer_token_b token_a_program token_b_program token_2022_program system_program';

/** The first amount is of the input, unless the output is exact. */
function findFirstSide({ swap_mode: mode }: ReadArguments): string {
  return mode === BigInt(SwapMode.EXACT_OUT) ? 'output_token_account' : 'input_token_account';
}

function findSecondSide({ swap_mode: mode }: ReadArguments): string {
  return mode === BigInt(SwapMode.EXACT_OUT) ? 'input_token_account' : 'output_token_account';
}

/** The instructions of Meteora's DAMM v2. */
export const DAMM_V2_INSTRUCTIONS: ProgramInstructions = {
  program: METEORA_DAMM_V2_PROGRAM,
  label: 'Meteora DAMM v2',
  instructions: [
    {
      name: 'swap',
      args: [
        ['amount_in', 'u64', 'input_token_account'],
        ['minimum_amount_out', 'u64', 'output_token_account'],
      ],
      accounts: SWAP,
    },
    {
      name: 'swap2',
      args: [
        ['amount_0', 'u64', findFirstSide],
        ['amount_1', 'u64', findSecondSide],
        ['swap_mode', 'u8'],
      ],
      accounts: SWAP,
    },
    {
      name: 'add_liquidity',
      args: [
        ['liquidity_delta', 'u128'],
        ['token_a_amount_threshold', 'u64', 'token_a_mint'],
        ['token_b_amount_threshold', 'u64', 'token_b_mint'],
      ],
      accounts: `pool position ${SIDES} ${EVENTS}`,
    },
    {
      name: 'remove_liquidity',
      args: [
        ['liquidity_delta', 'u128'],
        ['token_a_amount_threshold', 'u64', 'token_a_mint'],
        ['token_b_amount_threshold', 'u64', 'token_b_mint'],
      ],
      accounts: `pool_authority pool position ${SIDES} ${EVENTS}`,
    },
    {
      name: 'remove_all_liquidity',
      args: [
        ['token_a_amount_threshold', 'u64', 'token_a_mint'],
        ['token_b_amount_threshold', 'u64', 'token_b_mint'],
      ],
      accounts: `pool_authority pool position ${SIDES} ${EVENTS}`,
    },
    { name: 'claim_position_fee', accounts: `pool_authority pool position ${SIDES} ${EVENTS}` },
    {
      name: 'create_position',
      accounts: `owner position_nft_mint position_nft_account pool position pool_authority payer token_program system_program ${EVENTS}`,
    },
    {
      name: 'close_position',
      accounts: `position_nft_mint position_nft_account pool position pool_authority rent_receiver owner token_program ${EVENTS}`,
    },
    {
      name: 'initialize_pool',
      accounts: `creator position_nft_mint position_nft_account payer config pool_authority pool position ${POOL_TAIL} ${EVENTS}`,
    },
    {
      name: 'initialize_customizable_pool',
      accounts: `creator position_nft_mint position_nft_account payer pool_authority pool position ${POOL_TAIL} ${EVENTS}`,
    },
    {
      name: 'initialize_pool_with_dynamic_config',
      accounts: `creator position_nft_mint position_nft_account payer pool_creator_authority config pool_authority pool position ${POOL_TAIL} ${EVENTS}`,
    },
    ...nameInstructions('lock_position lock_inner_position permanent_lock_position refresh_vesting'),
  ],
};
