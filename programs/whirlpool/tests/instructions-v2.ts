import { deriveTickArrayAddress } from '../../../src/protocols/whirlpool/program/addresses.ts';
import type { WhirlpoolSides } from '../../../src/protocols/whirlpool/program/layout.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { ByteWriter } from '../../../src/solana/codec/byte-writer.ts';
import {
  type AccountMeta,
  type Instruction,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../../../src/solana/messages/instruction.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
} from '../../../src/solana/program-addresses.ts';
import type { Token } from '../../raydium-cpmm/tests/fixture.ts';
import { instruction, type LiquidityAccounts, type PositionAccounts } from './instructions.ts';

const METADATA_AUTHORITY = '3axbTs2z5GBy6usVbNVoqEgZMng3vZvMnAoX29BFfwhr' as Address;

export function initializeDynamicTickArray(
  pool: Address,
  funder: Address,
  start: number,
  idempotent = false,
): Instruction {
  return instruction(
    'initialize_dynamic_tick_array',
    [
      ...[readonly(pool), writableSigner(funder), writable(deriveTickArrayAddress(pool, start))],
      readonly(SYSTEM_PROGRAM),
    ],
    (to) => to.i32(start).bool(idempotent),
  );
}

export function openPosition2022(
  pool: Address,
  funder: Address,
  { mint, position, token, owner }: PositionAccounts,
  [lower, upper]: readonly [number, number],
  withMetadata = true,
): Instruction {
  return instruction(
    'open_position_with_token_extensions',
    [
      ...[writableSigner(funder), readonly(owner), writable(position), writableSigner(mint), writable(token)],
      ...[pool, TOKEN_2022_PROGRAM, SYSTEM_PROGRAM, ASSOCIATED_TOKEN_PROGRAM].map(readonly),
      readonly(METADATA_AUTHORITY),
    ],
    (to) => to.i32(lower).i32(upper).bool(withMetadata),
  );
}

export function closePosition2022(
  { mint, position, token, owner }: PositionAccounts,
  receiver: Address,
): Instruction {
  return instruction('close_position_with_token_extensions', [
    ...[readonlySigner(owner), writable(receiver), writable(position), writable(mint), writable(token)],
    readonly(TOKEN_2022_PROGRAM),
  ]);
}

/** Returns the accounts of the newer liquidity instructions. */
function liquidityMetas({ pool, position, user, arrays }: LiquidityAccounts): AccountMeta[] {
  return [
    writable(pool.address),
    ...[...pool.tokens.map(({ tokenProgram }) => tokenProgram), MEMO_PROGRAM].map(readonly),
    ...[readonlySigner(position.owner), writable(position.position), readonly(position.token)],
    ...pool.tokens.map(({ mint }) => readonly(mint)),
    ...[...user, ...pool.vaults].map(writable),
    ...arrays.map((start) => writable(deriveTickArrayAddress(pool.address, start))),
  ];
}

/** A type and a number of accounts each. Null means that there is no list of slices. */
export type Slices = readonly (readonly [kind: number, count: number])[] | null;

function writeSlices(to: ByteWriter, slices: Slices): ByteWriter {
  if (slices === null) return to.u8(0);
  to.u8(1).u32(slices.length);
  for (const [kind, count] of slices) to.u8(kind).u8(count);
  return to;
}

/** `limits` are the maximum amounts that are paid in, or the minimum that are paid out. */
export function changeLiquidityV2(
  way: 'increase' | 'decrease',
  accounts: LiquidityAccounts,
  liquidity: bigint,
  limits: WhirlpoolSides<bigint>,
  slices: Slices = null,
): Instruction {
  return instruction(`${way}_liquidity_v2`, liquidityMetas(accounts), (to) =>
    writeSlices(to.u128(liquidity).u64(limits[0]).u64(limits[1]), slices),
  );
}

export function increaseByAmounts(
  accounts: LiquidityAccounts,
  amounts: WhirlpoolSides<bigint>,
  [lowest, highest]: WhirlpoolSides<bigint> = [0n, (1n << 128n) - 1n],
): Instruction {
  return instruction('increase_liquidity_by_token_amounts_v2', liquidityMetas(accounts), (to) =>
    writeSlices(to.u8(0).u64(amounts[0]).u64(amounts[1]).u128(lowest).u128(highest), null),
  );
}

export function collectFeesV2({ pool, position, user }: LiquidityAccounts): Instruction {
  return instruction(
    'collect_fees_v2',
    [
      ...[readonly(pool.address), readonlySigner(position.owner), writable(position.position)],
      ...[position.token, ...pool.tokens.map(({ mint }) => mint)].map(readonly),
      ...[user[0], pool.vaults[0], user[1], pool.vaults[1]].map(writable),
      ...[...pool.tokens.map(({ tokenProgram }) => tokenProgram), MEMO_PROGRAM].map(readonly),
    ],
    (to) => writeSlices(to, null),
  );
}

/** One of a pool's rewards, and the account to which it is paid. */
export interface RewardAccounts {
  readonly index: number;
  readonly token: Pick<Token, 'mint' | 'tokenProgram'>;
  readonly vault: Address;
  readonly owner: Address;
}

export function collectReward(
  { pool, position }: LiquidityAccounts,
  { index, token, vault, owner }: RewardAccounts,
): Instruction {
  return instruction(
    'collect_reward',
    [
      ...[readonly(pool.address), readonlySigner(position.owner), writable(position.position)],
      ...[readonly(position.token), writable(owner), writable(vault), readonly(token.tokenProgram)],
    ],
    (to) => to.u8(index),
  );
}

export function collectRewardV2(
  { pool, position }: LiquidityAccounts,
  { index, token, vault, owner }: RewardAccounts,
  slices: Slices = null,
): Instruction {
  return instruction(
    'collect_reward_v2',
    [
      ...[readonly(pool.address), readonlySigner(position.owner), writable(position.position)],
      ...[readonly(position.token), writable(owner), readonly(token.mint), writable(vault)],
      ...[token.tokenProgram, MEMO_PROGRAM].map(readonly),
    ],
    (to) => writeSlices(to.u8(index), slices),
  );
}
