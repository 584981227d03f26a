import type { AccountUpdate } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import type { PoolState, Venue } from '../venue.ts';
import type { PoolHandle } from './liquidity.ts';

/** A pool as `Pools` follows it. Only `Pools` changes it. */
export interface TrackedPool {
  readonly venue: Venue;
  readonly address: Address;
  /** Null while the pool cannot be used; `reason` says why. */
  market: PoolHandle | null;
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

/** @returns the state of the pool after one more update of a batch; null if it must be decoded again */
export function advanced(
  { venue, market, next, reading }: TrackedPool,
  { address, account }: AccountUpdate,
): PoolState | null {
  const pool = next === undefined ? market?.pool : next;
  if (venue.advance === undefined || pool == null || account === null || reading > 0) return null;
  return venue.advance(pool, address, account);
}

export function sameMints(one: PoolState, other: PoolState): boolean {
  return one.mints[0] === other.mints[0] && one.mints[1] === other.mints[1];
}
