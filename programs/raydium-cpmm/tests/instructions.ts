import { createHash } from 'node:crypto';
import {
  deriveRaydiumConfigAddress,
  type PoolAddresses,
  derivePermissionAddress,
} from '../../../src/protocols/raydium-cpmm/program/addresses.ts';
import type { RaydiumSides } from '../../../src/protocols/raydium-cpmm/program/layout.ts';
import {
  RAYDIUM_CPMM_ADMIN,
  RAYDIUM_CPMM_AUTHORITY,
  RAYDIUM_CPMM_PROGRAM,
} from '../../../src/protocols/raydium-cpmm/program/program.ts';
import { type Address, toAddressBytes } from '../../../src/solana/address.ts';
import { ByteWriter } from '../../../src/solana/codec/byte-writer.ts';
import {
  type AccountMeta,
  type Instruction,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../../../src/solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress, findProgramAddress } from '../../../src/solana/pda.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../src/solana/program-addresses.ts';

export interface NewConfig {
  readonly index: number;
  readonly tradeFeeRate: bigint;
  readonly protocolFeeRate: bigint;
  readonly fundFeeRate: bigint;
  readonly createPoolFee: bigint;
  readonly creatorFeeRate: bigint;
}

/** Fields of a configuration, by the number with which `update_amm_config` names them. */
export const ConfigField = {
  TRADE_FEE_RATE: 0,
  PROTOCOL_FEE_RATE: 1,
  FUND_FEE_RATE: 2,
  PROTOCOL_OWNER: 3,
  FUND_OWNER: 4,
  CREATE_POOL_FEE: 5,
  DISABLE_CREATE_POOL: 6,
  CREATOR_FEE_RATE: 7,
  CREATOR_FEE_SHARE_RATE: 8,
} as const;

export function createAmmConfig(config: NewConfig, owner = RAYDIUM_CPMM_ADMIN): Instruction {
  const data = named('create_amm_config')
    .u16(config.index)
    .u64(config.tradeFeeRate)
    .u64(config.protocolFeeRate)
    .u64(config.fundFeeRate)
    .u64(config.createPoolFee)
    .u64(config.creatorFeeRate);
  return instruction(data, [
    writableSigner(owner),
    writable(deriveRaydiumConfigAddress(config.index)),
    readonly(SYSTEM_PROGRAM),
  ]);
}

/** An owner is passed as an account instead of as `value`. */
export function updateAmmConfig(
  config: Address,
  field: number,
  value: bigint,
  newOwner?: Address,
  owner = RAYDIUM_CPMM_ADMIN,
): Instruction {
  const data = named('update_amm_config').u8(field).u64(value);
  const more = newOwner === undefined ? [] : [readonly(newOwner)];
  return instruction(data, [readonlySigner(owner), writable(config), ...more]);
}

export function updatePoolStatus(pool: Address, status: number, owner = RAYDIUM_CPMM_ADMIN): Instruction {
  return instruction(named('update_pool_status').u8(status), [readonlySigner(owner), writable(pool)]);
}

export function createPermission(authority: Address, owner = RAYDIUM_CPMM_ADMIN): Instruction {
  return instruction(named('create_permission_pda'), permissionAccounts(authority, owner));
}

export function closePermission(authority: Address, owner = RAYDIUM_CPMM_ADMIN): Instruction {
  return instruction(named('close_permission_pda'), permissionAccounts(authority, owner));
}

export const collectProtocolFee = collectFee('collect_protocol_fee');
export const collectFundFee = collectFee('collect_fund_fee');

/** The two instructions differ in their name only. */
function collectFee(name: string) {
  return (
    pool: PoolAddresses,
    owner: Address,
    recipients: RaydiumSides<Address>,
    most: RaydiumSides<bigint>,
  ): Instruction =>
    instruction(named(name).u64(most[0]).u64(most[1]), [
      readonlySigner(owner),
      readonly(RAYDIUM_CPMM_AUTHORITY),
      writable(pool.address),
      readonly(pool.config),
      ...pool.vaults.map(writable),
      ...pool.mints.map(readonly),
      ...recipients.map(writable),
      readonly(TOKEN_PROGRAM),
      readonly(TOKEN_2022_PROGRAM),
    ]);
}

export function collectCreatorFee(pool: PoolAddresses, creator: Address): Instruction {
  return instruction(named('collect_creator_fee'), [
    writableSigner(creator),
    readonly(RAYDIUM_CPMM_AUTHORITY),
    writable(pool.address),
    readonly(pool.config),
    ...creatorAccounts(pool, creator),
    readonly(feeShareAddress(creator, pool.config)),
  ]);
}

export function collectCreatorFeePermissionless(
  pool: PoolAddresses,
  payer: Address,
  creator: Address,
): Instruction {
  return instruction(named('collect_creator_fee_permissionless'), [
    writableSigner(payer),
    readonly(creator),
    readonly(RAYDIUM_CPMM_AUTHORITY),
    writable(pool.address),
    ...creatorAccounts(pool, creator),
    readonly(pool.config),
    readonly(feeShareAddress(creator, pool.config)),
  ]);
}

/** Returns the creator's token accounts, which receive the fees in both mints. */
export function creatorTokens(pool: PoolAddresses, creator: Address): RaydiumSides<Address> {
  const [mint0, mint1] = pool.mints;
  const [program0, program1] = pool.tokenPrograms;
  return [
    deriveAssociatedTokenAddress(creator, mint0, program0),
    deriveAssociatedTokenAddress(creator, mint1, program1),
  ];
}

/** Returns the address of the account that may set the protocol's share of the creator's fees. */
export function feeShareAddress(creator: Address, config: Address): Address {
  const seeds = [Buffer.from('creator_fee_share'), toAddressBytes(creator), toAddressBytes(config)];
  return findProgramAddress(RAYDIUM_CPMM_PROGRAM, seeds).address;
}

function creatorAccounts(pool: PoolAddresses, creator: Address): AccountMeta[] {
  return [
    ...pool.vaults.map(writable),
    ...pool.mints.map(readonly),
    ...creatorTokens(pool, creator).map(writable),
    ...pool.tokenPrograms.map(readonly),
    readonly(ASSOCIATED_TOKEN_PROGRAM),
    readonly(SYSTEM_PROGRAM),
  ];
}

function permissionAccounts(authority: Address, owner: Address): AccountMeta[] {
  return [
    writableSigner(owner),
    readonly(authority),
    writable(derivePermissionAddress(authority)),
    readonly(SYSTEM_PROGRAM),
  ];
}

/** Anchor names an instruction by the first 8 bytes of this hash. */
function named(name: string): ByteWriter {
  return new ByteWriter().bytes(createHash('sha256').update(`global:${name}`).digest().subarray(0, 8));
}

function instruction(data: ByteWriter, accounts: readonly AccountMeta[]): Instruction {
  return { programAddress: RAYDIUM_CPMM_PROGRAM, accounts, data: data.finish() };
}
