import type { Store } from '../../store/index.ts';
import type { ForecastRoundRecord } from '../events/forecast-directory.ts';
import { ForecastRoundRecords } from './round-records.ts';

export interface RoundRecordOptions {
  readonly store: Store;
  /** The genesis hash. */
  readonly network: string;
  /** Returns the newest slot of the network. */
  readonly slot: () => number;
}

/** The most rounds that one reading returns. What is left is returned by the next. */
const READ_TOGETHER = 1_000;

/** Creates what reads the recorded rounds, and then only those that have changed. */
export function createRoundRecord({ store, network, slot }: RoundRecordOptions): ForecastRoundRecord {
  const records = new ForecastRoundRecords(network);
  let from = 0;
  return {
    listNewest: async (limit) => {
      const newest = await records.listNewest(store.db, limit);
      for (const { slot: at } of newest) from = Math.max(from, at);
      return newest.map(({ round }) => round);
    },
    listChanged: async () => {
      // The network began again.
      if (slot() < from) from = 0;
      // Another instance can record more of the last slot that was read.
      const changed = await records.listChanged(store.db, from, READ_TOGETHER);
      from = changed.at(-1)?.slot ?? from;
      return changed.map(({ round }) => round);
    },
    listByHashes: async (hashes) => records.listByHashes(store.db, hashes),
  };
}
