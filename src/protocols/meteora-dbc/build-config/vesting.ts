import {
  type DbcLiquidityVesting,
  type DbcLockedVesting,
  NO_LIQUIDITY_VESTING,
  NO_LOCKED_VESTING,
} from '../program/config-terms.ts';
import type { DbcLiquidityVestingPlan, DbcLockedTokensPlan } from './launch-terms.ts';

/**
 * Splits locked tokens into equal parts of whole tokens, and a part at the cliff that takes what does not divide. If all of
 * them unlock at the cliff, one token unlocks a second later, because the program wants a period.
 */
export function toDbcLockedVesting(plan: DbcLockedTokensPlan | null, decimals: number): DbcLockedVesting {
  if (plan === null || plan.total === 0n) return NO_LOCKED_VESTING;
  const { total, cliffUnlock, numberOfPeriods: numberOfPeriod, cliffDuration } = plan;
  const token = 10n ** BigInt(decimals);
  if (total === cliffUnlock) {
    return {
      amountPerPeriod: token,
      cliffDurationFromMigrationTime: cliffDuration,
      frequency: 1n,
      numberOfPeriod: 1n,
      cliffUnlockAmount: total - token,
    };
  }
  const periods = numberOfPeriod === 0n ? 1n : numberOfPeriod;
  const amountPerPeriod = ((total - cliffUnlock) / (periods * token)) * token;
  return {
    amountPerPeriod,
    cliffDurationFromMigrationTime: cliffDuration,
    frequency: plan.totalDuration / periods,
    numberOfPeriod,
    cliffUnlockAmount: total - amountPerPeriod * numberOfPeriod,
  };
}

export function computeLockedTotal(vesting: DbcLockedVesting): bigint {
  return vesting.cliffUnlockAmount + vesting.amountPerPeriod * vesting.numberOfPeriod;
}

/** Translates how liquidity unlocks. The seconds of a period are rounded to the nearest. */
export function toDbcLiquidityVesting(plan: DbcLiquidityVestingPlan | null): DbcLiquidityVesting {
  if (plan === null || plan.vestingPercentage === 0) return NO_LIQUIDITY_VESTING;
  const { vestingPercentage, bpsPerPeriod, numberOfPeriods, cliffDuration, totalDuration } = plan;
  const frequency = numberOfPeriods === 0 ? 0 : Math.round(totalDuration / numberOfPeriods);
  return {
    vestingPercentage,
    bpsPerPeriod,
    numberOfPeriods,
    cliffDurationFromMigrationTime: cliffDuration,
    frequency,
  };
}

/** The most seconds from the migration in which liquidity may vest: two years. */
const MAX_DURATION = 63_072_000;

/** Whether the program accepts how liquidity unlocks. */
export function isValidLiquidityVesting(vesting: DbcLiquidityVesting): boolean {
  if (Object.values(vesting).every((each) => each === 0)) return true;
  const { bpsPerPeriod, numberOfPeriods } = vesting;
  const parts = splitVesting(vesting, (1n << 128n) - 1n);
  if (parts === null || bpsPerPeriod * numberOfPeriods > 0xffff) return false;
  if (parts.cliff === 0 && parts.periods === 0) return false;
  if (parts.periods > 0 && parts.frequency === 0) return false;
  return parts.cliff + parts.frequency * parts.periods <= MAX_DURATION && parts.total > 0n;
}

/** Returns the basis points of all liquidity that are still locked some seconds after the migration. */
export function computeLockedBps(vesting: DbcLiquidityVesting, seconds: number): bigint {
  if (Object.values(vesting).every((each) => each === 0)) return 0n;
  const all = (1n << 128n) - 1n;
  const parts = splitVesting(vesting, all);
  if (parts === null) return 0n;
  return ((parts.total - unlockedAfter(parts, seconds)) * 10_000n) / all;
}

interface VestingParts {
  readonly total: bigint;
  readonly atCliff: bigint;
  readonly perPeriod: bigint;
  readonly cliff: number;
  readonly periods: number;
  readonly frequency: number;
}

/** Splits liquidity as the program does for DAMM v2; null if more than all of it unlocks in the periods. */
function splitVesting(vesting: DbcLiquidityVesting, liquidity: bigint): VestingParts | null {
  const total = (liquidity * BigInt(vesting.vestingPercentage)) / 100n;
  const periods = BigInt(vesting.numberOfPeriods);
  const inPeriods = (total * BigInt(vesting.bpsPerPeriod) * periods) / 10_000n;
  const perPeriod = periods === 0n ? 0n : inPeriods / periods;
  const atCliff = total - perPeriod * periods;
  if (atCliff < 0n) return null;
  if (perPeriod === 0n) {
    const cliff = Math.max(vesting.cliffDurationFromMigrationTime, 1);
    return { total, atCliff, perPeriod, cliff, periods: 0, frequency: 0 };
  }
  const { cliffDurationFromMigrationTime: cliff, numberOfPeriods, frequency } = vesting;
  return { total, atCliff, perPeriod, cliff, periods: numberOfPeriods, frequency };
}

function unlockedAfter(parts: VestingParts, seconds: number): bigint {
  if (seconds < parts.cliff) return 0n;
  if (parts.frequency === 0) return parts.atCliff;
  const passed = Math.min(Math.floor((seconds - parts.cliff) / parts.frequency), parts.periods);
  return parts.atCliff + parts.perPeriod * BigInt(passed);
}
