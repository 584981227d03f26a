import type {
  DescribedArgument,
  ProgramInstructions,
} from '../../protocol/instructions/program-instructions.ts';
import { PREDICTION_PROGRAM } from './prediction-program.ts';

const SETTLED = 'vault position market_result';
const ORDER_END =
  'vault order payer position order_token_account receiver settlement_mint token_program system_program associated_token_program';
const FILL =
  'keeper cosigner owner vault position order vault_token_account order_token_account integrator_token_account token_program market_result';
const FILL_ARGS: readonly DescribedArgument[] = [
  ['filled_contracts', 'u64'],
  ['amount', 'u64', 'vault_token_account'],
  ['venue_fee', 'u64', 'vault_token_account'],
  ['order_id', { option: 'string' }],
];
const PAYOUT = `signer ${SETTLED} receiver vault_token_account token_program`;

/** The instructions of prediction markets. Contracts are micro-contracts, and prices micro USD. */
export const PREDICTION_INSTRUCTIONS: ProgramInstructions = {
  program: PREDICTION_PROGRAM,
  label: 'Jupiter prediction',
  instructions: [
    {
      name: 'create_order',
      args: [
        ['external_order_id', 'string'],
        ['market_id_hash', 'string'],
        ['is_yes', 'bool'],
        ['is_buy', 'bool'],
        ['contracts', 'u64'],
        ['limit_price', 'u64'],
        ['deposit_amount', 'u64', 'settlement_mint'],
        ['is_limit', 'bool'],
        ['integrator', { option: 'pubkey' }],
        ['integrator_fee_bps', { option: 'u16' }],
      ],
      accounts:
        'payer owner authority vault position order source settlement_mint order_token_account token_program associated_token_program system_program',
    },
    { name: 'cancel_order', accounts: `owner authority ${ORDER_END}` },
    { name: 'close_order', accounts: `owner keeper ${ORDER_END}` },
    { name: 'fill_buy_order', args: FILL_ARGS, accounts: FILL },
    { name: 'fill_sell_order', args: FILL_ARGS, accounts: FILL },
    { name: 'claim_payout', accounts: PAYOUT },
    { name: 'claim_payout2', accounts: PAYOUT },
    { name: 'claim_refund', accounts: PAYOUT },
    { name: 'close_lost_position', accounts: `keeper ${SETTLED}` },
    { name: 'close_position', accounts: 'keeper owner position payer vault' },
    {
      name: 'create_market_result',
      args: [
        ['market_id_hash', 'string'],
        ['outcome', 'u8'],
        ['settlement_time', 'i64'],
        ['claims_enabled', 'bool'],
      ],
      accounts: 'keeper market_result system_program vault',
    },
    {
      name: 'initialize_vault',
      accounts:
        'admin vault settlement_mint vault_token_account system_program token_program associated_token_program authority keeper cosigner',
    },
    {
      name: 'set_vault_config',
      args: [
        ['global_max_contracts', 'u64'],
        ['position_max_contracts', 'u64'],
        ['position_max_orders', 'u32'],
        ['protocol_fee_bps', 'u16'],
        ['settlement_delay_seconds', 'u64'],
        ['deposits_disabled', 'bool'],
        ['withdrawals_disabled', 'bool'],
        ['trading_disabled', 'bool'],
      ],
      accounts: 'admin vault',
    },
    { name: 'disable_deposits', accounts: 'authority vault' },
    { name: 'disable_withdrawals', accounts: 'authority vault' },
    {
      name: 'withdraw',
      args: [['amount', 'u64', 'vault_token_account']],
      accounts: 'admin vault destination vault_token_account token_program',
    },
  ],
};
