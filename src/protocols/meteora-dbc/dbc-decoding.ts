import {
  type DescribedArgument,
  nameInstructions,
  type ProgramInstructions,
  type ReadArguments,
} from '../../protocol/instructions/program-instructions.ts';
import { METEORA_DBC_PROGRAM } from './program/program.ts';

const EVENTS = 'event_authority program';
const SWAP = `pool_authority config pool input_token_account output_token_account base_vault quote_vault base_mint quote_mint payer token_base_program token_quote_program referral_token_account ${EVENTS}`;
const CLAIM = 'token_a_account token_b_account base_vault quote_vault base_mint quote_mint';
const WITHDRAWAL = 'pool_authority config virtual_pool token_quote_account quote_vault quote_mint';
const EXACT_OUT = 2n;

function findFirstSide({ swap_mode: mode }: ReadArguments): string {
  return mode === EXACT_OUT ? 'output_token_account' : 'input_token_account';
}

function findSecondSide({ swap_mode: mode }: ReadArguments): string {
  return mode === EXACT_OUT ? 'input_token_account' : 'output_token_account';
}

const TOKEN_NAMES: readonly DescribedArgument[] = [
  ['name', 'string'],
  ['symbol', 'string'],
  ['uri', 'string'],
];

const PROFILE: readonly DescribedArgument[] = [
  ['padding', { array: ['u8', 96] }],
  ['name', 'string'],
  ['website', 'string'],
  ['logo', 'string'],
];

const PARTNER_LIMITS: readonly DescribedArgument[] = [
  ['max_amount_a', 'u64', 'base_mint'],
  ['max_amount_b', 'u64', 'quote_mint'],
];

const CREATOR_LIMITS: readonly DescribedArgument[] = [
  ['max_base_amount', 'u64', 'base_mint'],
  ['max_quote_amount', 'u64', 'quote_mint'],
];

/** The instructions of Meteora's bonding curves. */
export const DBC_INSTRUCTIONS: ProgramInstructions = {
  program: METEORA_DBC_PROGRAM,
  label: 'Meteora bonding curve',
  present: (name) => (name === 'padding' ? [] : null),
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
      name: 'initialize_virtual_pool_with_spl_token',
      args: TOKEN_NAMES,
      accounts: `config pool_authority creator base_mint quote_mint pool base_vault quote_vault mint_metadata metadata_program payer token_quote_program token_program system_program ${EVENTS}`,
    },
    {
      name: 'initialize_virtual_pool_with_token2022',
      args: TOKEN_NAMES,
      accounts: `config pool_authority creator base_mint quote_mint pool base_vault quote_vault payer token_quote_program token_program system_program ${EVENTS}`,
    },
    {
      name: 'create_config',
      accounts: `config fee_claimer leftover_receiver quote_mint payer system_program ${EVENTS}`,
    },
    {
      name: 'create_partner_metadata',
      args: PROFILE,
      accounts: `partner_metadata payer fee_claimer system_program ${EVENTS}`,
    },
    {
      name: 'create_virtual_pool_metadata',
      args: PROFILE,
      accounts: `virtual_pool virtual_pool_metadata creator payer system_program ${EVENTS}`,
    },
    { name: 'transfer_pool_creator', accounts: `virtual_pool config creator new_creator ${EVENTS}` },
    {
      name: 'claim_trading_fee',
      args: PARTNER_LIMITS,
      accounts: `pool_authority config pool ${CLAIM} fee_claimer token_base_program token_quote_program ${EVENTS}`,
    },
    {
      name: 'claim_trading_fee2',
      args: PARTNER_LIMITS,
      accounts: `pool_authority config pool ${CLAIM} fee_claimer token_base_program token_quote_program ${EVENTS}`,
    },
    {
      name: 'claim_creator_trading_fee',
      args: CREATOR_LIMITS,
      accounts: `pool_authority pool ${CLAIM} creator token_base_program token_quote_program ${EVENTS}`,
    },
    {
      name: 'claim_creator_trading_fee2',
      args: CREATOR_LIMITS,
      accounts: `pool_authority pool ${CLAIM} creator token_base_program token_quote_program ${EVENTS}`,
    },
    { name: 'creator_withdraw_surplus', accounts: `${WITHDRAWAL} creator token_quote_program ${EVENTS}` },
    { name: 'partner_withdraw_surplus', accounts: `${WITHDRAWAL} fee_claimer token_quote_program ${EVENTS}` },
    {
      name: 'withdraw_migration_fee',
      args: [['flag', 'u8']],
      accounts: `${WITHDRAWAL} sender token_quote_program ${EVENTS}`,
    },
    {
      name: 'withdraw_leftover',
      accounts: `pool_authority config virtual_pool token_base_account base_vault base_mint leftover_receiver token_base_program ${EVENTS}`,
    },
    {
      name: 'migration_damm_v2',
      accounts:
        'virtual_pool migration_metadata config pool_authority pool first_position_nft_mint first_position_nft_account first_position second_position_nft_mint second_position_nft_account second_position damm_pool_authority amm_program base_mint quote_mint token_a_vault token_b_vault base_vault quote_vault payer token_base_program token_quote_program token_2022_program damm_event_authority system_program',
    },
    {
      name: 'create_locker',
      accounts:
        'virtual_pool config pool_authority base_vault base_mint base creator escrow escrow_token payer token_program locker_program locker_event_authority system_program',
    },
    ...nameInstructions('migration_damm_v2_create_metadata'),
  ],
};
