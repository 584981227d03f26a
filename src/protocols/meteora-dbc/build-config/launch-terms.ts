import type { DbcMigratedPoolFee, DbcMigrationFee } from '../program/config-parameters.ts';

/** The launched token. Amounts are atoms. */
export interface DbcTokenTerms {
  /** A `DbcTokenType`. */
  readonly tokenType: number;
  /** From 6 to 9. */
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
  /** A `DbcTokenAuthority`. */
  readonly updateAuthority: number;
  readonly totalSupply: bigint;
  /** The part of the supply that is neither sold nor migrated, and that the leftover receiver gets. */
  readonly leftover: bigint;
}

/** A fee that falls from one rate to another, in basis points. Both are the same where it stays. */
export interface DbcScheduledFee {
  readonly kind: 'linear' | 'exponential';
  readonly startingFeeBps: number;
  readonly endingFeeBps: number;
  readonly numberOfPeriods: number;
  /** In points of the activation type. */
  readonly totalDuration: bigint;
}

/** A fee that rises with the size of a purchase, in basis points. */
export interface DbcLimitedFee {
  readonly kind: 'rateLimiter';
  readonly baseFeeBps: number;
  readonly feeIncrementBps: number;
  /** Atoms of the quote token. */
  readonly referenceAmount: bigint;
  /** In points of the activation type. */
  readonly maxDuration: bigint;
}

export interface DbcFeePlan {
  readonly base: DbcScheduledFee | DbcLimitedFee;
  /** Whether volatility may add a fifth of the base fee to it. */
  readonly isDynamic: boolean;
  /** A `DbcCollectFeeMode`. */
  readonly collectFeeMode: number;
  readonly creatorTradingFeePercentage: number;
  /** Lamports that each launch pays to the partner. */
  readonly poolCreationFee: bigint;
  readonly isFirstSwapDiscounted: boolean;
}

/** A fee of the migrated pool that falls while the market capitalisation rises. Both are in atoms of the quote token. */
export interface DbcMarketCapFee {
  readonly kind: 'linear' | 'exponential';
  readonly endingFeeBps: number;
  readonly numberOfPeriods: number;
  readonly startingMarketCap: bigint;
  readonly endingMarketCap: bigint;
  /** Seconds. */
  readonly expirationDuration: number;
}

/** The fee of a migrated pool whose terms are the launcher's own. */
export interface DbcMigratedPoolPlan extends DbcMigratedPoolFee {
  /** Above 0 where the pool compounds its fees. */
  readonly compoundingFeeBps: number;
  readonly marketCapFee: DbcMarketCapFee | null;
}

export interface DbcMigrationPlan {
  /** A `DbcMigrationFeeOption`, where the migrated pool has one of the fixed fees. */
  readonly feeOption: number;
  readonly fee: DbcMigrationFee;
  /** Read only if the option is customizable. */
  readonly pool: DbcMigratedPoolPlan | null;
}

/** How the migrated liquidity of the partner or of the creator unlocks. Durations are seconds. */
export interface DbcLiquidityVestingPlan {
  readonly vestingPercentage: number;
  readonly bpsPerPeriod: number;
  readonly numberOfPeriods: number;
  readonly cliffDuration: number;
  readonly totalDuration: number;
}

/** To whom the migrated liquidity goes, in percent. All six percentages make 100. */
export interface DbcLiquidityPlan {
  readonly partnerPermanentLockedPercentage: number;
  readonly partnerPercentage: number;
  readonly partnerVesting: DbcLiquidityVestingPlan | null;
  readonly creatorPermanentLockedPercentage: number;
  readonly creatorPercentage: number;
  readonly creatorVesting: DbcLiquidityVestingPlan | null;
}

/** Tokens that unlock for the creator after the migration. Amounts are atoms, durations seconds. */
export interface DbcLockedTokensPlan {
  readonly total: bigint;
  readonly cliffUnlock: bigint;
  readonly numberOfPeriods: bigint;
  readonly totalDuration: bigint;
  readonly cliffDuration: bigint;
}

/** What a launcher says about a curve, besides its prices. */
export interface DbcLaunchTerms {
  readonly token: DbcTokenTerms;
  readonly fee: DbcFeePlan;
  readonly migration: DbcMigrationPlan;
  readonly liquidity: DbcLiquidityPlan;
  readonly lockedTokens: DbcLockedTokensPlan | null;
  /** A `DbcActivationType`. */
  readonly activationType: number;
}

/** Why a config cannot be built: the name of the program's error, and what is wrong. */
export interface DbcBuildError {
  readonly code: string;
  readonly message: string;
}
