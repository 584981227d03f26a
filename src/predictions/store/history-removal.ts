import { and, asc, eq, gt, inArray, lt } from 'drizzle-orm';
import type { Store } from '../../store/index.ts';
import { splitRows } from '../../store/sql/split-rows.ts';
import {
  type HistoryRemovalOptions,
  REMOVED_IN_ONE_STEP,
  removeOldEntries,
} from '../../store/sql/remove-old.ts';
import { ALL_HOURS } from './history-journal.ts';
import { toHour } from './totals/trading-periods.ts';
import { predictionHistory, predictionVolumes } from './history-tables.ts';

/** How many hours of volumes are kept. Lists show those of 24 hours. */
const KEPT_HOURS = 48;

/**
 * Removes events that landed longer ago than the history is kept, and the volumes of hours that nobody shows any more. The sums of
 * all hours stay. Only the oldest events are removed, so that the numbers of the others have no gap.
 */
export async function removeOldPredictionEvents(store: Store, options: HistoryRemovalOptions): Promise<void> {
  const { network, now } = options;
  const { hour } = predictionVolumes;
  const isPast = and(gt(hour, ALL_HOURS), lt(hour, toHour(Number(now)) - KEPT_HOURS));
  await store.db.delete(predictionVolumes).where(and(eq(predictionVolumes.network, network), isPast));
  await removeOldEntries(options, (before) => removeSome(store, options.network, before));
}

/** Removes what was traded on markets that are not known any more. */
export async function forgetVolumes(
  { db }: Store,
  network: string,
  marketIdHashes: readonly string[],
): Promise<void> {
  for (const some of splitRows(marketIdHashes)) {
    const isOne = inArray(predictionVolumes.marketIdHash, some);
    await db.delete(predictionVolumes).where(and(eq(predictionVolumes.network, network), isOne));
  }
}

async function removeSome({ db }: Store, network: string, before: number): Promise<number> {
  const { number, at } = predictionHistory;
  const isHere = eq(predictionHistory.network, network);
  const oldest = await db
    .select({ number, at })
    .from(predictionHistory)
    .where(isHere)
    .orderBy(asc(number))
    .limit(REMOVED_IN_ONE_STEP);
  const kept = oldest.findIndex((row) => row.at >= before);
  const old = kept < 0 ? oldest : oldest.slice(0, kept);
  if (old.length === 0) return 0;
  const numbers = old.map((row) => row.number);
  // After the network began again, another event can have such a number.
  await db.delete(predictionHistory).where(and(isHere, lt(at, before), inArray(number, numbers)));
  return old.length;
}
