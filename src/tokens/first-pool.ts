import type { FirstPool } from './facts/token.ts';

/** The time at which a pool opened, in milliseconds. Its creator chose it, so a time to come says nothing. */
export function toOpenedAtMs(openedAt: bigint | null, now: number): number | null {
  if (openedAt === null || openedAt <= 0n || openedAt > BigInt(Math.floor(now / 1_000))) return null;
  return Number(openedAt) * 1_000;
}

/** Of two pools, the one that was created first. A pool of unknown age is older than one that was seen being created. */
export function chooseEarlierPool(one: FirstPool | null, other: FirstPool | null): FirstPool | null {
  if (one === null || other === null) return one ?? other;
  if (one.createdAt === null || other.createdAt === null) return one;
  return other.createdAt < one.createdAt ? other : one;
}
