import {
  type DescribedArgument,
  describeInterface,
  nameInstructions,
  type ProgramInstructions,
} from '../../protocol/instructions/program-instructions.ts';
import { LENDING_INTERFACE } from './lending/interface.ts';
import {
  FLASHLOAN_PROGRAM,
  LIQUIDITY_PROGRAM,
  ORACLE_PROGRAM,
  REWARDS_PROGRAM,
  VAULTS_PROGRAM,
} from './lending-base/programs.ts';

const RECEIPTS = ['f_token_mint'];
const LOAN: readonly DescribedArgument[] = [['amount', 'u64', 'mint']];
const LOAN_ACCOUNTS =
  'signer flashloan_admin signer_borrow_token_account mint flashloan_token_reserves_liquidity flashloan_borrow_position_on_liquidity rate_model vault liquidity liquidity_program token_program associated_token_program system_program instruction_sysvar';
const NEW_TICK = 'signer vault_config tick system_program';

/** An amount of a vault for everything that there is. */
const EVERYTHING = -(1n << 127n);

/** The borrow vaults. */
const VAULTS: ProgramInstructions = {
  program: VAULTS_PROGRAM,
  label: 'Jupiter Lend vaults',
  present: (name, value) => (value === EVERYTHING ? [{ name, value: ['everything'] }] : null),
  instructions: [
    {
      name: 'operate',
      args: [
        ['new_collateral', 'i128', 'supply_token'],
        ['new_debt', 'i128', 'borrow_token'],
      ],
      accounts:
        'signer signer_supply_token_account signer_borrow_token_account recipient recipient_borrow_token_account recipient_supply_token_account vault_config vault_state supply_token borrow_token oracle position position_token_account current_position_tick final_position_tick current_position_tick_id final_position_tick_id new_branch supply_token_reserves_liquidity borrow_token_reserves_liquidity vault_supply_position_on_liquidity vault_borrow_position_on_liquidity supply_rate_model borrow_rate_model vault_supply_token_account vault_borrow_token_account supply_token_claim_account borrow_token_claim_account liquidity liquidity_program oracle_program supply_token_program borrow_token_program associated_token_program system_program',
    },
    {
      name: 'liquidate',
      args: [
        ['debt_amount', 'u64', 'borrow_token'],
        ['collateral_per_debt', 'u128'],
        ['absorb', 'bool'],
      ],
      accounts:
        'signer signer_token_account to to_token_account vault_config vault_state supply_token borrow_token oracle new_branch supply_token_reserves_liquidity borrow_token_reserves_liquidity vault_supply_position_on_liquidity vault_borrow_position_on_liquidity supply_rate_model borrow_rate_model supply_token_claim_account liquidity liquidity_program vault_supply_token_account vault_borrow_token_account supply_token_program borrow_token_program system_program associated_token_program oracle_program',
    },
    {
      name: 'init_position',
      args: [
        ['vault_id', 'u16'],
        ['position_id', 'u32'],
      ],
      accounts:
        'signer vault_admin vault_state position position_mint position_token_account metadata_account token_program associated_token_program system_program sysvar_instruction metadata_program rent',
    },
    {
      name: 'init_tick',
      args: [
        ['vault_id', 'u16'],
        ['tick', 'i32'],
      ],
      accounts: NEW_TICK,
    },
    {
      name: 'init_branch',
      args: [
        ['vault_id', 'u16'],
        ['branch_id', 'u32'],
      ],
      accounts: 'signer vault_config branch system_program',
    },
    {
      name: 'init_tick_id_liquidation',
      args: [
        ['vault_id', 'u16'],
        ['tick', 'i32'],
        ['total_ids', 'u32'],
      ],
      accounts: 'signer tick tick_id_liquidation system_program',
    },
    ...nameInstructions(
      'init_tick_has_debt_array get_exchange_prices update_exchange_prices rebalance init_vault_admin init_vault_config init_vault_state update_authority update_auths update_core_settings update_supply_rate_magnifier update_borrow_rate_magnifier update_collateral_factor update_liquidation_threshold update_liquidation_max_limit update_withdraw_gap update_liquidation_penalty update_borrow_fee update_rebalancer update_oracle update_lookup_table',
    ),
  ],
};

/** The layer that all lending programs share. Wallets do not call it. */
const LIQUIDITY: ProgramInstructions = {
  program: LIQUIDITY_PROGRAM,
  label: 'Jupiter Lend liquidity',
  instructions: [
    { name: 'pre_operate', args: [['mint', 'pubkey']] },
    {
      name: 'operate',
      args: [
        ['supply_amount', 'i128', 'mint'],
        ['borrow_amount', 'i128', 'mint'],
        ['withdraw_to', 'pubkey'],
        ['borrow_to', 'pubkey'],
      ],
      accounts: 'protocol liquidity token_reserve mint vault',
    },
    ...nameInstructions(
      'update_exchange_price init_claim_account close_claim_account claim init_liquidity init_token_reserve init_new_protocol update_authority update_auths update_guardians update_revenue_collector collect_revenue change_status update_rate_data_v1 update_rate_data_v2 update_token_config update_user_class update_user_withdrawal_limit update_user_supply_config update_user_borrow_config pause_user unpause_user',
    ),
  ],
};

/** The instructions of the lending programs. */
export const LEND_INSTRUCTIONS: readonly ProgramInstructions[] = [
  describeInterface(LENDING_INTERFACE, 'Jupiter Lend', {
    assets: ['mint'],
    max_assets: ['mint'],
    // The least of what is paid for it: shares for a deposit, and tokens for shares.
    min_amount_out: (args) => ('assets' in args ? 'f_token_mint' : 'mint'),
    amount: ['mint'],
    shares: RECEIPTS,
    max_shares_burn: RECEIPTS,
  }),
  VAULTS,
  {
    program: FLASHLOAN_PROGRAM,
    label: 'Jupiter Lend flash loans',
    instructions: [
      { name: 'flashloan_borrow', args: LOAN, accounts: LOAN_ACCOUNTS },
      { name: 'flashloan_payback', args: LOAN, accounts: LOAN_ACCOUNTS },
      ...nameInstructions(
        'init_flashloan_admin activate_protocol pause_protocol set_flashloan_fee update_authority',
      ),
    ],
  },
  LIQUIDITY,
  {
    program: ORACLE_PROGRAM,
    label: 'Jupiter Lend oracle',
    instructions: nameInstructions(
      'get_exchange_rate get_exchange_rate_operate get_exchange_rate_liquidate get_both_exchange_rate init_admin init_oracle_config update_authority update_auths',
    ),
  },
  {
    program: REWARDS_PROGRAM,
    label: 'Jupiter Lend rewards',
    instructions: nameInstructions(
      'init_lending_rewards_admin init_lending_rewards_rate_model update_authority update_auths start_rewards stop_rewards queue_next_rewards cancel_queued_rewards transition_to_next_rewards update_rate',
    ),
  },
];
