import type { Chain } from '../../chain/chain.ts';
import type { ForecastRounds } from '../../forecasts/forecast.ts';
import { type ForecastRecord, openForecastRecord } from '../../forecasts/opening/open-forecast-record.ts';
import type { PredictionHistoryEvent } from '../../predictions/lists/prediction-lists.ts';
import { PredictionHistoryRecords } from '../../predictions/store/history-records.ts';
import type { Store } from '../../store/index.ts';
import { ManualTimers } from '../timers.ts';

/** A record of forecasts of one process, as a test reads it. */
export interface TestForecastRecord extends ForecastRecord {
  readonly timers: ManualTimers;
  /** Records everything that has landed, and lets everybody read it. */
  readonly catchUp: () => Promise<void>;
  /** Returns the rows of the history, the oldest first. */
  readonly rows: () => Promise<readonly PredictionHistoryEvent[]>;
}

/** Opens a record of an own network with a clock that stands until the test moves it. */
export async function openTestForecastRecord(
  chain: Chain,
  store: Store,
  rounds: ForecastRounds,
): Promise<TestForecastRecord> {
  const timers = new ManualTimers();
  const failed = (error: unknown) => {
    throw error;
  };
  const record = await openForecastRecord({
    chain,
    store,
    rounds,
    isOwnNetwork: true,
    historyDays: 0,
    timers,
    createOutageLog: () => ({ onFailure: failed, onAnswer: () => undefined }),
    onDefect: (_, error) => failed(error),
  });
  const history = new PredictionHistoryRecords(store, chain.genesisHash);
  return {
    ...record,
    timers,
    catchUp: async () => {
      await record.upToNow();
      timers.advance(2_000);
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    },
    rows: async () => {
      const all = { owner: null, position: null, id: null, start: 0, end: 1_000 };
      return (await history.list(all)).events.toReversed();
    },
  };
}
