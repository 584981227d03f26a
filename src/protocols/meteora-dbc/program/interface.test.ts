import { describe, expect, it } from 'vitest';
import { type Address, toAddress, toAddressBytes } from '../../../solana/address.ts';
import { sha256 } from '../../../solana/encoding/sha256.ts';
import { deriveAssociatedTokenAddress, findProgramAddress } from '../../../solana/pda.ts';
import { type Instruction, isSigner, isWritable } from '../../../solana/messages/instruction.ts';
import {
  SYSTEM_PROGRAM,
  SYSVAR_INSTRUCTIONS,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../solana/program-addresses.ts';
import {
  deriveMetadataAddress,
  TOKEN_METADATA_PROGRAM,
} from '../../../solana/programs/token-metadata/program.ts';
import { deriveVestingEscrow, LOCK_PROGRAM } from '../../jupiter-lock/layout.ts';
import {
  deriveDammPoolAddress,
  deriveDammPositionAddress,
  deriveDammPositionTokenAddress,
  deriveDammVaultAddress,
} from '../../meteora-damm-v2/program/addresses.ts';
import {
  METEORA_DAMM_V2_AUTHORITY,
  METEORA_DAMM_V2_EVENT_AUTHORITY,
  METEORA_DAMM_V2_PROGRAM,
} from '../../meteora-damm-v2/program/program.ts';
import { PARAMETERS } from '../../../../programs/meteora-dbc/tests/fixture.ts';
import { deriveDbcPoolKeys } from './addresses.ts';
import {
  claimDbcCreatorTradingFee,
  claimDbcCreatorTradingFee2,
  claimDbcTradingFee,
  claimDbcTradingFee2,
  withdrawDbcCreatorSurplus,
  withdrawDbcLeftover,
  withdrawDbcMigrationFee,
  withdrawDbcPartnerSurplus,
} from './instructions-claim.ts';
import {
  createDbcConfig,
  createDbcPartnerMetadata,
  createDbcPoolMetadata,
  initializeDbcPool,
  transferDbcPoolCreator,
} from './instructions-launch.ts';
import { createDbcLocker, createDbcMigrationMetadata, migrateDbcToDammV2 } from './instructions-migration.ts';
import { swap2Dbc, swapDbc } from './instructions-swap.ts';
import { METEORA_DBC_AUTHORITY, METEORA_DBC_EVENT_AUTHORITY, METEORA_DBC_PROGRAM } from './program.ts';

describe('the instructions of the dynamic bonding curve', () => {
  it.each(Object.keys(INTERFACE))('have the accounts and roles of the public interface: %s', (name) => {
    const built = BUILT[name];
    if (built === undefined) throw new Error(`${name} is not built here`);
    expect(built.programAddress).toBe(METEORA_DBC_PROGRAM);
    expect(Buffer.from(built.data.subarray(0, 8))).toEqual(
      Buffer.from(sha256(Buffer.from(`global:${name}`)).subarray(0, 8)),
    );
    const declared = (INTERFACE[name] ?? '').split(' ').map((each) => parseAccount(each, name));
    expect(built.accounts.map(({ address, role }) => [address, isWritable(role), isSigner(role)])).toEqual(
      declared.map(({ address, writable, signer }) => [address, writable, signer]),
    );
  });

  it('put the program in the place of an optional account that is left out', () => {
    const swap = swapDbc(SPL, SWAPPER, { amountIn: 1n, minimumAmountOut: 0n });
    expect(swap.accounts[12]).toEqual({ address: METEORA_DBC_PROGRAM, role: 0 });
    const alone = migrateDbcToDammV2(SPL, { ...MIGRATION, secondPositionMint: null });
    for (const at of [8, 9, 10])
      expect(alone.accounts[at]).toEqual({ address: METEORA_DBC_PROGRAM, role: 0 });
  });

  it('derive the authorities of the program', () => {
    const authority = findProgramAddress(METEORA_DBC_PROGRAM, [Buffer.from('pool_authority')]).address;
    const events = findProgramAddress(METEORA_DBC_PROGRAM, [Buffer.from('__event_authority')]).address;
    expect([METEORA_DBC_AUTHORITY, METEORA_DBC_EVENT_AUTHORITY]).toEqual([authority, events]);
  });

  it('encode their arguments', () => {
    const words = (name: string) => Buffer.from(BUILT[name]?.data.subarray(8) ?? []).toString('hex');
    expect(words('swap')).toBe('07000000000000000300000000000000');
    expect(words('swap2')).toBe('0700000000000000030000000000000002');
    expect(words('claim_trading_fee')).toBe('05000000000000000600000000000000');
    expect(words('claim_creator_trading_fee2')).toBe('0500000000000000060000000000000000000000');
    expect(words('withdraw_migration_fee')).toBe('01');
    expect(words('initialize_virtual_pool_with_spl_token')).toBe(
      '0500000071756f6b6103000000514b4105000000612e622f63',
    );
    expect(words('create_partner_metadata')).toBe(`${'00'.repeat(96)}010000006101000000620100000063`);
  });
});

/**
 * The accounts of the public IDL, version 0.1.10 and for the claims that end in 2 version 0.2.1, with `*` for writable ones and `!` for signers, and behind them what
 * the program's source reads of further accounts.
 */
const INTERFACE: Readonly<Record<string, string>> = {
  create_config:
    'config*! fee_claimer leftover_receiver quote_mint payer*! system_program ' + 'event_authority program',
  create_partner_metadata: 'partner_metadata* payer*! fee_claimer! system_program event_authority program',
  initialize_virtual_pool_with_spl_token:
    'config pool_authority creator! base_mint*! quote_mint pool* base_vault* quote_vault* ' +
    'mint_metadata* metadata_program payer*! token_quote_program token_program ' +
    'system_program event_authority program',
  initialize_virtual_pool_with_token2022:
    'config pool_authority creator! base_mint*! quote_mint pool* base_vault* quote_vault* ' +
    'payer*! token_quote_program token_program system_program event_authority program',
  create_virtual_pool_metadata:
    'virtual_pool* virtual_pool_metadata* creator! payer*! system_program event_authority ' + 'program',
  transfer_pool_creator: 'virtual_pool* config creator! new_creator event_authority program',
  swap:
    'pool_authority config pool* input_token_account* output_token_account* base_vault* ' +
    'quote_vault* base_mint quote_mint payer! token_base_program token_quote_program ' +
    'referral_token_account* event_authority program',
  swap2:
    'pool_authority config pool* input_token_account* output_token_account* base_vault* ' +
    'quote_vault* base_mint quote_mint payer! token_base_program token_quote_program ' +
    'referral_token_account* event_authority program sysvar_instructions',
  claim_trading_fee:
    'pool_authority config pool* token_a_account* token_b_account* base_vault* quote_vault* ' +
    'base_mint quote_mint fee_claimer! token_base_program token_quote_program ' +
    'event_authority program',
  claim_creator_trading_fee:
    'pool_authority pool* token_a_account* token_b_account* base_vault* quote_vault* ' +
    'base_mint quote_mint creator! token_base_program token_quote_program event_authority ' +
    'program',
  claim_trading_fee2:
    'pool_authority config pool* token_a_account* token_b_account* base_vault* quote_vault* ' +
    'base_mint quote_mint fee_claimer! token_base_program token_quote_program ' +
    'event_authority program',
  claim_creator_trading_fee2:
    'pool_authority pool* token_a_account* token_b_account* base_vault* quote_vault* ' +
    'base_mint quote_mint creator! token_base_program token_quote_program event_authority ' +
    'program',
  create_locker:
    'virtual_pool* config pool_authority* base_vault* base_mint* base* creator escrow* ' +
    'escrow_token* payer*! token_program locker_program locker_event_authority ' +
    'system_program',
  migration_damm_v2_create_metadata:
    'virtual_pool config migration_metadata payer system_program event_authority program',
  migration_damm_v2:
    'virtual_pool* migration_metadata config pool_authority* pool* ' +
    'first_position_nft_mint*! first_position_nft_account* first_position* ' +
    'second_position_nft_mint*! second_position_nft_account* second_position* ' +
    'damm_pool_authority amm_program base_mint* quote_mint* token_a_vault* token_b_vault* ' +
    'base_vault* quote_vault* payer*! token_base_program token_quote_program ' +
    'token_2022_program damm_event_authority system_program damm_config',
  withdraw_leftover:
    'pool_authority config virtual_pool* token_base_account* base_vault* base_mint ' +
    'leftover_receiver token_base_program event_authority program',
  creator_withdraw_surplus:
    'pool_authority config virtual_pool* token_quote_account* quote_vault* quote_mint ' +
    'creator! token_quote_program event_authority program',
  partner_withdraw_surplus:
    'pool_authority config virtual_pool* token_quote_account* quote_vault* quote_mint ' +
    'fee_claimer! token_quote_program event_authority program',
  withdraw_migration_fee:
    'pool_authority config virtual_pool* token_quote_account* quote_vault* quote_mint ' +
    'sender! token_quote_program event_authority program',
};

/** A different address for each name. */
const named = (name: string): Address => toAddress(sha256(Buffer.from(name)));

const shared = { config: named('config'), baseMint: named('base_mint'), quoteMint: named('quote_mint') };
const SPL = deriveDbcPoolKeys({
  ...shared,
  tokenBaseProgram: TOKEN_PROGRAM,
  tokenQuoteProgram: TOKEN_PROGRAM,
});
const NEWER = deriveDbcPoolKeys({
  ...shared,
  tokenBaseProgram: TOKEN_2022_PROGRAM,
  tokenQuoteProgram: TOKEN_PROGRAM,
});
const LOCKER_BASE = derive('base_locker', SPL.pool);
const ESCROW = deriveVestingEscrow(LOCKER_BASE).address;
const DAMM_POOL = deriveDammPoolAddress(named('damm_config'), SPL.baseMint, SPL.quoteMint);
const [FIRST, SECOND] = [named('first_position_nft_mint'), named('second_position_nft_mint')];

const LAUNCHER = { creator: named('creator'), payer: named('payer') };
const PROFILE = { name: 'a', website: 'b', logo: 'c' };
const NAMES = { name: 'quoka', symbol: 'QKA', uri: 'a.b/c' };
const SWAPPER = {
  payer: named('payer'),
  inputTokenAccount: named('input_token_account'),
  outputTokenAccount: named('output_token_account'),
};
const REFERRED = { ...SWAPPER, referralTokenAccount: named('referral_token_account') };
const CLAIMS = { tokenBaseAccount: named('token_a_account'), tokenQuoteAccount: named('token_b_account') };
const LIMITS = { maxBaseAmount: 5n, maxQuoteAmount: 6n };
const MIGRATION = {
  payer: named('payer'),
  dammConfig: named('damm_config'),
  firstPositionMint: FIRST,
  secondPositionMint: SECOND,
};

const BUILT: Readonly<Record<string, Instruction>> = {
  create_config: createDbcConfig(
    {
      config: named('config'),
      feeClaimer: named('fee_claimer'),
      leftoverReceiver: named('leftover_receiver'),
      quoteMint: named('quote_mint'),
      payer: named('payer'),
    },
    PARAMETERS,
  ),
  create_partner_metadata: createDbcPartnerMetadata(
    { feeClaimer: named('fee_claimer'), payer: named('payer') },
    PROFILE,
  ),
  initialize_virtual_pool_with_spl_token: initializeDbcPool(SPL, LAUNCHER, NAMES),
  initialize_virtual_pool_with_token2022: initializeDbcPool(NEWER, LAUNCHER, NAMES),
  create_virtual_pool_metadata: createDbcPoolMetadata(SPL.pool, LAUNCHER, PROFILE),
  transfer_pool_creator: transferDbcPoolCreator(SPL, {
    creator: named('creator'),
    newCreator: named('new_creator'),
  }),
  swap: swapDbc(SPL, REFERRED, { amountIn: 7n, minimumAmountOut: 3n }),
  swap2: swap2Dbc(SPL, { ...REFERRED, showsInstructions: true }, { amount0: 7n, amount1: 3n, swapMode: 2 }),
  claim_trading_fee: claimDbcTradingFee(SPL, { ...CLAIMS, claimer: named('fee_claimer') }, LIMITS),
  claim_creator_trading_fee: claimDbcCreatorTradingFee(SPL, { ...CLAIMS, claimer: named('creator') }, LIMITS),
  claim_trading_fee2: claimDbcTradingFee2(SPL, { ...CLAIMS, claimer: named('fee_claimer') }, LIMITS),
  claim_creator_trading_fee2: claimDbcCreatorTradingFee2(
    SPL,
    { ...CLAIMS, claimer: named('creator') },
    LIMITS,
  ),
  create_locker: createDbcLocker(SPL, LAUNCHER),
  migration_damm_v2_create_metadata: createDbcMigrationMetadata(SPL, named('payer')),
  migration_damm_v2: migrateDbcToDammV2(SPL, MIGRATION),
  withdraw_leftover: withdrawDbcLeftover(SPL, named('leftover_receiver')),
  creator_withdraw_surplus: withdrawDbcCreatorSurplus(SPL, withdrawal('creator')),
  partner_withdraw_surplus: withdrawDbcPartnerSurplus(SPL, withdrawal('fee_claimer')),
  withdraw_migration_fee: withdrawDbcMigrationFee(SPL, withdrawal('sender'), 1),
};

function withdrawal(owner: string) {
  return { owner: named(owner), tokenQuoteAccount: named('token_quote_account') };
}

/** The accounts that are no party's own, by name. */
const FIXED: Readonly<Record<string, Address>> = {
  pool_authority: METEORA_DBC_AUTHORITY,
  event_authority: METEORA_DBC_EVENT_AUTHORITY,
  program: METEORA_DBC_PROGRAM,
  system_program: SYSTEM_PROGRAM,
  sysvar_instructions: SYSVAR_INSTRUCTIONS,
  token_program: TOKEN_PROGRAM,
  token_base_program: TOKEN_PROGRAM,
  token_quote_program: TOKEN_PROGRAM,
  token_2022_program: TOKEN_2022_PROGRAM,
  metadata_program: TOKEN_METADATA_PROGRAM,
  amm_program: METEORA_DAMM_V2_PROGRAM,
  locker_program: LOCK_PROGRAM,
  locker_event_authority: findProgramAddress(LOCK_PROGRAM, [Buffer.from('__event_authority')]).address,
  damm_pool_authority: METEORA_DAMM_V2_AUTHORITY,
  damm_event_authority: METEORA_DAMM_V2_EVENT_AUTHORITY,
  pool: SPL.pool,
  virtual_pool: SPL.pool,
  base_vault: SPL.baseVault,
  quote_vault: SPL.quoteVault,
  mint_metadata: deriveMetadataAddress(SPL.baseMint),
  partner_metadata: derive('partner_metadata', named('fee_claimer')),
  virtual_pool_metadata: derive('virtual_pool_metadata', SPL.pool),
  migration_metadata: derive('damm_v2', SPL.pool),
  base: LOCKER_BASE,
  escrow: ESCROW,
  escrow_token: deriveAssociatedTokenAddress(ESCROW, SPL.baseMint, TOKEN_PROGRAM),
  token_base_account: deriveAssociatedTokenAddress(named('leftover_receiver'), SPL.baseMint, TOKEN_PROGRAM),
  first_position_nft_account: deriveDammPositionTokenAddress(FIRST),
  first_position: deriveDammPositionAddress(FIRST),
  second_position_nft_account: deriveDammPositionTokenAddress(SECOND),
  second_position: deriveDammPositionAddress(SECOND),
  token_a_vault: deriveDammVaultAddress(DAMM_POOL, SPL.baseMint),
  token_b_vault: deriveDammVaultAddress(DAMM_POOL, SPL.quoteMint),
};

function derive(seed: string, of: Address): Address {
  return findProgramAddress(METEORA_DBC_PROGRAM, [Buffer.from(seed), toAddressBytes(of)]).address;
}

function parseAccount(declared: string, instruction: string) {
  const name = declared.replace(/[*!]/g, '');
  const isMigrated = instruction === 'migration_damm_v2' && name === 'pool';
  const isNewer = instruction.endsWith('token2022') && name === 'token_program';
  const address = isMigrated ? DAMM_POOL : isNewer ? TOKEN_2022_PROGRAM : (FIXED[name] ?? named(name));
  return { address, writable: declared.includes('*'), signer: declared.includes('!') };
}
