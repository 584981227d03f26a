import type { Chain } from '../../chain/chain.ts';
import { EventFollower, waitUnlessBehind } from '../../chain/events/event-follower.ts';
import type { OutageLog } from '../../common/outage-log.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { createRepeatedWork, type RepeatedWork } from '../../common/work/repeated-work.ts';
import type { PredictionEvents, PredictionExchange } from '../../predictions/prediction.ts';
import type { Store } from '../../store/index.ts';
import { ForecastDirectory } from '../events/forecast-directory.ts';
import type { ForecastHoldings, ForecastRounds } from '../forecast.ts';
import { ForecastCostRecords } from '../history/cost-records.ts';
import { FOLLOWED_FORECASTS } from '../history/followed-forecasts.ts';
import { ForecastRecorder } from '../history/forecast-recorder.ts';
import { createRoundRecord } from '../history/round-record.ts';
import { removeOldForecasts } from '../history/forecast-removal.ts';
import { CostBook } from '../holdings/cost-book.ts';
import { createForecastHoldings } from '../holdings/forecast-holdings.ts';
import { OutcomeTokens } from '../holdings/outcome-tokens.ts';
import { openForecastSeries, type RecordedSeries } from '../series/forecast-series.ts';
import { ForecastSeriesRecords } from '../series/series-records.ts';

export interface ForecastRecordOptions {
  readonly chain: Chain;
  readonly store: Store;
  readonly rounds: ForecastRounds;
  /** Whether the network is the instance's own. Over an outside RPC, the record begins with what lands from now on. */
  readonly isOwnNetwork: boolean;
  /** Days for which rounds are kept that have closed. 0 keeps them for ever. */
  readonly historyDays: number;
  readonly timers: Timers;
  /** Creates what is called when something cannot be read in the background, and when it is again. */
  readonly createOutageLog: (what: string) => OutageLog;
  /** Called when something is passed over, or old rounds could not be removed. */
  readonly onDefect: (where: string, error: unknown) => void;
}

/** What rounds are and were, who holds their tokens, and what was traded. */
export interface ForecastRecord {
  /** The rounds that the chain has and the newest of those that are gone, as events. */
  readonly events: PredictionEvents;
  readonly holdings: ForecastHoldings;
  /** Records everything that was confirmed before the call. */
  readonly upToNow: () => Promise<void>;
  /** Sees to it that `events` knows markets of the history, by their hashes, although they may be over for long. */
  readonly recall: (marketIdHashes: readonly string[]) => Promise<void>;
  /**
   * Begins to record what yes is worth, until the series is closed.
   *
   * @param events - The events of both kinds.
   */
  readonly openSeries: (
    events: Pick<PredictionEvents, 'listEvents' | 'findMarket'>,
    exchange: Pick<PredictionExchange, 'getPrices'>,
  ) => RecordedSeries;
  /** Returns why something is not known now, for the operator; null if everything is. */
  readonly unhealthy: () => string | null;
  /** Stops, and waits for the recording in progress. */
  readonly close: () => Promise<void>;
}

const COSTS_EVERY_MS = 2_000;
const REMOVAL_EVERY_MS = 3_600_000;

/** Opens the record of forecasts, and begins to follow their program. */
export async function openForecastRecord(options: ForecastRecordOptions): Promise<ForecastRecord> {
  const { chain, store, rounds, isOwnNetwork, timers, createOutageLog, onDefect } = options;
  const network = chain.genesisHash;
  const now = () => Number(chain.clock().unixTimestamp);
  const slot = () => Number(chain.slot('processed'));
  const costRecords = new ForecastCostRecords(network);
  const costs = new CostBook({
    listChanged: (from) => costRecords.listChanged(store.db, from),
    slot,
  });
  const directory = await ForecastDirectory.open({
    rounds,
    record: createRoundRecord({ store, network, slot }),
    now,
    timers,
    outage: createOutageLog('record'),
  });
  const tokens = await OutcomeTokens.open({ chain, rounds, now, timers, outage: createOutageLog('holders') });
  const refreshing = createRefreshing(options, costs);
  const follower = new EventFollower({
    chain,
    program: FOLLOWED_FORECASTS,
    recorder: new ForecastRecorder({ store, network, onChain: rounds, onRecorded: refreshing.refresh }),
    isOwnNetwork,
    timers,
    outage: createOutageLog('history'),
    onDefect,
  });
  const removal = createRemoval(options);
  follower.start();
  refreshing.start();
  removal.start();
  return {
    events: directory,
    holdings: createForecastHoldings({ tokens, costs, upToNow: () => waitUnlessBehind(follower.upToNow()) }),
    upToNow: () => follower.upToNow(),
    recall: directory.recall,
    openSeries: (events, exchange) =>
      openForecastSeries({
        records: new ForecastSeriesRecords(store, network),
        events,
        exchange,
        now,
        timers,
        outage: createOutageLog('prices'),
      }),
    unhealthy: () => directory.unhealthy() ?? tokens.unhealthy() ?? follower.unhealthy(),
    close: async () => {
      await follower.close();
      await Promise.all([refreshing.stop(), removal.stop(), tokens.close(), directory.close()]);
    },
  };
}

/** Reads what tokens have cost: after each recording of this instance, and every two seconds for those of others. */
function createRefreshing(
  { timers, createOutageLog }: ForecastRecordOptions,
  costs: CostBook,
): RepeatedWork & { readonly refresh: () => void } {
  const outage = createOutageLog('costs');
  let running: Promise<void> = Promise.resolve();
  const work = async () => {
    await costs.refresh();
    outage.onAnswer();
  };
  const onError = (error: unknown) => outage.onFailure(error);
  const refresh = () => {
    running = running.then(work).catch(onError);
  };
  const repeated = createRepeatedWork({ everyMs: COSTS_EVERY_MS, work, timers, onError });
  return {
    refresh,
    start: () => {
      refresh();
      repeated.start();
    },
    stop: async () => {
      await repeated.stop();
      await running;
    },
  };
}

/** Removes old rounds every hour. */
function createRemoval({ chain, store, historyDays, timers, onDefect }: ForecastRecordOptions): RepeatedWork {
  return createRepeatedWork({
    everyMs: REMOVAL_EVERY_MS,
    work: async (isStopped) => {
      const { genesisHash: network } = chain;
      const { unixTimestamp: now } = chain.clock();
      await removeOldForecasts(store, { network, now, historyDays, isStopped });
    },
    timers,
    onError: (error) => onDefect('the removal of old rounds', error),
  });
}
