import type { Address } from '../../../solana/address.ts';
import { ByteReader } from '../../../solana/codec/byte-reader.ts';
import type { DammSides } from '../program/layout.ts';
import { type DammUnlockSchedule, POSITION_TAG, readUnlockSchedule } from '../program/layout-position.ts';

/** What a position may earn of one of the pool's two rewards. */
export interface PositionReward {
  readonly perLiquidityCheckpoint: bigint;
  readonly pending: bigint;
}

export interface DammPosition {
  readonly pool: Address;
  readonly mint: Address;
  /** Fees per liquidity at the last update, Q128.128 of a liquidity that is Q64.64. */
  readonly feeCheckpoints: DammSides<bigint>;
  readonly feesPending: DammSides<bigint>;
  readonly unlocked: bigint;
  readonly vested: bigint;
  readonly permanentlyLocked: bigint;
  readonly rewards: DammSides<PositionReward>;
  /** By which liquidity unlocks. It is zero in every field where the position has none of its own. */
  readonly schedule: DammUnlockSchedule;
}

/** A reward of a pool, as far as positions depend on it. */
export interface PoolReward {
  readonly initialized: boolean;
  readonly mint: Address;
  /** Unix second. */
  readonly durationEnd: bigint;
  /** Q64.64 atoms per second. */
  readonly rate: bigint;
  readonly perLiquidity: bigint;
  /** Unix second. */
  readonly lastUpdate: bigint;
}

/** What the liquidity of a pool earned so far. */
export interface PoolGrowth {
  readonly feePerLiquidity: DammSides<bigint>;
  readonly rewards: DammSides<PoolReward>;
}

const FEE_PER_LIQUIDITY_AT = 488;
const REWARDS_AT = 728;

/** @throws LayoutInvalid when the bytes are not a position */
export function decodeDammPosition(data: Uint8Array): DammPosition {
  const from = new ByteReader(data, 'Meteora DAMM v2 position');
  from.expect(POSITION_TAG, 'discriminator');
  const head = {
    pool: from.address(),
    mint: from.address(),
    feeCheckpoints: [u256(from), u256(from)] as const,
    feesPending: [from.u64(), from.u64()] as const,
    unlocked: from.u128(),
    vested: from.u128(),
    permanentlyLocked: from.u128(),
  };
  from.skip(16);
  const reward = (): PositionReward => {
    const growth = { perLiquidityCheckpoint: u256(from), pending: from.u64() };
    from.skip(8);
    return growth;
  };
  return { ...head, rewards: [reward(), reward()], schedule: readUnlockSchedule(from) };
}

/** @throws LayoutInvalid when the data ends early */
export function decodePoolGrowth(data: Uint8Array): PoolGrowth {
  const fees = new ByteReader(data, 'Meteora DAMM v2 pool', FEE_PER_LIQUIDITY_AT);
  const feePerLiquidity = [u256(fees), u256(fees)] as const;
  const from = new ByteReader(data, 'Meteora DAMM v2 pool', REWARDS_AT);
  return { feePerLiquidity, rewards: [readReward(from), readReward(from)] };
}

function readReward(from: ByteReader): PoolReward {
  const initialized = from.u8() !== 0;
  from.skip(15);
  const mint = from.address();
  from.skip(72);
  const terms = {
    durationEnd: from.u64(),
    rate: from.u128(),
    perLiquidity: u256(from),
    lastUpdate: from.u64(),
  };
  from.skip(8);
  return { initialized, mint, ...terms };
}

function u256(from: ByteReader): bigint {
  const low = from.u128();
  return (from.u128() << 128n) | low;
}
