import type { Account } from '../../chain/accounts.ts';
import type { Address } from '../../solana/address.ts';
import { findPlainBalance } from '../../solana/programs/token/account.ts';
import { hasOnlySwapChanges, readChanges, type RaydiumSides } from './program/layout.ts';
import type { RaydiumCpmmPool } from './pool.ts';
import { RAYDIUM_CPMM_PROGRAM } from './program/program.ts';

/**
 * Computes the state after a swap, deposit or withdrawal changed one of the pool's accounts.
 *
 * Returns null for every other change, and if the pool might have become unusable.
 */
export function advance(pool: RaydiumCpmmPool, address: Address, account: Account): RaydiumCpmmPool | null {
  if (address === pool.vaults[0]) return withVault(pool, 0, account);
  if (address === pool.vaults[1]) return withVault(pool, 1, account);
  return address === pool.address ? withPoolAccount(pool, account) : null;
}

/**
 * A token account never changes its mint, and a vault never changes its owner: the program has no instruction for it.
 */
function withVault(pool: RaydiumCpmmPool, side: 0 | 1, { owner, data }: Account): RaydiumCpmmPool | null {
  if (owner !== pool.tokenPrograms[side]) return null;
  const amount = findPlainBalance(data);
  if (amount === null) return null;
  const reserve = amount - pool.owed[side];
  if (reserve <= 0n) return null;
  const { reserves, depth } = pool;
  return side === 0
    ? { ...pool, reserves: [reserve, reserves[1]], depth: [Number(reserve), depth[1]] }
    : { ...pool, reserves: [reserves[0], reserve], depth: [depth[0], Number(reserve)] };
}

function withPoolAccount(pool: RaydiumCpmmPool, { owner, data }: Account): RaydiumCpmmPool | null {
  if (owner !== RAYDIUM_CPMM_PROGRAM || !hasOnlySwapChanges(pool.data, data)) return null;
  const { status, openTime, owed } = readChanges(data);
  const first = pool.reserves[0] + pool.owed[0] - owed[0];
  const second = pool.reserves[1] + pool.owed[1] - owed[1];
  if (first <= 0n || second <= 0n) return null;
  const depth: RaydiumSides<number> = [Number(first), Number(second)];
  return { ...pool, data, status, openTime, owed, reserves: [first, second], depth };
}
