import {
  ASSOCIATED_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_INSTRUCTIONS,
  SYSVAR_RENT,
} from '../../../solana/program-addresses.ts';
import type {
  DeclaredInstruction,
  IdlField,
  IdlParty,
  ProgramInterface,
} from '../../../solana/programs/idl/idl.ts';
import { TOKEN_METADATA_PROGRAM } from '../../../solana/programs/token-metadata/program.ts';
import { LENDING_ERRORS } from '../errors/lending.ts';
import { LENDING_PROGRAM } from '../lending-base/programs.ts';

const LIQUIDITY_ACCOUNTS: readonly IdlParty[] = [
  ['f_token_mint', 'writable'],
  ['supply_token_reserves_liquidity', 'writable'],
  ['lending_supply_position_on_liquidity', 'writable'],
  ['rate_model', ''],
  ['vault', 'writable'],
];

const LAST_ACCOUNTS: readonly IdlParty[] = [
  ['liquidity', 'writable'],
  ['liquidity_program', ''],
  ['rewards_rate_model', ''],
  ['token_program', ''],
  ['associated_token_program', 'optional', ASSOCIATED_TOKEN_PROGRAM],
  ['system_program', '', SYSTEM_PROGRAM],
];

const DEPOSIT_ACCOUNTS: readonly IdlParty[] = [
  ['signer', 'writable signer'],
  ['depositor_token_account', 'writable'],
  ['recipient_token_account', 'writable'],
  ['mint', ''],
  ['lending_admin', ''],
  ['lending', 'writable'],
  ...LIQUIDITY_ACCOUNTS,
  ...LAST_ACCOUNTS,
];

const WITHDRAW_ACCOUNTS: readonly IdlParty[] = [
  ['signer', 'writable signer'],
  ['owner_token_account', 'writable'],
  ['recipient_token_account', 'writable'],
  ['lending_admin', ''],
  ['lending', 'writable'],
  ['mint', ''],
  ...LIQUIDITY_ACCOUNTS,
  ['claim_account', 'writable optional'],
  ...LAST_ACCOUNTS,
];

const ADMIN_ACCOUNTS: readonly IdlParty[] = [
  ['signer', 'signer'],
  ['lending_admin', 'writable'],
];

/** Returns the two forms of a movement: the second one has a bound, and returns nothing. */
function createForms(
  accounts: readonly IdlParty[],
  [name, amount]: readonly [name: string, amount: IdlField],
  [boundedName, bound]: readonly [name: string, bound: IdlField],
): readonly DeclaredInstruction[] {
  return [
    { name, accounts, args: [amount], returns: 'u64' },
    { name: boundedName, accounts, args: [amount, bound] },
  ];
}

/** The interface of the earn tokens' program, without the two instructions for its operator that it leaves out. */
export const LENDING_INTERFACE: ProgramInterface = {
  name: 'lending',
  version: '0.1.4',
  address: LENDING_PROGRAM,
  instructions: [
    ...createForms(
      DEPOSIT_ACCOUNTS,
      ['deposit', ['assets', 'u64']],
      ['deposit_with_min_amount_out', ['min_amount_out', 'u64']],
    ),
    ...createForms(
      DEPOSIT_ACCOUNTS,
      ['mint', ['shares', 'u64']],
      ['mint_with_max_assets', ['max_assets', 'u64']],
    ),
    ...createForms(
      WITHDRAW_ACCOUNTS,
      ['withdraw', ['amount', 'u64']],
      ['withdraw_with_max_shares_burn', ['max_shares_burn', 'u64']],
    ),
    ...createForms(
      WITHDRAW_ACCOUNTS,
      ['redeem', ['shares', 'u64']],
      ['redeem_with_min_amount_out', ['min_amount_out', 'u64']],
    ),
    {
      name: 'update_rate',
      accounts: [
        ['lending', 'writable'],
        ['mint', ''],
        ['f_token_mint', ''],
        ['supply_token_reserves_liquidity', ''],
        ['rewards_rate_model', ''],
      ],
      args: [],
    },
    {
      name: 'init_lending_admin',
      accounts: [
        ['authority', 'writable signer'],
        ['lending_admin', 'writable'],
        ['system_program', '', SYSTEM_PROGRAM],
      ],
      args: [
        ['liquidity_program', 'pubkey'],
        ['rebalancer', 'pubkey'],
        ['authority', 'pubkey'],
      ],
    },
    {
      name: 'init_lending',
      accounts: [
        ['signer', 'writable signer'],
        ['lending_admin', 'writable'],
        ['mint', ''],
        ['f_token_mint', 'writable'],
        ['metadata_account', 'writable'],
        ['lending', 'writable'],
        ['token_reserves_liquidity', ''],
        ['token_program', ''],
        ['system_program', '', SYSTEM_PROGRAM],
        ['sysvar_instruction', '', SYSVAR_INSTRUCTIONS],
        ['metadata_program', '', TOKEN_METADATA_PROGRAM],
        ['rent', '', SYSVAR_RENT],
      ],
      args: [
        ['symbol', 'string'],
        ['liquidity_program', 'pubkey'],
      ],
    },
    {
      name: 'set_rewards_rate_model',
      accounts: [
        ['signer', 'signer'],
        ['lending_admin', ''],
        ['lending', 'writable'],
        ['f_token_mint', ''],
        ['new_rewards_rate_model', ''],
        ['supply_token_reserves_liquidity', ''],
      ],
      args: [['mint', 'pubkey']],
    },
    { name: 'update_authority', accounts: ADMIN_ACCOUNTS, args: [['new_authority', 'pubkey']] },
    {
      name: 'update_auths',
      accounts: ADMIN_ACCOUNTS,
      args: [['auth_status', { vec: { defined: { name: 'AddressBool' } } }]],
    },
    { name: 'update_rebalancer', accounts: ADMIN_ACCOUNTS, args: [['new_rebalancer', 'pubkey']] },
  ],
  types: [
    {
      name: 'AddressBool',
      fields: [
        ['addr', 'pubkey'],
        ['value', 'bool'],
      ],
    },
    {
      name: 'Lending',
      fields: [
        ['mint', 'pubkey'],
        ['f_token_mint', 'pubkey'],
        ['lending_id', 'u16'],
        ['decimals', 'u8'],
        ['rewards_rate_model', 'pubkey'],
        ['liquidity_exchange_price', 'u64'],
        ['token_exchange_price', 'u64'],
        ['last_update_timestamp', 'u64'],
        ['token_reserves_liquidity', 'pubkey'],
        ['supply_position_on_liquidity', 'pubkey'],
        ['bump', 'u8'],
      ],
    },
    {
      name: 'LendingAdmin',
      fields: [
        ['authority', 'pubkey'],
        ['liquidity_program', 'pubkey'],
        ['rebalancer', 'pubkey'],
        ['next_lending_id', 'u16'],
        ['auths', { vec: 'pubkey' }],
        ['bump', 'u8'],
      ],
    },
    {
      name: 'LogDeposit',
      fields: [
        ['sender', 'pubkey'],
        ['receiver', 'pubkey'],
        ['assets', 'u64'],
        ['shares_minted', 'u64'],
      ],
    },
    {
      name: 'LogWithdraw',
      fields: [
        ['sender', 'pubkey'],
        ['receiver', 'pubkey'],
        ['owner', 'pubkey'],
        ['assets', 'u64'],
        ['shares_burned', 'u64'],
      ],
    },
    {
      name: 'LogUpdateRates',
      fields: [
        ['token_exchange_price', 'u64'],
        ['liquidity_exchange_price', 'u64'],
      ],
    },
  ],
  accounts: ['Lending', 'LendingAdmin'],
  events: ['LogDeposit', 'LogWithdraw', 'LogUpdateRates'],
  errors: LENDING_ERRORS,
};
