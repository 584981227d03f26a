import type { AccountFilter } from '../../../chain/accounts.ts';
import type { Address } from '../../../solana/address.ts';
import { ByteReader } from '../../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';

/** A pair of values: for token A and for token B of a pool. */
export type WhirlpoolSides<T> = readonly [T, T];

/** One of a pool's three rewards to its liquidity providers. It is unused if `mint` is the default address. */
export interface RewardInfo {
  readonly mint: Address;
  readonly vault: Address;
  /** 32 bytes that only the first reward uses, for the pool's reward authority. */
  readonly extension: Uint8Array;
  /** Q64.64 atoms per second. */
  readonly emissionsPerSecond: bigint;
  readonly growthGlobal: bigint;
}

/** The pool account as it is stored. Pairs are in the order token A, token B. */
export interface Whirlpool {
  readonly config: Address;
  readonly bump: number;
  readonly tickSpacing: number;
  /** The index of the fee tier. It equals the tick spacing unless the pool has an adaptive fee. */
  readonly feeTierIndex: number;
  /** Millionths of the input. */
  readonly feeRate: number;
  /** Ten-thousandths of the fee. */
  readonly protocolFeeRate: number;
  readonly liquidity: bigint;
  /** Q64.64 square root of the price of A in atoms of B. */
  readonly sqrtPrice: bigint;
  readonly tick: number;
  readonly protocolFeesOwed: WhirlpoolSides<bigint>;
  readonly mints: WhirlpoolSides<Address>;
  readonly vaults: WhirlpoolSides<Address>;
  /** Fees per unit of liquidity since the pool was created, Q64.64, wrapping. */
  readonly feeGrowth: WhirlpoolSides<bigint>;
  readonly rewardsUpdatedAt: bigint;
  readonly rewards: readonly [RewardInfo, RewardInfo, RewardInfo];
}

/** The owners and defaults that a set of pools shares. */
export interface WhirlpoolsConfig {
  readonly feeAuthority: Address;
  readonly collectProtocolFeesAuthority: Address;
  readonly rewardEmissionsSuperAuthority: Address;
  /** Ten-thousandths of the fee, for new pools. */
  readonly defaultProtocolFeeRate: number;
  readonly featureFlags: number;
}

/** The fee that new pools of a tick spacing start with. */
export interface WhirlpoolFeeTier {
  readonly config: Address;
  readonly tickSpacing: number;
  readonly defaultFeeRate: number;
}

/** Liquidity between two ticks. The holder of the only token of `mint` owns it. */
export interface WhirlpoolPosition {
  readonly whirlpool: Address;
  readonly mint: Address;
  readonly liquidity: bigint;
  readonly lowerTick: number;
  readonly upperTick: number;
  readonly feeGrowthCheckpoints: WhirlpoolSides<bigint>;
  readonly feesOwed: WhirlpoolSides<bigint>;
}

const WHIRLPOOL_SIZE = 653;
const WHIRLPOOLS_CONFIG_SIZE = 108;
const FEE_TIER_SIZE = 44;
const POSITION_SIZE = 216;

const WHIRLPOOL_TAG = Uint8Array.of(0x3f, 0x95, 0xd1, 0x0c, 0xe1, 0x80, 0x63, 0x09);
const CONFIG_TAG = Uint8Array.of(0x9d, 0x14, 0x31, 0xe0, 0xd9, 0x57, 0xc1, 0xfe);
const FEE_TIER_TAG = Uint8Array.of(0x38, 0x4b, 0x9f, 0x4c, 0x8e, 0x44, 0xbe, 0x69);
const POSITION_TAG = Uint8Array.of(0xaa, 0xbc, 0x8f, 0xe4, 0x7a, 0x40, 0xf7, 0xd0);

/** The filter by which RPC nodes tell pools from the program's other accounts. */
export const POOL_FILTER: AccountFilter = {
  dataSize: WHIRLPOOL_SIZE,
  memcmp: { offset: 0, bytes: WHIRLPOOL_TAG },
};

/** Whether the data of an account that the program owns is a pool's. */
export function isWhirlpoolData(data: Uint8Array): boolean {
  return data.length === WHIRLPOOL_SIZE && WHIRLPOOL_TAG.every((byte, at) => data[at] === byte);
}

/** @throws LayoutInvalid when the bytes are not a pool */
export function decodeWhirlpool(data: Uint8Array): Whirlpool {
  const from = new ByteReader(data, 'whirlpool');
  from.expect(WHIRLPOOL_TAG, 'discriminator');
  const head = {
    config: from.address(),
    bump: from.u8(),
    tickSpacing: from.u16(),
    feeTierIndex: from.u16(),
    feeRate: from.u16(),
    protocolFeeRate: from.u16(),
    liquidity: from.u128(),
    sqrtPrice: from.u128(),
    tick: from.i32(),
    protocolFeesOwed: [from.u64(), from.u64()] as const,
  };
  const side = () => ({ mint: from.address(), vault: from.address(), growth: from.u128() });
  const [a, b] = [side(), side()];
  const rewardsUpdatedAt = from.u64();
  const reward = (): RewardInfo => ({
    mint: from.address(),
    vault: from.address(),
    extension: from.bytes(32),
    emissionsPerSecond: from.u128(),
    growthGlobal: from.u128(),
  });
  const rewards = [reward(), reward(), reward()] as const;
  from.end();
  return {
    ...head,
    mints: [a.mint, b.mint],
    vaults: [a.vault, b.vault],
    feeGrowth: [a.growth, b.growth],
    rewardsUpdatedAt,
    rewards,
  };
}

export function encodeWhirlpool(pool: Whirlpool): Uint8Array {
  const to = new ByteWriter(WHIRLPOOL_SIZE).bytes(WHIRLPOOL_TAG).address(pool.config).u8(pool.bump);
  to.u16(pool.tickSpacing).u16(pool.feeTierIndex).u16(pool.feeRate).u16(pool.protocolFeeRate);
  to.u128(pool.liquidity).u128(pool.sqrtPrice).i32(pool.tick);
  to.u64(pool.protocolFeesOwed[0]).u64(pool.protocolFeesOwed[1]);
  for (const side of [0, 1] as const) {
    to.address(pool.mints[side]).address(pool.vaults[side]).u128(pool.feeGrowth[side]);
  }
  to.u64(pool.rewardsUpdatedAt);
  for (const reward of pool.rewards) {
    to.address(reward.mint).address(reward.vault).bytes(reward.extension);
    to.u128(reward.emissionsPerSecond).u128(reward.growthGlobal);
  }
  return to.finish();
}

export function encodeWhirlpoolsConfig(config: WhirlpoolsConfig): Uint8Array {
  return new ByteWriter(WHIRLPOOLS_CONFIG_SIZE)
    .bytes(CONFIG_TAG)
    .address(config.feeAuthority)
    .address(config.collectProtocolFeesAuthority)
    .address(config.rewardEmissionsSuperAuthority)
    .u16(config.defaultProtocolFeeRate)
    .u16(config.featureFlags)
    .finish();
}

export function encodeFeeTier(tier: WhirlpoolFeeTier): Uint8Array {
  return new ByteWriter(FEE_TIER_SIZE)
    .bytes(FEE_TIER_TAG)
    .address(tier.config)
    .u16(tier.tickSpacing)
    .u16(tier.defaultFeeRate)
    .finish();
}

/**
 * Decodes a position without its rewards.
 *
 * @throws LayoutInvalid when the bytes are not a position
 */
export function decodePosition(data: Uint8Array): WhirlpoolPosition {
  const from = new ByteReader(data, 'whirlpool position');
  from.expect(POSITION_TAG, 'discriminator');
  const head = {
    whirlpool: from.address(),
    mint: from.address(),
    liquidity: from.u128(),
    lowerTick: from.i32(),
    upperTick: from.i32(),
  };
  const fees = () => ({ checkpoint: from.u128(), owed: from.u64() });
  const [a, b] = [fees(), fees()];
  from.skip(POSITION_SIZE - from.offset);
  from.end();
  return { ...head, feeGrowthCheckpoints: [a.checkpoint, b.checkpoint], feesOwed: [a.owed, b.owed] };
}

/** A position without rewards. */
export function encodePosition(position: WhirlpoolPosition): Uint8Array {
  const to = new ByteWriter(POSITION_SIZE)
    .bytes(POSITION_TAG)
    .address(position.whirlpool)
    .address(position.mint)
    .u128(position.liquidity)
    .i32(position.lowerTick)
    .i32(position.upperTick);
  for (const side of [0, 1] as const) {
    to.u128(position.feeGrowthCheckpoints[side]).u64(position.feesOwed[side]);
  }
  return to.zeros(POSITION_SIZE - to.length).finish();
}
