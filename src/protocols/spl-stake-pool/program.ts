import type { Address } from '../../solana/address.ts';

/** The stake pool program. Its public source is `solana-program/stake-pool`. */
export const STAKE_POOL_PROGRAM = 'SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy' as Address;

/**
 * The wrapper program that routes call. It unwraps SOL for a deposit into a stake pool, and wraps the SOL that a
 * withdrawal pays. Interface from `igneous-labs/stakedex-sdk`; there is no public source.
 */
export const STAKEDEX_PROGRAM = 'stkitrT1Uoy18Dk1fTrgPw8W6MVzoCfYoAFT4MLsmhq' as Address;

/** PDA of `sol_bridge_out`: a wallet that keeps the rent of `WSOL_BRIDGE_IN` from one deposit to the next. */
export const SOL_BRIDGE_OUT = '75jTZDE78xpBJokeB2BcimRNY5BZ7U45bWhpgUrTzWZC' as Address;

/** Derived from `SOL_BRIDGE_OUT` with the seed `wsol_bridge_in`: a token account that exists only during a deposit. */
export const WSOL_BRIDGE_IN = '7UWZDKjBT1dTvAzdjoSCYKnML3SPt9tfFkANGarEq5r3' as Address;

/** The wrapper keeps one part in this many of what a withdrawal pays. */
export const WITHDRAWAL_FEE_DIVISOR = 10_000n;
