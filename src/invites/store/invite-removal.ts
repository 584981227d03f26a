import { and, eq, inArray, lt } from 'drizzle-orm';
import type { Store } from '../../store/index.ts';
import {
  type HistoryRemovalOptions,
  REMOVED_IN_ONE_STEP,
  removeOldEntries,
} from '../../store/sql/remove-old.ts';
import { HAS_ENDED_ROW, invites } from './invite-tables.ts';

/**
 * Removes invites that ended longer ago than the history is kept. An invite that has ended never changes again, so that it may be
 * read first and removed after that.
 */
export async function removeOldInvites(store: Store, options: HistoryRemovalOptions): Promise<void> {
  await removeOldEntries(options, (before) => removeSome(store, options.network, before));
}

async function removeSome({ db }: Store, network: string, before: number): Promise<number> {
  const isOld = and(eq(invites.network, network), HAS_ENDED_ROW, lt(invites.endedAt, before));
  const old = await db
    .select({ number: invites.number })
    .from(invites)
    .where(isOld)
    .orderBy(invites.endedAt)
    .limit(REMOVED_IN_ONE_STEP);
  if (old.length === 0) return 0;
  const numbers = old.map(({ number }) => number);
  // After the network began again, another invite can have such a number.
  await db.delete(invites).where(and(isOld, inArray(invites.number, numbers)));
  return old.length;
}
