import type { Account, AccountUpdate } from '../../chain/accounts.ts';
import type { Address } from '../../solana/address.ts';
import type { AccountReader, PoolState, Unusable, Venue } from '../../protocol/venue/venue.ts';
import type { PoolHandle } from './liquidity.ts';
import type { WatchedAccounts } from './watched-accounts.ts';

/**
 * How many dependencies a pool keeps, as a multiple of those that it needs now. A price that moves back needs earlier
 * ones again.
 */
const KEPT_DEPENDENCIES = 3;

/** A pool as `Pools` follows it. Only `Pools` changes it. */
export interface TrackedPool {
  readonly venue: Venue;
  readonly address: Address;
  /** Null while the pool cannot be used; `reason` says why. */
  handle: PoolHandle | null;
  /**
   * The state after the updates of a batch that were applied so far. Undefined before the first update; null if the
   * pool must be decoded again.
   */
  next: PoolState | null | undefined;
  reason: string;
  /** The accounts from which the pool is decoded, the least recently needed first. */
  readonly dependencies: Set<Address>;
  /** How many reads of new dependencies are in flight. The pool cannot be decoded until they finish. */
  reading: number;
}

/** Returns the state of the pool after one more update of a batch; null if it must be decoded again. */
export function advancePool(
  { venue, handle, next, reading }: TrackedPool,
  { address, account }: AccountUpdate,
): PoolState | null {
  const pool = next === undefined ? handle?.pool : next;
  if (venue.advance === undefined || pool == null || account === null || reading > 0) return null;
  try {
    return venue.advance(pool, address, account);
  } catch {
    return null;
  }
}

/**
 * Decodes the pool. A node may serve accounts that no program writes, and what a venue makes of one may be any exception: then that
 * pool is unusable, and no other.
 */
export function decodeTracked({ venue, address }: TrackedPool, read: AccountReader): PoolState | Unusable {
  try {
    return venue.decode(address, read);
  } catch (error) {
    return { unusable: `it cannot be decoded: ${String(error)}` };
  }
}

/** Lists what the pool depends on by its own account; nothing if that cannot be decoded, which `decodeTracked` then tells. */
export function listDependencies({ venue, address }: TrackedPool, account: Account): readonly Address[] {
  try {
    return venue.dependencies(address, account);
  } catch {
    return [];
  }
}

/** Lists what the pool depends on by its dependencies; nothing if one of them cannot be decoded. */
export function listFurtherDependencies(
  { venue }: TrackedPool,
  account: Account,
  read: AccountReader,
): readonly Address[] {
  try {
    return venue.furtherDependencies?.(account, read) ?? [];
  } catch {
    return [];
  }
}

export function hasSameMints(one: PoolState, other: PoolState): boolean {
  return one.mints[0] === other.mints[0] && one.mints[1] === other.mints[1];
}

/**
 * Makes the pool depend on its own account and on these. Accounts that it has not needed for a while are released, and
 * dropped when no other pool depends on them.
 *
 * Returns the dependencies that no pool had before, which have to be watched and read.
 */
export function updateDependencies(
  tracked: TrackedPool,
  needed: readonly Address[],
  accounts: WatchedAccounts<TrackedPool>,
): Address[] {
  const fresh: Address[] = [];
  const { dependencies } = tracked;
  for (const address of [tracked.address, ...needed]) {
    const known = dependencies.delete(address);
    dependencies.add(address);
    if (!known && accounts.depend(tracked, address) && address !== tracked.address) fresh.push(address);
  }
  const kept = KEPT_DEPENDENCIES * (needed.length + 1);
  for (const address of dependencies) {
    if (dependencies.size <= kept) break;
    dependencies.delete(address);
    accounts.release(tracked, address);
  }
  return fresh;
}
