import { createHash } from 'node:crypto';
import {
  deriveFeeTierAddress,
  deriveWhirlpoolPositionAddress,
  deriveTickArrayAddress,
  deriveTokenBadgeAddress,
} from '../../../src/protocols/whirlpool/program/addresses.ts';
import type { WhirlpoolSides } from '../../../src/protocols/whirlpool/program/layout.ts';
import { WHIRLPOOL_PROGRAM } from '../../../src/protocols/whirlpool/program/program.ts';
import type { Address } from '../../../src/solana/address.ts';
import { ByteWriter } from '../../../src/solana/codec/byte-writer.ts';
import {
  type AccountMeta,
  type Instruction,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../../../src/solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../../src/solana/pda.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_RENT,
  TOKEN_PROGRAM,
} from '../../../src/solana/program-addresses.ts';
import type { Pool } from './fixture.ts';

/** Returns the discriminator of an Anchor program's instruction. */
export function tagOf(name: string): Uint8Array {
  return createHash('sha256').update(`global:${name}`).digest().subarray(0, 8);
}

export function instruction(
  name: string,
  accounts: AccountMeta[],
  write = (to: ByteWriter) => to,
): Instruction {
  const data = write(new ByteWriter(64).bytes(tagOf(name))).finish();
  return { programAddress: WHIRLPOOL_PROGRAM, accounts, data };
}

export function initializeConfig(
  config: Address,
  funder: Address,
  authority: Address,
  protocolFeeRate: number,
): Instruction {
  return instruction(
    'initialize_config',
    [writableSigner(config), writableSigner(funder), readonly(SYSTEM_PROGRAM)],
    (to) => to.address(authority).address(authority).address(authority).u16(protocolFeeRate),
  );
}

export function initializeFeeTier(
  config: Address,
  funder: Address,
  authority: Address,
  tickSpacing: number,
  feeRate: number,
): Instruction {
  return instruction(
    'initialize_fee_tier',
    [
      ...[readonly(config), writable(deriveFeeTierAddress(config, tickSpacing))],
      ...[writableSigner(funder), readonlySigner(authority), readonly(SYSTEM_PROGRAM)],
    ],
    (to) => to.u16(tickSpacing).u16(feeRate),
  );
}

export function initializePool(
  config: Address,
  pool: Pool,
  funder: Address,
  tickSpacing: number,
  sqrtPrice: bigint,
): Instruction {
  return instruction(
    'initialize_pool',
    [
      ...[readonly(config), ...pool.tokens.map(({ mint }) => readonly(mint))],
      ...[writableSigner(funder), writable(pool.address), ...pool.vaults.map(writableSigner)],
      readonly(deriveFeeTierAddress(config, tickSpacing)),
      ...[TOKEN_PROGRAM, SYSTEM_PROGRAM, SYSVAR_RENT].map(readonly),
    ],
    (to) => to.u8(0).u16(tickSpacing).u128(sqrtPrice),
  );
}

export function initializePoolV2(
  config: Address,
  pool: Pool,
  funder: Address,
  tickSpacing: number,
  sqrtPrice: bigint,
): Instruction {
  const mints = pool.tokens.map(({ mint }) => mint);
  return instruction(
    'initialize_pool_v2',
    [
      ...[config, ...mints, ...mints.map((mint) => deriveTokenBadgeAddress(config, mint))].map(readonly),
      ...[writableSigner(funder), writable(pool.address), ...pool.vaults.map(writableSigner)],
      readonly(deriveFeeTierAddress(config, tickSpacing)),
      ...[...pool.tokens.map(({ tokenProgram }) => tokenProgram), SYSTEM_PROGRAM, SYSVAR_RENT].map(readonly),
    ],
    (to) => to.u16(tickSpacing).u128(sqrtPrice),
  );
}

export function initializeTickArray(pool: Address, funder: Address, start: number): Instruction {
  return instruction(
    'initialize_tick_array',
    [
      ...[readonly(pool), writableSigner(funder), writable(deriveTickArrayAddress(pool, start))],
      readonly(SYSTEM_PROGRAM),
    ],
    (to) => to.i32(start),
  );
}

/** A position with the accounts that its instructions name. */
export interface PositionAccounts {
  readonly mint: Address;
  readonly position: Address;
  readonly token: Address;
  readonly owner: Address;
}

export function positionOf(mint: Address, owner: Address, tokenProgram = TOKEN_PROGRAM): PositionAccounts {
  const token = deriveAssociatedTokenAddress(owner, mint, tokenProgram);
  return { mint, position: deriveWhirlpoolPositionAddress(mint).address, token, owner };
}

export function openPosition(
  pool: Address,
  funder: Address,
  { mint, position, token, owner }: PositionAccounts,
  lower: number,
  upper: number,
): Instruction {
  return instruction(
    'open_position',
    [
      ...[writableSigner(funder), readonly(owner), writable(position), writableSigner(mint), writable(token)],
      readonly(pool),
      ...[TOKEN_PROGRAM, SYSTEM_PROGRAM, SYSVAR_RENT, ASSOCIATED_TOKEN_PROGRAM].map(readonly),
    ],
    (to) => to.u8(0).i32(lower).i32(upper),
  );
}

export function closePosition(
  { mint, position, token, owner }: PositionAccounts,
  receiver: Address,
): Instruction {
  return instruction('close_position', [
    ...[readonlySigner(owner), writable(receiver), writable(position), writable(mint), writable(token)],
    readonly(TOKEN_PROGRAM),
  ]);
}

export interface LiquidityAccounts {
  readonly pool: Pool;
  readonly position: PositionAccounts;
  readonly user: WhirlpoolSides<Address>;
  /** The start indices of the arrays that contain the position's two ends. */
  readonly arrays: WhirlpoolSides<number>;
}

/** `limits` are the maximum amounts that are paid in, or the minimum that are paid out. */
export function changeLiquidity(
  way: 'increase' | 'decrease',
  { pool, position, user, arrays }: LiquidityAccounts,
  liquidity: bigint,
  limits: WhirlpoolSides<bigint>,
): Instruction {
  return instruction(
    `${way}_liquidity`,
    [
      ...[writable(pool.address), readonly(TOKEN_PROGRAM), readonlySigner(position.owner)],
      ...[writable(position.position), readonly(position.token)],
      ...[...user, ...pool.vaults].map(writable),
      ...arrays.map((start) => writable(deriveTickArrayAddress(pool.address, start))),
    ],
    (to) => to.u128(liquidity).u64(limits[0]).u64(limits[1]),
  );
}

export function updateFees({ pool, position, arrays }: LiquidityAccounts): Instruction {
  return instruction('update_fees_and_rewards', [
    ...[writable(pool.address), writable(position.position)],
    ...arrays.map((start) => readonly(deriveTickArrayAddress(pool.address, start))),
  ]);
}

export function collectFees({ pool, position, user }: LiquidityAccounts): Instruction {
  return instruction('collect_fees', [
    ...[readonly(pool.address), readonlySigner(position.owner), writable(position.position)],
    readonly(position.token),
    ...[user[0], pool.vaults[0], user[1], pool.vaults[1]].map(writable),
    readonly(TOKEN_PROGRAM),
  ]);
}
