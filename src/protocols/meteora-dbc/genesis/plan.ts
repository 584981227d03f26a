import { DbcMigrationFeeOption, DbcTokenAuthority, DbcTokenType } from '../program/program.ts';
import type { DbcMarketCaps } from '../build-config/build-curve.ts';
import type { DbcLaunchTerms } from '../build-config/launch-terms.ts';

/** A config of the genesis: the terms that its curves are built from. */
export interface PlannedDbcConfig {
  /** What its address is derived from. */
  readonly name: string;
  readonly quote: 'SOL' | 'USDC';
  readonly terms: DbcLaunchTerms;
  readonly caps: DbcMarketCaps;
}

/** A launch of the genesis: the plan from which its accounts are written. */
export interface PlannedLaunch {
  /** The config, by name. */
  readonly config: string;
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
  /** Unix second. */
  readonly launchedAt: bigint;
  /** Atoms of the quote token, with the fee in them, that each buyer has paid. */
  readonly purchases: readonly bigint[];
  /** The Unix second at which a last buyer has completed the curve, and it was migrated; null while it trades. */
  readonly migratedAt: bigint | null;
}

const SUPPLY = 1_000_000_000_000_000n;

/** A thousand million tokens, a fee of 1 % of which the creator has half, and liquidity of which a fifth can be withdrawn. */
function createTerms(tokenType: number, quoteDecimals: number): DbcLaunchTerms {
  return {
    token: {
      tokenType,
      baseDecimals: 6,
      quoteDecimals,
      updateAuthority: DbcTokenAuthority.IMMUTABLE,
      totalSupply: SUPPLY,
      leftover: 0n,
    },
    fee: {
      base: { kind: 'linear', startingFeeBps: 100, endingFeeBps: 100, numberOfPeriods: 0, totalDuration: 0n },
      isDynamic: false,
      collectFeeMode: 0,
      creatorTradingFeePercentage: 50,
      poolCreationFee: 0n,
      isFirstSwapDiscounted: false,
    },
    migration: {
      feeOption: DbcMigrationFeeOption.FIXED_BPS_100,
      fee: { feePercentage: 0, creatorFeePercentage: 0 },
      pool: null,
    },
    liquidity: {
      partnerPermanentLockedPercentage: 50,
      partnerPercentage: 0,
      partnerVesting: null,
      creatorPermanentLockedPercentage: 30,
      creatorPercentage: 20,
      creatorVesting: null,
    },
    lockedTokens: null,
    activationType: 1,
  };
}

const SOL = 1_000_000_000n;
const USDC = 1_000_000n;

export const PLANNED_DBC_CONFIGS: readonly PlannedDbcConfig[] = [
  {
    name: 'sol',
    quote: 'SOL',
    terms: createTerms(DbcTokenType.SPL_TOKEN, 9),
    caps: { initial: 30n * SOL, migration: 400n * SOL },
  },
  {
    name: 'usdc',
    quote: 'USDC',
    terms: createTerms(DbcTokenType.SPL_TOKEN, 6),
    caps: { initial: 16_000n * USDC, migration: 69_000n * USDC },
  },
  {
    name: 'usdc-token-2022',
    quote: 'USDC',
    terms: createTerms(DbcTokenType.TOKEN_2022, 6),
    caps: { initial: 16_000n * USDC, migration: 69_000n * USDC },
  },
];

/** The noon of 30 August 2025. All launches are older than the day that prices imitate. */
const FIRST = 1_756_555_200n;
const HOUR = 3_600n;

/** The order is part of the genesis: append only. */
export const PLANNED_LAUNCHES: readonly PlannedLaunch[] = [
  {
    config: 'sol',
    name: 'Pebble Otter',
    symbol: 'PEBBLE',
    uri: 'https://launches.example/pebble.json',
    launchedAt: FIRST + 30n * HOUR,
    purchases: [],
    migratedAt: null,
  },
  {
    config: 'usdc-token-2022',
    name: 'Lantern Moth',
    symbol: 'LANTERN',
    uri: 'https://launches.example/lantern.json',
    launchedAt: FIRST + 20n * HOUR,
    purchases: [2_500n * USDC, 6_000n * USDC, 1_250n * USDC],
    migratedAt: null,
  },
  {
    config: 'sol',
    name: 'Tin Comet',
    symbol: 'TINCOMET',
    uri: 'https://launches.example/tincomet.json',
    launchedAt: FIRST + 10n * HOUR,
    purchases: [20n * SOL, 35n * SOL, 30n * SOL],
    migratedAt: null,
  },
  {
    config: 'usdc',
    name: 'Harbor Bell',
    symbol: 'HARBOR',
    uri: 'https://launches.example/harbor.json',
    launchedAt: FIRST,
    purchases: [4_000n * USDC, 9_000n * USDC, 3_000n * USDC],
    migratedAt: FIRST + 5n * HOUR,
  },
];
