import { type PoolState, SETTLED_CLOCK } from '../../protocol/venue/venue.ts';
import type { Address } from '../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { BEYOND_RESERVES } from '../estimate-received.ts';
import type { PoolHandle } from '../pools/liquidity.ts';
import { DOLLARS } from '../prices/prices.ts';

/** Tokens of which nobody can issue any amount to put it into a pool. */
const TRUSTED: ReadonlySet<Address> = new Set([...DOLLARS, WRAPPED_SOL_MINT]);

/** A state is replaced when it changes, so what was computed from it stays true. */
const known = new WeakMap<PoolState, readonly [number, number]>();

/**
 * Estimates what a pool could pay out of each of its tokens, in atoms. A venue does not hold the token that it issues for
 * deposits.
 */
export function estimatePaidOut(handle: PoolHandle): readonly [number, number] {
  const { venue, pool } = handle;
  const before = known.get(pool);
  if (before !== undefined) return before;
  const [first, second] = pool.mints;
  const paid = (input: Address) => {
    const amount = venue.estimate(pool, input, BEYOND_RESERVES, SETTLED_CLOCK);
    return Number.isFinite(amount) && amount > 0 ? amount : 0;
  };
  const amounts = [paid(second), venue.isIssuer === true ? 0 : paid(first)] as const;
  known.set(pool, amounts);
  return amounts;
}

/**
 * Estimates the US dollars that a pool could pay out on both sides. Anybody can issue a token and put any amount of it into a
 * pool, so a token other than a stablecoin or SOL counts for no more than what the other side is worth.
 *
 * Returns null if neither token has a price.
 */
export function estimatePoolDollars(
  handle: PoolHandle,
  dollarsPerAtom: (mint: Address) => number | null,
): number | null {
  const { mints } = handle.pool;
  const prices = [dollarsPerAtom(mints[0]), dollarsPerAtom(mints[1])] as const;
  if (prices[0] === null && prices[1] === null) return null;
  const [first, second] = estimatePaidOut(handle);
  const [own, other] = [first * (prices[0] ?? 0), second * (prices[1] ?? 0)];
  // The venue decides itself which tokens it takes for those that it issues.
  if (handle.venue.isIssuer === true) return own + other;
  const matched = Math.min(own, other);
  return (TRUSTED.has(mints[0]) ? own : matched) + (TRUSTED.has(mints[1]) ? other : matched);
}
