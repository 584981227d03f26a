import type { Address } from '../../solana/address.ts';

/** Launched tokens that unlock for the creator after the migration. Amounts are whole tokens, durations seconds. */
export interface LaunchVestingPlan {
  readonly total: number;
  /** What unlocks at once when the cliff is over. The rest unlocks in equal parts. */
  readonly cliffUnlock: number;
  readonly numberOfPeriods: number;
  /** Of all periods together, from the end of the cliff. */
  readonly totalDuration: number;
  readonly cliffDuration: number;
}

/** The fee of a launch, before and after its migration. */
export interface LaunchFeePlan {
  /** Basis points at the end: 100 or 200. */
  readonly bps: number;
  /** How the fee falls; null leaves it to the service. */
  readonly kind: 'linear' | 'exponential' | null;
  /** The seconds in which it falls; null leaves them to the service. */
  readonly totalDuration: number | null;
  /** Whether it begins at 99 %, so that bots do not buy before everybody else. */
  readonly isAntiSniping: boolean;
}

/** What a creator says about the curve of a launch. */
export interface LaunchCurvePlan {
  readonly quoteMint: Address;
  readonly quoteDecimals: number;
  /** The market capitalisation at which the curve begins, in whole quote tokens. */
  readonly initialMarketCap: number;
  /** The one at which it is complete. */
  readonly migrationMarketCap: number;
  readonly vesting: LaunchVestingPlan;
  readonly fee: LaunchFeePlan;
  /** Whether half of the migrated liquidity is locked for good and the other half for a year. */
  readonly isLiquidityLocked: boolean;
}

/** The names of the fields of a plan as clients send them, for what is refused. */
export const LAUNCH_FIELDS = {
  curve: 'buildCurveByMarketCapParam',
  quoteMint: 'buildCurveByMarketCapParam.quoteMint',
  quoteDecimals: 'buildCurveByMarketCapParam.tokenQuoteDecimal',
  initialMarketCap: 'buildCurveByMarketCapParam.initialMarketCap',
  migrationMarketCap: 'buildCurveByMarketCapParam.migrationMarketCap',
  vestingTotal: 'buildCurveByMarketCapParam.lockedVestingParam.totalLockedVestingAmount',
  cliffUnlock: 'buildCurveByMarketCapParam.lockedVestingParam.cliffUnlockAmount',
  numberOfPeriods: 'buildCurveByMarketCapParam.lockedVestingParam.numberOfVestingPeriod',
  vestingDuration: 'buildCurveByMarketCapParam.lockedVestingParam.totalVestingDuration',
  cliffDuration: 'buildCurveByMarketCapParam.lockedVestingParam.cliffDurationFromMigrationTime',
  feeMode: 'fee.baseFeeMode',
} as const;

/** Whole tokens of every launch. */
export const LAUNCH_SUPPLY = 1_000_000_000;
/** The decimals of every launched token. */
export const LAUNCH_DECIMALS = 6;
