import type { Address } from '../../../solana/address.ts';
import { ByteReader } from '../../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';

export const POSITION_TAG = Uint8Array.of(170, 188, 143, 228, 122, 64, 247, 208);
const POSITION_SIZE = 408;
const VESTING_TAG = Uint8Array.of(100, 149, 66, 138, 95, 200, 128, 241);
const VESTING_SIZE = 184;

/** Liquidity that unlocks step by step: a part at the cliff, and an equal part after each period. */
export interface DammUnlockSchedule {
  /** In the unit of the pool's activation: a slot or a Unix second. */
  readonly cliffPoint: bigint;
  readonly periodFrequency: bigint;
  readonly cliffLiquidity: bigint;
  readonly liquidityPerPeriod: bigint;
  /** The part that was already unlocked. */
  readonly released: bigint;
  readonly periods: number;
}

/** The account of a schedule that is not stored in its position. */
export interface DammVesting {
  readonly position: Address;
  readonly schedule: DammUnlockSchedule;
}

/** A position that has earned nothing yet. */
export interface WrittenDammPosition {
  readonly pool: Address;
  readonly mint: Address;
  /** The liquidity that is not locked. */
  readonly liquidity: bigint;
  readonly vested?: bigint;
  readonly permanentlyLocked?: bigint;
  readonly schedule?: DammUnlockSchedule;
}

/** Encodes the account of a position. What is not given is zero. */
export function encodePosition(position: WrittenDammPosition): Uint8Array {
  const { vested = 0n, permanentlyLocked = 0n, schedule } = position;
  const to = new ByteWriter(POSITION_SIZE).bytes(POSITION_TAG).address(position.pool).address(position.mint);
  to.zeros(80).u128(position.liquidity).u128(vested).u128(permanentlyLocked);
  // Claimed fees and rewards come before the schedule.
  to.zeros(16 + 96);
  if (schedule !== undefined) {
    to.u64(schedule.cliffPoint).u64(schedule.periodFrequency).u128(schedule.cliffLiquidity);
    to.u128(schedule.liquidityPerPeriod).u128(schedule.released).u16(schedule.periods);
  }
  return to.zeros(POSITION_SIZE - to.length).finish();
}

/**
 * Decodes a schedule's account.
 *
 * @throws LayoutInvalid when the data is not a schedule's.
 */
export function decodeDammVesting(data: Uint8Array): DammVesting {
  const from = new ByteReader(data, 'Meteora DAMM v2 vesting');
  from.expect(VESTING_TAG, 'discriminator');
  const vesting = { position: from.address(), schedule: readUnlockSchedule(from) };
  from.skip(VESTING_SIZE - from.offset);
  from.end();
  return vesting;
}

/** Reads the 80 bytes of a schedule. */
export function readUnlockSchedule(from: ByteReader): DammUnlockSchedule {
  const [cliffPoint, periodFrequency] = [from.u64(), from.u64()];
  const [cliffLiquidity, liquidityPerPeriod, released] = [from.u128(), from.u128(), from.u128()];
  const periods = from.u16();
  from.skip(14);
  return { cliffPoint, periodFrequency, cliffLiquidity, liquidityPerPeriod, released, periods };
}

/** Returns the liquidity that a schedule has unlocked at a slot or second, including what was unlocked before. */
export function computeUnlockedLiquidity(schedule: DammUnlockSchedule, point: bigint): bigint {
  const { cliffPoint, periodFrequency, cliffLiquidity, liquidityPerPeriod } = schedule;
  if (point < cliffPoint) return 0n;
  if (periodFrequency === 0n) return cliffLiquidity;
  const passed = (point - cliffPoint) / periodFrequency;
  const most = BigInt(schedule.periods);
  return cliffLiquidity + (passed < most ? passed : most) * liquidityPerPeriod;
}
