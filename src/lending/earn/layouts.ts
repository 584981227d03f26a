import { accountLayout, type Decoded } from '../account-layout.ts';

/** The lending of one token: who deposits it gets receipt tokens. Source: the public IDL `lending`. */
export const LENDING = accountLayout('lending', '87c75210f983b6f1', {
  mint: 'address',
  /** The mint of the receipt tokens. */
  fTokenMint: 'address',
  lendingId: 'u16',
  decimals: 'u8',
  rewardsRateModel: 'address',
  /** The liquidity program's supply price, as of the last update; 12 decimals. */
  liquidityExchangePrice: 'u64',
  /** Atoms of the token per atom of the receipt token, as of the last update; 12 decimals. */
  tokenExchangePrice: 'u64',
  /** Unix seconds. */
  lastUpdateTimestamp: 'u64',
  tokenReservesLiquidity: 'address',
  supplyPositionOnLiquidity: 'address',
  bump: 'u8',
});
export type Lending = Decoded<typeof LENDING>;

/** The rewards of one token: those that run, and those that follow. Source: the IDL `lending_reward_rate_model`. */
export const REWARDS = accountLayout('lending rewards rate model', 'a6484783ac4aa6b5', {
  mint: 'address',
  /** While fewer assets than this are deposited there are no rewards. */
  startTvl: 'u64',
  /** Seconds. */
  duration: 'u64',
  /** Unix seconds; 0 before any rewards. */
  startTime: 'u64',
  /** Atoms per year. */
  yearlyReward: 'u64',
  nextDuration: 'u64',
  /** Atoms in all; 0 if nothing follows. */
  nextRewardAmount: 'u64',
  bump: 'u8',
});
export type Rewards = Decoded<typeof REWARDS>;
