import type { Address } from '../../../solana/address.ts';

/** Raydium's constant-product program. Its public source is `raydium-io/raydium-cp-swap`. */
export const RAYDIUM_CPMM_PROGRAM = 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C' as Address;

/** PDA of `vault_and_lp_mint_auth_seed`: owns every pool's vaults and mints every pool's LP token. */
export const RAYDIUM_CPMM_AUTHORITY = 'GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL' as Address;
export const RAYDIUM_CPMM_AUTHORITY_BUMP = 253;

/** The wrapped-SOL account that the fee for creating a pool goes to. */
export const RAYDIUM_CPMM_POOL_FEE_RECEIVER = 'DNXgeM9EiiaAbaWvwjHj9fQQLAX5ZsfHyvmYUNRAdNC8' as Address;

/** May create and change fee configurations, and set a pool's status. */
export const RAYDIUM_CPMM_ADMIN = 'GThUX1Atko4tqhN2NaiTazWSeFWMuiUvfFnyJyUghFMJ' as Address;

/** The owners that a newly created configuration names for the two shares of the trade fee. */
export const RAYDIUM_CPMM_PROTOCOL_FEE_OWNER = 'ProCXqRcXJjoUd1RNoo28bSizAA6EEqt9wURZYPDc5u' as Address;
export const RAYDIUM_CPMM_FUND_FEE_OWNER = 'FUNDduJTA7XcckKHKfAoEnnhuSud2JUCUZv6opWEjrBU' as Address;

/** Seeds of the program's PDAs; the configuration's index follows its seed as a big-endian u16. */
export const RAYDIUM_CPMM_SEEDS = {
  authority: 'vault_and_lp_mint_auth_seed',
  config: 'amm_config',
  pool: 'pool',
  lpMint: 'pool_lp_mint',
  vault: 'pool_vault',
  observation: 'observation',
  permission: 'permission',
} as const;

/** Every fee rate is a number of millionths. */
export const FEE_RATE_DENOMINATOR = 1_000_000n;
