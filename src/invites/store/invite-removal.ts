import { and, eq, inArray, lt } from 'drizzle-orm';
import type { Store } from '../../store/index.ts';
import { HAS_ENDED_ROW, invites } from './invite-tables.ts';

const DAY_SECONDS = 86_400n;
/** How many invites one step removes, so that it does not delay what is recorded and listed. */
const REMOVED_TOGETHER = 200;

export interface InviteRemovalOptions {
  /** The genesis hash. Other networks in the same database have other clocks. */
  readonly network: string;
  /** The Unix second by the network's clock, as the times of invites are. */
  readonly now: bigint;
  /** Days for which invites are kept after they have ended. 0 keeps them for ever. */
  readonly historyDays: number;
  /** Called before each step; when it returns true, the rest is left to the next call. */
  readonly isStopped: () => boolean;
}

/**
 * Removes invites that ended longer ago than the history is kept. An invite that has ended never changes again, so that it may be
 * read first and removed after that.
 */
export async function removeOldInvites(
  store: Store,
  { network, now, historyDays, isStopped }: InviteRemovalOptions,
): Promise<void> {
  if (historyDays === 0) return;
  const before = Number(now - BigInt(historyDays) * DAY_SECONDS);
  let removed = REMOVED_TOGETHER;
  while (removed === REMOVED_TOGETHER && !isStopped()) removed = await removeSome(store, network, before);
}

async function removeSome({ db }: Store, network: string, before: number): Promise<number> {
  const isOld = and(eq(invites.network, network), HAS_ENDED_ROW, lt(invites.endedAt, before));
  const old = await db
    .select({ number: invites.number })
    .from(invites)
    .where(isOld)
    .orderBy(invites.endedAt)
    .limit(REMOVED_TOGETHER);
  if (old.length === 0) return 0;
  const numbers = old.map(({ number }) => number);
  // After the network began again, another invite can have such a number.
  await db.delete(invites).where(and(isOld, inArray(invites.number, numbers)));
  return old.length;
}
