import type { Account } from '../../chain/accounts.ts';
import type { Address } from '../../solana/address.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { decodeTokenAccount } from '../../solana/programs/token/account.ts';
import type { AccountReader, PoolState, Unusable } from '../../protocol/venue/venue.ts';
import { cachePerAccount } from '../../protocol/venue/once-per-account.ts';
import { PoolUnusable, decodeOrUnusable } from '../../protocol/venue/unusable-pool.ts';
import { type SaberAddresses, deriveSaberAuthorityAt } from './addresses.ts';
import { computeCurveWeight } from './estimate.ts';
import { type Amplification, decodeSaber, type SaberFees, isSaberData, type SaberSides } from './layout.ts';
import { SABER_PROGRAM } from './program.ts';

/** A pool with everything that a quote needs. Pairs are in the order of `mints`: token A, token B. */
export interface SaberPool extends PoolState, SaberAddresses {
  readonly amplification: Amplification;
  readonly fees: SaberFees;
  readonly balances: SaberSides<bigint>;
  /** Whether the admin's account of that token can receive its share of fees. Otherwise swaps into the token fail. */
  readonly adminReceives: SaberSides<boolean>;
  /** The values of the curve that estimates need. */
  readonly weight: number;
}

export function isPool({ owner, data }: Account): boolean {
  return owner === SABER_PROGRAM && isSaberData(data);
}

/** Returns both reserves and both accounts of the admin. */
export function listSaberDependencies(account: Account): readonly Address[] {
  const { reserves, adminFees } = readSaberPool(account);
  return [...reserves, ...adminFees];
}

/** Returns `Unusable` if the program would refuse every swap until an account changes. */
export function decodePoolState(address: Address, read: AccountReader): SaberPool | Unusable {
  return decodeOrUnusable(() => readPool(address, read));
}

function readPool(address: Address, read: AccountReader): SaberPool {
  const account = read(address);
  if (account === null || !isPool(account)) throw new PoolUnusable(`${address} is no Saber pool`);
  const pool = readSaberPool(account);
  if (pool.paused) throw new PoolUnusable('the pool is paused');
  const authority = deriveSaberAuthorityAt(address, pool.nonce);
  if (authority === null) throw new PoolUnusable(`nonce ${pool.nonce} gives no authority`);
  const { mints, reserves, adminFees, lpMint, amplification, fees } = pool;
  const balance = (side: 0 | 1): bigint => {
    const held = findSaberHolding(read(reserves[side]));
    if (held === null || held.mint !== mints[side] || held.owner !== authority || held.state === 'frozen') {
      throw new PoolUnusable(`reserve ${reserves[side]} is no account of the pool for ${mints[side]}`);
    }
    return held.amount;
  };
  const receives = (side: 0 | 1): boolean => {
    const held = findSaberHolding(read(adminFees[side]));
    return held !== null && held.mint === mints[side] && held.state === 'initialized';
  };
  const balances: SaberSides<bigint> = [balance(0), balance(1)];
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
    weight: computeCurveWeight(Number(amplification.target), Number(balances[0]), Number(balances[1])),
  };
}

/** The program moves tokens by plain transfers of SPL Token. */
function findSaberHolding(account: Account | null): ReturnType<typeof decodeTokenAccount> | null {
  return account === null || account.owner !== TOKEN_PROGRAM ? null : readSaberTokens(account);
}

const readSaberPool = cachePerAccount(({ data }) => decodeSaber(data));
const readSaberTokens = cachePerAccount(({ data }) => decodeTokenAccount(data));
