import type { Address } from '../../../solana/address.ts';

/** Meteora's dynamic bonding curve (DBC). Its public source is `MeteoraAg/dynamic-bonding-curve`. */
export const METEORA_DBC_PROGRAM = 'dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN' as Address;

/** PDA of `pool_authority`: owns every curve's vaults and carries out its migration. */
export const METEORA_DBC_AUTHORITY = 'FhVo3mqL8PW5pH5U2CN4XE33DokiyZnUwuGpH2hmHLuM' as Address;
/** PDA of `__event_authority`: signs the calls in which the program records its events. */
export const METEORA_DBC_EVENT_AUTHORITY = '8Ks12pbrD6PXxfty1hVQiE9sc289zgU1zHkvXhrSdriF' as Address;

/** Seeds of the program's PDAs. */
export const METEORA_DBC_SEEDS = {
  pool: 'pool',
  vault: 'token_vault',
  dammV2Metadata: 'damm_v2',
  partnerMetadata: 'partner_metadata',
  poolMetadata: 'virtual_pool_metadata',
  baseLocker: 'base_locker',
} as const;

export const MAX_DBC_SQRT_PRICE = 79_226_673_521_066_979_257_578_248_091n;
export const MIN_DBC_SQRT_PRICE = 4_295_048_016n;
/** The points that a config may be created with. Its account has room for more. */
export const MAX_DBC_CURVE_POINTS = 16;

/** A fee is a number of billionths. */
export const DBC_FEE_DENOMINATOR = 1_000_000_000n;
/** The least and the most that a fee may be. */
export const MIN_DBC_FEE = 2_500_000n;
export const MAX_DBC_FEE = 990_000_000n;

/** In which token a curve takes its fees. */
export const DbcCollectFeeMode = { QUOTE_TOKEN: 0, OUTPUT_TOKEN: 1 } as const;
/** How a curve's base fee is computed. */
export const DbcBaseFeeMode = { LINEAR: 0, EXPONENTIAL: 1, RATE_LIMITER: 2 } as const;
/** The unit of activation points. */
export const DbcActivationType = { SLOT: 0, TIMESTAMP: 1 } as const;
/** The token program of a launched token. */
export const DbcTokenType = { SPL_TOKEN: 0, TOKEN_2022: 1 } as const;
/** The program that the liquidity goes to. The stand-in refuses the first. */
export const DbcMigrationOption = { DAMM_V1: 0, DAMM_V2: 1 } as const;
/** The fee of the pool that a curve becomes. */
export const DbcMigrationFeeOption = {
  FIXED_BPS_25: 0,
  FIXED_BPS_30: 1,
  FIXED_BPS_100: 2,
  FIXED_BPS_200: 3,
  FIXED_BPS_400: 4,
  FIXED_BPS_600: 5,
  CUSTOMIZABLE: 6,
} as const;
/** Who may change the metadata of a launched token, and who may mint more of it. */
export const DbcTokenAuthority = {
  CREATOR_UPDATE: 0,
  IMMUTABLE: 1,
  PARTNER_UPDATE: 2,
  CREATOR_UPDATE_AND_MINT: 3,
  PARTNER_UPDATE_AND_MINT: 4,
} as const;
/** How far a curve is: it trades only in the first state, and has its DAMM v2 pool in the last. */
export const DbcMigrationProgress = {
  PRE_BONDING_CURVE: 0,
  POST_BONDING_CURVE: 1,
  LOCKED_VESTING: 2,
  CREATED_POOL: 3,
} as const;
/** How `swap2` reads its two amounts: input and least output, the same with less input, or output and most input. */
export const DbcSwapMode = { EXACT_IN: 0, PARTIAL_FILL: 1, EXACT_OUT: 2 } as const;
/** Which way a swap goes, as events say it. */
export const DbcTradeDirection = { BASE_TO_QUOTE: 0, QUOTE_TO_BASE: 1 } as const;
/** Whose share of the migration fee is withdrawn. */
export const DbcMigrationFeeFlag = { PARTNER: 0, CREATOR: 1 } as const;

/** The DAMM v2 configs that migrations create their pools under, by migration fee option. */
export const DBC_MIGRATION_CONFIGS: readonly Address[] = [
  '7F6dnUcRuyM2TwR8myT1dYypFXpPSxqwKNSFNkxyNESd' as Address,
  '2nHK1kju6XjphBLbNxpM5XRGFj7p9U8vvNzyZiha1z6k' as Address,
  'Hv8Lmzmnju6m7kcokVKvwqz7QPmdX9XfKjJsXz8RXcjp' as Address,
  '2c4cYd4reUYVRAB9kUUkrq55VPyy2FNQ3FDL4o12JXmq' as Address,
  'AkmQWebAwFvWk55wBoCr5D62C6VVDTzi84NJuD9H7cFD' as Address,
  'DbCRBj8McvPYHJG1ukj8RE15h2dCNUdTAESG49XpQ44u' as Address,
  'A8gMrEPJkacWkcb3DGwtJwTe16HktSEfvwtuDh2MCtck' as Address,
];
