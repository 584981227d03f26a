import { LAMPORTS, type ProgramInstructions } from '../../protocol/instructions/program-instructions.ts';
import { STAKE_POOL_PROGRAM, STAKEDEX_PROGRAM } from './program.ts';

const DEPOSIT =
  'stake_pool withdraw_authority reserve_stake from pool_tokens_to manager_fee_account referral_pool_tokens_account pool_mint system_program token_program';
const WITHDRAW =
  'stake_pool withdraw_authority transfer_authority pool_tokens_from reserve_stake lamports_to manager_fee_account pool_mint clock stake_history stake_program token_program';

/** The instructions of stake pools, and of the program by which routes use them. The first byte of the data is the number. */
export const STAKE_POOL_INSTRUCTIONS: readonly ProgramInstructions[] = [
  {
    program: STAKE_POOL_PROGRAM,
    label: 'Stake pool',
    instructions: [
      {
        name: 'initialize',
        tag: '00',
        accounts:
          'stake_pool manager staker withdraw_authority validator_list reserve_stake pool_mint manager_fee_account token_program deposit_authority',
      },
      {
        name: 'update_stake_pool_balance',
        tag: '07',
        accounts:
          'stake_pool withdraw_authority validator_list reserve_stake manager_fee_account pool_mint token_program',
      },
      { name: 'deposit_sol', tag: '0e', args: [['lamports', 'u64', LAMPORTS]], accounts: DEPOSIT },
      { name: 'withdraw_sol', tag: '10', args: [['pool_tokens', 'u64', 'pool_mint']], accounts: WITHDRAW },
      {
        name: 'deposit_sol_with_slippage',
        tag: '19',
        args: [
          ['lamports', 'u64', LAMPORTS],
          ['minimum_pool_tokens_out', 'u64', 'pool_mint'],
        ],
        accounts: DEPOSIT,
      },
      {
        name: 'withdraw_sol_with_slippage',
        tag: '1a',
        args: [
          ['pool_tokens', 'u64', 'pool_mint'],
          ['minimum_lamports_out', 'u64', LAMPORTS],
        ],
        accounts: WITHDRAW,
      },
    ],
  },
  {
    program: STAKEDEX_PROGRAM,
    label: 'Stakedex',
    instructions: [
      {
        name: 'stake_wrapped_sol',
        tag: '00',
        args: [['amount', 'u64', 'wsol_mint']],
        accounts:
          'user wsol_from dest_token_to wsol_bridge_in sol_bridge_out dest_token_fee_token_account dest_token_mint wsol_mint token_program system_program stake_pool_program stake_pool stake_pool_withdraw_authority reserve_stake manager_fee_account',
      },
      {
        name: 'withdraw_wrapped_sol',
        tag: '08',
        args: [['amount', 'u64', 'src_token_mint']],
        accounts:
          'user src_token_from wsol_to wsol_fee_token_account src_token_mint wsol_mint token_program stake_pool_program stake_pool stake_pool_withdraw_authority reserve_stake manager_fee_account clock stake_history stake_program stake_pool_token_program',
      },
    ],
  },
];
