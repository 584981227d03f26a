import type { Address } from '../../../solana/address.ts';

/** Meteora's DAMM v2 program. Its public source is `MeteoraAg/damm-v2`. */
export const METEORA_DAMM_V2_PROGRAM = 'cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG' as Address;

/** PDA of `pool_authority`: owns every pool's vaults and mints the tokens of positions. */
export const METEORA_DAMM_V2_AUTHORITY = 'HLnpSz9h2S4hiLQ43rnSD9XkcUThA7B8hQMKmDaiTLcC' as Address;
/** PDA of `__event_authority`: signs the calls in which the program records its events. */
export const METEORA_DAMM_V2_EVENT_AUTHORITY = '3rmHSu74h1ZcmAisVcWerTCiRDQbUrBKmcwptYGjHfet' as Address;

/** Seeds of the program's PDAs. */
export const METEORA_DAMM_V2_SEEDS = {
  pool: 'pool',
  customPool: 'cpool',
  vault: 'token_vault',
  position: 'position',
  positionToken: 'position_nft_account',
} as const;

/** A fee is a number of billionths. */
export const FEE_DENOMINATOR = 1_000_000_000n;
/** The most that a fee may be, by the pool's fee version. */
export const MAX_FEES: readonly [bigint, bigint] = [500_000_000n, 990_000_000n];

export const MIN_SQRT_PRICE = 4_295_048_016n;
export const MAX_SQRT_PRICE = 79_226_673_521_066_979_257_578_248_091n;
