import { defineAccountLayout, type DecodedLayout } from '../lending-base/account-layout.ts';

/** The current and the queued rewards of one token. Source: the public IDL `lending_reward_rate_model`. */
export const REWARDS = defineAccountLayout('lending rewards rate model', 'a6484783ac4aa6b5', {
  mint: 'address',
  /** The minimum deposits, in atoms, below which there are no rewards. */
  startTvl: 'u64',
  /** Seconds. */
  duration: 'u64',
  /** Unix seconds. 0 before the first rewards. */
  startTime: 'u64',
  /** Atoms per year. */
  yearlyReward: 'u64',
  nextDuration: 'u64',
  /** The total of the queued rewards in atoms. 0 when none are queued. */
  nextRewardAmount: 'u64',
  bump: 'u8',
});
export type Rewards = DecodedLayout<typeof REWARDS>;
