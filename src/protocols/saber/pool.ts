import type { Account } from '../../chain/accounts.ts';
import type { Address } from '../../solana/address.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { decodeTokenAccount } from '../../solana/programs/token/account.ts';
import type { AccountReader, PoolState, Unusable } from '../../protocol/venue/venue.ts';
import { oncePerAccount } from '../../protocol/venue/once-per-account.ts';
import { PoolUnusable, usableOr } from '../../protocol/venue/unusable-pool.ts';
import { type SaberAddresses, saberAuthorityAt } from './addresses.ts';
import { curveWeight } from './estimate.ts';
import { type Amplification, decodeSaber, type Fees, isSaberData, type Sides } from './layout.ts';
import { SABER_PROGRAM } from './program.ts';

/** A pool with everything that a quote needs. Pairs are in the order of `mints`: token A, token B. */
export interface SaberPool extends PoolState, SaberAddresses {
  readonly amplification: Amplification;
  readonly fees: Fees;
  readonly balances: Sides<bigint>;
  /** Whether the admin's account of that token can receive its share of fees. Otherwise swaps into the token fail. */
  readonly adminReceives: Sides<boolean>;
  /** The values of the curve that estimates need. */
  readonly weight: number;
}

export function isPool({ owner, data }: Account): boolean {
  return owner === SABER_PROGRAM && isSaberData(data);
}

/** Returns both reserves and both accounts of the admin. */
export function dependencies(account: Account): readonly Address[] {
  const { reserves, adminFees } = poolOf(account);
  return [...reserves, ...adminFees];
}

/** @returns `Unusable` if the program would refuse every swap until an account changes */
export function decodePoolState(address: Address, read: AccountReader): SaberPool | Unusable {
  return usableOr(() => readPool(address, read));
}

function readPool(address: Address, read: AccountReader): SaberPool {
  const account = read(address);
  if (account === null || !isPool(account)) throw new PoolUnusable(`${address} is no Saber pool`);
  const pool = poolOf(account);
  if (pool.paused) throw new PoolUnusable('the pool is paused');
  const authority = saberAuthorityAt(address, pool.nonce);
  if (authority === null) throw new PoolUnusable(`nonce ${pool.nonce} gives no authority`);
  const { mints, reserves, adminFees, lpMint, amplification, fees } = pool;
  const balance = (side: 0 | 1): bigint => {
    const held = holdingOf(read(reserves[side]));
    if (held === null || held.mint !== mints[side] || held.owner !== authority || held.state === 'frozen') {
      throw new PoolUnusable(`reserve ${reserves[side]} is no account of the pool for ${mints[side]}`);
    }
    return held.amount;
  };
  const receives = (side: 0 | 1): boolean => {
    const held = holdingOf(read(adminFees[side]));
    return held !== null && held.mint === mints[side] && held.state === 'initialized';
  };
  const balances: Sides<bigint> = [balance(0), balance(1)];
  if (balances[0] === 0n || balances[1] === 0n) throw new PoolUnusable('a reserve is empty');
  return {
    address,
    authority,
    mints,
    reserves,
    adminFees,
    lpMint,
    amplification,
    fees,
    balances,
    adminReceives: [receives(0), receives(1)],
    weight: curveWeight(Number(amplification.target), Number(balances[0]), Number(balances[1])),
  };
}

/** The program moves tokens by plain transfers of SPL Token. */
function holdingOf(account: Account | null): ReturnType<typeof decodeTokenAccount> | null {
  return account === null || account.owner !== TOKEN_PROGRAM ? null : tokensOf(account);
}

const poolOf = oncePerAccount(({ data }) => decodeSaber(data));
const tokensOf = oncePerAccount(({ data }) => decodeTokenAccount(data));
