import { forgetVolumes } from '../../predictions/store/history-removal.ts';
import type { Store } from '../../store/index.ts';
import {
  type HistoryRemovalOptions,
  REMOVED_IN_ONE_STEP,
  removeOldEntries,
} from '../../store/sql/remove-old.ts';
import { ForecastCostRecords } from './cost-records.ts';
import { ForecastRoundRecords } from './round-records.ts';

/** Removes rounds that closed longer ago than the history is kept, with what was traded on them. */
export async function removeOldForecasts(store: Store, options: HistoryRemovalOptions): Promise<void> {
  const { network } = options;
  const rounds = new ForecastRoundRecords(network);
  const costs = new ForecastCostRecords(network);
  await removeOldEntries(options, async (before) => {
    const removed = await rounds.removeOldest(store.db, before, REMOVED_IN_ONE_STEP);
    await costs.removeOfRounds(
      store.db,
      removed.map(({ round }) => round),
    );
    await forgetVolumes(
      store,
      network,
      removed.flatMap(({ upHash, downHash }) => [upHash, downHash]),
    );
    return removed.length;
  });
}
