import type { TokenLaunch } from './facts/launch.ts';
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

/**
 * Returns the first pool of a token: of a launched one its curve, which no pool is before. A curve whose liquidity has migrated is no
 * pool that trades, so the market may know only its successor.
 */
export function chooseFirstPool(
  known: FirstPool | null,
  launch: Pick<TokenLaunch, 'pool' | 'launchedAt'> | null,
  now: number,
): FirstPool | null {
  if (launch === null || known?.address === launch.pool) return known;
  const createdAt = toOpenedAtMs(launch.launchedAt, now);
  return createdAt === null ? known : { address: launch.pool, createdAt };
}
