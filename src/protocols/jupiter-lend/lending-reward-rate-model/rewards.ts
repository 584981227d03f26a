import { minimum, maximum } from '../../../solana/units.ts';
import { WHOLE, YEAR } from '../lending-base/amounts.ts';
import type { Rewards } from './layouts.ts';

/** A return of 100 percent. */
export const RETURN_ONE = 100_000_000_000_000n;
/** The maximum yearly return by rewards. */
const MAX_RETURN = RETURN_ONE / 2n;

/**
 * Computes the return by rewards between two times: by the current rewards, and by those queued after them. There are
 * none before their start, and none while less than `startTvl` is deposited.
 *
 * @param assets - The deposits in atoms, at the price of `since`.
 * @param since - Unix seconds.
 * @param now - Unix seconds.
 * @returns A part of `RETURN_ONE`, or null when rewards run while nothing is deposited: the program fails then.
 */
export function computeRewardsReturn(
  rewards: Rewards,
  assets: bigint,
  since: bigint,
  now: bigint,
): bigint | null {
  if (!isRunning(rewards, assets, now)) return 0n;
  if (assets === 0n) return null;
  const end = rewards.startTime + rewards.duration;
  const first = returned(rewards.yearlyReward, assets, overlap(rewards.startTime, end, since, now));
  if (rewards.nextRewardAmount === 0n || rewards.nextDuration === 0n || now <= end) return first;
  const yearly = (rewards.nextRewardAmount * YEAR) / rewards.nextDuration;
  return first + returned(yearly, assets, overlap(end, end + rewards.nextDuration, since, now));
}

/**
 * Computes the yearly rate of the rewards that are active at `now`.
 *
 * @param assets - The deposits in atoms.
 * @param now - Unix seconds.
 * @returns Basis points, rounded down; at most 5,000.
 */
export function computeRewardsRateAt(rewards: Rewards, assets: bigint, now: bigint): bigint {
  if (assets === 0n || !isRunning(rewards, assets, now)) return 0n;
  const end = rewards.startTime + rewards.duration;
  if (now <= end) return minimum((rewards.yearlyReward * WHOLE) / assets, WHOLE / 2n);
  const hasNext = rewards.nextRewardAmount !== 0n && rewards.nextDuration !== 0n;
  if (!hasNext || now > end + rewards.nextDuration) return 0n;
  const yearly = (rewards.nextRewardAmount * YEAR) / rewards.nextDuration;
  return minimum((yearly * WHOLE) / assets, WHOLE / 2n);
}

function isRunning({ startTime, duration, startTvl }: Rewards, assets: bigint, now: bigint): boolean {
  return startTime !== 0n && duration !== 0n && now >= startTime && assets >= startTvl;
}

function overlap(start: bigint, end: bigint, since: bigint, now: bigint): bigint {
  return maximum(minimum(now, end) - maximum(since, start), 0n);
}

function returned(yearly: bigint, assets: bigint, seconds: bigint): bigint {
  const rate = minimum((yearly * RETURN_ONE) / assets, MAX_RETURN);
  return (rate * seconds) / YEAR;
}
