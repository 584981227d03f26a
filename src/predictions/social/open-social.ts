import type { OutageLog } from '../../common/outage-log.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { createRepeatedWork } from '../../common/work/repeated-work.ts';
import type { Store } from '../../store/index.ts';
import type { PredictionHistoryEvent } from '../lists/prediction-lists.ts';
import { PredictionHistoryJournal } from '../store/history-journal.ts';
import type { PredictionHistoryRecords } from '../store/history-records.ts';
import { PredictionTotalRecords } from '../store/totals/total-records.ts';
import { findPeriodStart, toHour } from '../store/totals/trading-periods.ts';
import { Leaderboards } from './leaderboards.ts';
import { computePnlPoints } from './pnl-points.ts';
import type { PredictionSocial } from './prediction-social.ts';

/** What was recorded of the programs of prediction markets. */
export interface RecordedEvents {
  /** Resolves when everything is recorded that was confirmed before the call, or after a moment without. */
  readonly upToNow: () => Promise<void>;
  /** Sees to it that the markets of events are known, although they may be over for long. */
  readonly recall: (events: readonly PredictionHistoryEvent[]) => Promise<void>;
}

/** What the social reads are made from. */
export interface SocialOptions {
  readonly store: Store;
  /** The genesis hash. */
  readonly network: string;
  readonly history: Pick<PredictionHistoryRecords, 'listFills'>;
  readonly recorded: RecordedEvents;
  /** Returns the Unix second of the network. */
  readonly now: () => number;
  readonly timers: Timers;
  /** Called when the totals could not be read in the background, and when they are again. */
  readonly outage: OutageLog;
}

/** The social reads, with the work that keeps them current. */
export interface OpenedSocial extends PredictionSocial {
  readonly close: () => Promise<void>;
}

const REFRESHED_EVERY_MS = 2_000;
/** How many fills the list of everybody's trades has. */
const LISTED_TRADES = 100;

/**
 * Opens what people look at of each other. Until `close` is called, it counts events that were recorded before there were totals,
 * and reads the leaderboards again every two seconds.
 */
export function openSocial(options: SocialOptions): OpenedSocial {
  const { store, network, history, recorded, now, timers, outage } = options;
  const journal = new PredictionHistoryJournal(network);
  const records = new PredictionTotalRecords(store, network);
  const leaderboards = new Leaderboards(records, now());
  const refresh = async (isStopped: () => boolean) => {
    while (!isStopped() && (await journal.isBehind(store.db))) {
      await store.transaction((db) => journal.countMissing(db));
    }
    await leaderboards.refresh(now());
    outage.onAnswer();
  };
  const onError = (error: unknown) => outage.onFailure(error);
  const repeated = createRepeatedWork({ everyMs: REFRESHED_EVERY_MS, work: refresh, timers, onError });
  let isClosed = false;
  const first = refresh(() => isClosed).catch(onError);
  repeated.start();
  return {
    findFigures: async (owner) => {
      await recorded.upToNow();
      return records.find(owner, 'all_time', findPeriodStart('all_time', now()));
    },
    listPnl: async (owner, range) => {
      await recorded.upToNow();
      const at = now();
      const realized = await records.findRealized(owner, toHour(at - range.seconds));
      return realized === null ? null : computePnlPoints(realized, range, at);
    },
    getLeaderboard: (period, metric) => leaderboards.get(period, metric),
    listTrades: async () => {
      await recorded.upToNow();
      const trades = await history.listFills(LISTED_TRADES);
      await recorded.recall(trades);
      return trades;
    },
    close: async () => {
      isClosed = true;
      await first;
      await repeated.stop();
    },
  };
}
