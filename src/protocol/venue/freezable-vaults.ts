import type { Account } from '../../chain/accounts.ts';
import type { Address } from '../../solana/address.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import { isTokenProgram } from '../../solana/program-addresses.ts';
import { decodeTokenAccount } from '../../solana/programs/token/account.ts';
import { decodeMint } from '../../solana/programs/token/mint.ts';
import { cachePerAccount } from './once-per-account.ts';
import { PoolUnusable } from './unusable-pool.ts';
import type { AccountReader } from './venue.ts';

/** What a pool holds, by its sides. */
interface HoldingPool {
  readonly mints: readonly [Address, Address];
  readonly vaults: readonly [Address, Address];
}

/**
 * Lists the vaults of a pool that an issuer can freeze: those whose mint has a freeze authority. Whoever issues a token could otherwise
 * freeze the vault of a pool and leave there a price that nobody can trade at. A mint without the authority never gets one.
 */
export function listFreezableVaults({ mints, vaults }: HoldingPool, read: AccountReader): readonly Address[] {
  return vaults.filter((_vault, side) => canFreeze(read(mints[side as 0 | 1])));
}

/** @throws PoolUnusable if a vault that can be frozen is frozen, or is no token account */
export function requireThawedVaults(pool: HoldingPool, read: AccountReader): void {
  for (const vault of listFreezableVaults(pool, read)) {
    const account = read(vault);
    if (account === null) throw new PoolUnusable(`vault ${vault} does not exist`);
    if (!isThawedVault(account)) throw new PoolUnusable(`vault ${vault} is frozen`);
  }
}

/** Whether an account holds tokens that it may pay out. */
export function isThawedVault({ owner, data }: Account): boolean {
  if (!isTokenProgram(owner)) return false;
  try {
    return decodeTokenAccount(data).state !== 'frozen';
  } catch (error) {
    if (error instanceof LayoutInvalid) return false;
    throw error;
  }
}

function canFreeze(mint: Account | null): boolean {
  return mint !== null && isTokenProgram(mint.owner) && hasFreezeAuthority(mint);
}

const hasFreezeAuthority = cachePerAccount(({ data }) => decodeMint(data).freezeAuthority !== null);
