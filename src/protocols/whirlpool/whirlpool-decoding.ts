import {
  nameInstructions,
  type ProgramInstructions,
  type ReadArguments,
} from '../../protocol/instructions/program-instructions.ts';
import { WHIRLPOOL_PROGRAM } from './program/program.ts';

const [SIDE_A, SIDE_B] = ['token_owner_account_a', 'token_owner_account_b'] as const;
const CHANGE =
  'whirlpool token_program position_authority position position_token_account token_owner_account_a token_owner_account_b token_vault_a token_vault_b tick_array_lower tick_array_upper';
const CHANGE_V2 =
  'whirlpool token_program_a token_program_b memo_program position_authority position position_token_account token_mint_a token_mint_b token_owner_account_a token_owner_account_b token_vault_a token_vault_b tick_array_lower tick_array_upper';

/** The stated amount is of the input of a swap with an exact input, or of the output of one with an exact output. */
function findStatedSide({ a_to_b: aToB, amount_specified_is_input: isInput }: ReadArguments): string {
  return aToB === isInput ? SIDE_A : SIDE_B;
}

function findOtherSide(args: ReadArguments): string {
  return findStatedSide(args) === SIDE_A ? SIDE_B : SIDE_A;
}

const SWAP_ARGS: ProgramInstructions['instructions'][number]['args'] = [
  ['amount', 'u64', findStatedSide],
  ['other_amount_threshold', 'u64', findOtherSide],
  ['sqrt_price_limit', 'u128'],
  ['amount_specified_is_input', 'bool'],
  ['a_to_b', 'bool'],
];

const INCREASE_ARGS: ProgramInstructions['instructions'][number]['args'] = [
  ['liquidity_amount', 'u128'],
  ['token_max_a', 'u64', SIDE_A],
  ['token_max_b', 'u64', SIDE_B],
];

const DECREASE_ARGS: ProgramInstructions['instructions'][number]['args'] = [
  ['liquidity_amount', 'u128'],
  ['token_min_a', 'u64', SIDE_A],
  ['token_min_b', 'u64', SIDE_B],
];

/** The instructions of Orca's concentrated pools. */
export const WHIRLPOOL_INSTRUCTIONS: ProgramInstructions = {
  program: WHIRLPOOL_PROGRAM,
  label: 'Orca Whirlpool',
  instructions: [
    {
      name: 'swap',
      args: SWAP_ARGS,
      accounts:
        'token_program token_authority whirlpool token_owner_account_a token_vault_a token_owner_account_b token_vault_b tick_array_0 tick_array_1 tick_array_2 oracle',
    },
    {
      name: 'swap_v2',
      args: SWAP_ARGS,
      accounts:
        'token_program_a token_program_b memo_program token_authority whirlpool token_mint_a token_mint_b token_owner_account_a token_vault_a token_owner_account_b token_vault_b tick_array_0 tick_array_1 tick_array_2 oracle',
    },
    { name: 'increase_liquidity', args: INCREASE_ARGS, accounts: CHANGE },
    { name: 'decrease_liquidity', args: DECREASE_ARGS, accounts: CHANGE },
    { name: 'increase_liquidity_v2', args: INCREASE_ARGS, accounts: CHANGE_V2 },
    { name: 'decrease_liquidity_v2', args: DECREASE_ARGS, accounts: CHANGE_V2 },
    {
      name: 'open_position',
      accounts:
        'funder owner position position_mint position_token_account whirlpool token_program system_program rent associated_token_program',
    },
    {
      name: 'close_position',
      accounts: 'position_authority receiver position position_mint position_token_account token_program',
    },
    ...nameInstructions(
      'initialize_config initialize_fee_tier initialize_pool initialize_pool_v2 initialize_tick_array initialize_dynamic_tick_array open_position_with_token_extensions close_position_with_token_extensions increase_liquidity_by_token_amounts_v2 update_fees_and_rewards collect_fees collect_fees_v2 collect_reward collect_reward_v2',
    ),
  ],
};
