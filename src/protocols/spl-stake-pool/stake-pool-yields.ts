import type { Account } from '../../chain/accounts.ts';
import type { Address } from '../../solana/address.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { decodeStakePool, isStakePoolData } from './layout.ts';
import { STAKE_POOL_PROGRAM } from './program.ts';

/** An epoch has 432,000 slots of 400 ms. */
const EPOCHS_PER_YEAR = (365 * 86_400) / (432_000 * 0.4);
const BASIS_POINTS = 10_000;
/** Rewards raise the rate by a few hundredths of a percent. A gift to a small pool can raise it by any factor. */
const MAX_RISE = 1.05;

/** The part of the market's pools that is needed to find the pool of a token of staked SOL. */
export interface StakePools {
  /** Returns the pools that trade two mints for each other. */
  between(one: Address, other: Address): readonly { readonly pool: { readonly address: Address } }[];
  /** Returns the account of a pool; null if it is not known. */
  account(pool: Address): Account | null;
}

/**
 * Computes what holding a stake pool's token yields in a year, from what the rate rose in the last epoch.
 *
 * Returns a fraction, with interest on interest; null for a mint that is no stake pool's token, without a last epoch, or
 * if the rate rose by more than stake can earn.
 */
export function computeStakePoolYield(pools: StakePools, mint: Address): number | null {
  const rise = findRateRise(pools, mint);
  return rise === null ? null : rise ** EPOCHS_PER_YEAR - 1;
}

/**
 * Computes the same without interest on interest.
 *
 * Returns hundredths of a percent, as rates of the lending programs are given; null like `computeStakePoolYield`, and
 * for less than half of one, by which deposits and withdrawals round.
 */
export function computeStakePoolApr(pools: StakePools, mint: Address): number | null {
  const rise = findRateRise(pools, mint);
  const yearly = rise === null ? 0 : Math.round((rise - 1) * EPOCHS_PER_YEAR * BASIS_POINTS);
  return yearly === 0 ? null : yearly;
}

/** Returns the rate of the pool's token as a multiple of that of the last epoch. */
function findRateRise(pools: StakePools, mint: Address): number | null {
  for (const { pool } of pools.between(mint, WRAPPED_SOL_MINT)) {
    const account = pools.account(pool.address);
    if (account === null || account.owner !== STAKE_POOL_PROGRAM || !isStakePoolData(account.data)) continue;
    return riseIn(account.data, mint);
  }
  return null;
}

function riseIn(data: Uint8Array, mint: Address): number | null {
  try {
    const pool = decodeStakePool(data);
    const {
      totalLamports,
      tokenSupply,
      lastEpochTotalLamports: lamports,
      lastEpochTokenSupply: supply,
    } = pool;
    if (pool.mint !== mint || tokenSupply === 0n || lamports === 0n || supply === 0n) return null;
    // A rate that did not rise says nothing, and in floating point it would not be exactly 1.
    if (totalLamports * supply === lamports * tokenSupply) return null;
    const rise = (Number(totalLamports) / Number(tokenSupply)) * (Number(supply) / Number(lamports));
    return rise > MAX_RISE ? null : rise;
  } catch (error) {
    if (error instanceof LayoutInvalid) return null;
    throw error;
  }
}
