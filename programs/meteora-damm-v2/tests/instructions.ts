import {
  deriveDammPositionAddress,
  deriveDammPositionTokenAddress,
} from '../../../src/protocols/meteora-damm-v2/program/addresses.ts';
import { EVENT_ACCOUNTS, type DammSwapPool } from '../../../src/protocols/meteora-damm-v2/instructions.ts';
import type {
  BaseFee,
  DynamicFeeTerms,
  DammSides,
} from '../../../src/protocols/meteora-damm-v2/program/layout.ts';
import {
  METEORA_DAMM_V2_AUTHORITY,
  METEORA_DAMM_V2_PROGRAM,
} from '../../../src/protocols/meteora-damm-v2/program/program.ts';
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
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { sha256 } from '../../../src/solana/encoding/sha256.ts';

/** The owner of liquidity, with the token accounts of both tokens and the mint of the position. */
export interface PositionParties {
  readonly owner: Address;
  readonly tokens: DammSides<Address>;
  readonly positionMint: Address;
}

/** The terms of a pool that its creator sets. */
export interface CustomPoolTerms {
  readonly baseFee: BaseFee;
  readonly compoundingBps: number;
  readonly dynamicFee: DynamicFeeTerms | null;
  readonly sqrtMinPrice: bigint;
  readonly sqrtMaxPrice: bigint;
  readonly hasAlphaVault: boolean;
  readonly liquidity: bigint;
  readonly sqrtPrice: bigint;
  readonly activationType: number;
  readonly collectFeeMode: number;
  readonly activationPoint: bigint | null;
}

function build(
  name: string,
  accounts: readonly AccountMeta[],
  args: Uint8Array = new Uint8Array(0),
): Instruction {
  const tag = sha256(Buffer.from(`global:${name}`)).subarray(0, 8);
  const data = Buffer.concat([tag, args]);
  return { programAddress: METEORA_DAMM_V2_PROGRAM, accounts: [...accounts, ...EVENT_ACCOUNTS], data };
}

/** The owner pays, and is the creator. */
export function initializeCustomizablePool(
  pool: DammSwapPool,
  user: PositionParties,
  terms: CustomPoolTerms,
): Instruction {
  return build('initialize_customizable_pool', creation(pool, user, []), customTerms(terms));
}

/** Creates a pool with its creator's terms under a dynamic configuration. The owner pays, and is the creator. */
export function initializePoolWithDynamicConfig(
  pool: DammSwapPool,
  user: PositionParties,
  {
    config,
    authority,
    ...terms
  }: CustomPoolTerms & { readonly config: Address; readonly authority: Address },
): Instruction {
  const named = [readonlySigner(authority), readonly(config)];
  return build('initialize_pool_with_dynamic_config', creation(pool, user, named), customTerms(terms));
}

/** Creates a pool under a configuration, which has most terms. */
export function initializePool(
  pool: DammSwapPool,
  user: PositionParties,
  {
    config,
    ...terms
  }: Pick<CustomPoolTerms, 'liquidity' | 'sqrtPrice' | 'activationPoint'> & {
    readonly config: Address;
  },
): Instruction {
  const args = new ByteWriter(64).u128(terms.liquidity).u128(terms.sqrtPrice);
  return build(
    'initialize_pool',
    creation(pool, user, [readonly(config)]),
    point(args, terms.activationPoint),
  );
}

function creation(pool: DammSwapPool, user: PositionParties, config: readonly AccountMeta[]): AccountMeta[] {
  const { owner, tokens, positionMint } = user;
  return [
    readonly(owner),
    writableSigner(positionMint),
    writable(deriveDammPositionTokenAddress(positionMint)),
    writableSigner(owner),
    ...config,
    readonly(METEORA_DAMM_V2_AUTHORITY),
    ...[pool.address, deriveDammPositionAddress(positionMint)].map(writable),
    ...pool.mints.map(readonly),
    ...[...pool.vaults, ...tokens].map(writable),
    ...[...pool.tokenPrograms, TOKEN_2022_PROGRAM, SYSTEM_PROGRAM].map(readonly),
  ];
}

function customTerms(terms: CustomPoolTerms): Uint8Array {
  const { baseFee, dynamicFee } = terms;
  const to = new ByteWriter(256)
    .u64(baseFee.cliff)
    .u16(baseFee.periods)
    .u64(baseFee.middle)
    .u64(baseFee.last);
  to.u8(baseFee.mode)
    .u16(terms.compoundingBps)
    .u8(0)
    .bool(dynamicFee !== null);
  if (dynamicFee !== null) {
    to.u16(dynamicFee.binStep).u128(dynamicFee.binStepQ64).u16(dynamicFee.filterPeriod);
    to.u16(dynamicFee.decayPeriod).u16(dynamicFee.reductionBps);
    to.u32(dynamicFee.maxAccumulator).u32(dynamicFee.control);
  }
  to.u128(terms.sqrtMinPrice).u128(terms.sqrtMaxPrice).bool(terms.hasAlphaVault);
  to.u128(terms.liquidity).u128(terms.sqrtPrice).u8(terms.activationType).u8(terms.collectFeeMode);
  return point(to, terms.activationPoint);
}

function point(to: ByteWriter, at: bigint | null): Uint8Array {
  to.bool(at !== null);
  return at === null ? to.finish() : to.u64(at).finish();
}

/** The owner pays. */
export function createPosition(pool: DammSwapPool, { owner, positionMint }: PositionParties): Instruction {
  return build('create_position', [
    readonly(owner),
    writableSigner(positionMint),
    ...[
      deriveDammPositionTokenAddress(positionMint),
      pool.address,
      deriveDammPositionAddress(positionMint),
    ].map(writable),
    readonly(METEORA_DAMM_V2_AUTHORITY),
    writableSigner(owner),
    ...[TOKEN_2022_PROGRAM, SYSTEM_PROGRAM].map(readonly),
  ]);
}

/** The rent goes to the owner. */
export function closePosition(pool: DammSwapPool, { owner, positionMint }: PositionParties): Instruction {
  const position = [
    positionMint,
    deriveDammPositionTokenAddress(positionMint),
    pool.address,
    deriveDammPositionAddress(positionMint),
  ];
  return build('close_position', [
    ...position.map(writable),
    readonly(METEORA_DAMM_V2_AUTHORITY),
    writable(owner),
    readonlySigner(owner),
    readonly(TOKEN_2022_PROGRAM),
  ]);
}

export function addLiquidity(
  pool: DammSwapPool,
  user: PositionParties,
  liquidity: bigint,
  most: DammSides<bigint>,
): Instruction {
  return build('add_liquidity', change(pool, user), amounts(most, liquidity));
}

export function removeLiquidity(
  pool: DammSwapPool,
  user: PositionParties,
  liquidity: bigint,
  least: DammSides<bigint>,
): Instruction {
  return build('remove_liquidity', withAuthority(pool, user), amounts(least, liquidity));
}

export function removeAllLiquidity(
  pool: DammSwapPool,
  user: PositionParties,
  least: DammSides<bigint>,
): Instruction {
  return build('remove_all_liquidity', withAuthority(pool, user), amounts(least, null));
}

export function claimPositionFee(pool: DammSwapPool, user: PositionParties): Instruction {
  const [authority, , ...rest] = withAuthority(pool, user);
  return build('claim_position_fee', [authority as AccountMeta, readonly(pool.address), ...rest]);
}

/** The schedule of a lock. Without a point of the cliff, the first period begins at once. */
export interface LockTerms {
  readonly cliffPoint: bigint | null;
  readonly periodFrequency: bigint;
  readonly cliffLiquidity: bigint;
  readonly liquidityPerPeriod: bigint;
  readonly periods: number;
}

/** Locks liquidity by a schedule in an account of its own, which the owner pays for. */
export function lockPosition(
  pool: DammSwapPool,
  user: PositionParties,
  { vesting, ...terms }: LockTerms & { readonly vesting: Address },
): Instruction {
  const [poolMeta, position, ...rest] = locked(pool, user);
  return build(
    'lock_position',
    [
      poolMeta as AccountMeta,
      position as AccountMeta,
      writableSigner(vesting),
      ...rest,
      writableSigner(user.owner),
      readonly(SYSTEM_PROGRAM),
    ],
    lockTerms(terms),
  );
}

/** Locks liquidity by a schedule in the position. */
export function lockInnerPosition(pool: DammSwapPool, user: PositionParties, terms: LockTerms): Instruction {
  return build('lock_inner_position', locked(pool, user), lockTerms(terms));
}

export function permanentLockPosition(
  pool: DammSwapPool,
  user: PositionParties,
  liquidity: bigint,
): Instruction {
  const [, ...rest] = locked(pool, user);
  const accounts = [writable(pool.address), ...rest];
  return build('permanent_lock_position', accounts, new ByteWriter(16).u128(liquidity).finish());
}

/** Unlocks what is due, also by the schedules in these accounts. Whoever sends it pays nothing to the owner. */
export function refreshVesting(
  pool: DammSwapPool,
  { owner, positionMint }: PositionParties,
  vestings: readonly Address[],
): Instruction {
  const instruction = build('refresh_vesting', []);
  const accounts = [
    readonly(pool.address),
    writable(deriveDammPositionAddress(positionMint)),
    readonly(deriveDammPositionTokenAddress(positionMint)),
    writable(owner),
    ...vestings.map(writable),
  ];
  return { ...instruction, accounts };
}

function locked(pool: DammSwapPool, { owner, positionMint }: PositionParties): AccountMeta[] {
  return [
    readonly(pool.address),
    writable(deriveDammPositionAddress(positionMint)),
    readonly(deriveDammPositionTokenAddress(positionMint)),
    readonlySigner(owner),
  ];
}

function lockTerms(terms: LockTerms): Uint8Array {
  const to = new ByteWriter(64).bool(terms.cliffPoint !== null);
  if (terms.cliffPoint !== null) to.u64(terms.cliffPoint);
  to.u64(terms.periodFrequency).u128(terms.cliffLiquidity).u128(terms.liquidityPerPeriod);
  return to.u16(terms.periods).finish();
}

function withAuthority(pool: DammSwapPool, user: PositionParties): AccountMeta[] {
  return [readonly(METEORA_DAMM_V2_AUTHORITY), ...change(pool, user)];
}

function change(pool: DammSwapPool, { owner, tokens, positionMint }: PositionParties): AccountMeta[] {
  return [
    ...[pool.address, deriveDammPositionAddress(positionMint), ...tokens, ...pool.vaults].map(writable),
    ...[...pool.mints, deriveDammPositionTokenAddress(positionMint)].map(readonly),
    readonlySigner(owner),
    ...pool.tokenPrograms.map(readonly),
  ];
}

function amounts(limits: DammSides<bigint>, liquidity: bigint | null): Uint8Array {
  const to = new ByteWriter(32);
  if (liquidity !== null) to.u128(liquidity);
  return to.u64(limits[0]).u64(limits[1]).finish();
}
