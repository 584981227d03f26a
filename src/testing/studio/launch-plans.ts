import type { LaunchCurvePlan } from '../../studio/curve/launch-plan.ts';
import { EXAMPLE_MINTS } from '../../products/example-values.ts';
import type { Address } from '../../solana/address.ts';

/** The preset for memes. */
export const MEME_PLAN: LaunchCurvePlan = {
  quoteMint: EXAMPLE_MINTS.usdc as Address,
  quoteDecimals: 6,
  initialMarketCap: 16_000,
  migrationMarketCap: 69_000,
  vesting: { total: 0, cliffUnlock: 0, numberOfPeriods: 0, totalDuration: 0, cliffDuration: 0 },
  fee: { bps: 100, kind: null, totalDuration: null, isAntiSniping: false },
  isLiquidityLocked: true,
};

/** The preset for independent teams: a tenth of the supply unlocks daily over a year. */
export const INDIE_PLAN: LaunchCurvePlan = {
  ...MEME_PLAN,
  initialMarketCap: 32_000,
  migrationMarketCap: 240_000,
  vesting: {
    total: 100_000_000,
    cliffUnlock: 0,
    numberOfPeriods: 365,
    totalDuration: 31_536_000,
    cliffDuration: 0,
  },
  fee: { ...MEME_PLAN.fee, isAntiSniping: true },
};
