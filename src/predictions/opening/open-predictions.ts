import type { Chain } from '../../chain/chain.ts';
import { EventFollower, waitUnlessBehind } from '../../chain/events/event-follower.ts';
import type { OutageLog } from '../../common/outage-log.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { createRepeatedWork, type RepeatedWork } from '../../common/work/repeated-work.ts';
import type { Store } from '../../store/index.ts';
import { EventDirectory } from '../events/event-directory.ts';
import {
  createPredictionAdmin,
  type MarketOperations,
  type PredictionAdmin,
} from '../events/prediction-admin.ts';
import { joinPredictionEvents } from '../events/joined-events.ts';
import { FOLLOWED_PREDICTIONS } from '../following/followed-predictions.ts';
import { MarketVolumes } from '../following/market-volumes.ts';
import { PredictionAccountFollower } from '../following/prediction-account-follower.ts';
import { EventLists } from '../lists/event-lists.ts';
import { createPositionLists } from '../lists/position-values.ts';
import type {
  PredictionEventLists,
  PredictionHistory,
  PredictionPositionLists,
} from '../lists/prediction-lists.ts';
import type { PredictionAccounts, PredictionEvents, PredictionExchange } from '../prediction.ts';
import { openSocial, type RecordedEvents } from '../social/open-social.ts';
import type { PredictionSocial } from '../social/prediction-social.ts';
import { EventRecords } from '../store/event-records.ts';
import { PredictionHistoryRecorder } from '../store/history-recorder.ts';
import { PredictionHistoryRecords } from '../store/history-records.ts';
import { removeOldPredictionEvents } from '../store/history-removal.ts';
import { removeOldTotals } from '../store/totals/total-removal.ts';
import { toHour } from '../store/totals/trading-periods.ts';

export interface PredictionsOptions {
  readonly chain: Chain;
  /**
   * Whether the network is the instance's own, which has the keys of the program. On any other, no orders are traded, and all markets
   * are those of `others`. Default: yes.
   */
  readonly tradesOrders?: boolean;
  readonly store: Store;
  /** Days for which events are kept that landed. 0 keeps them for ever. */
  readonly historyDays: number;
  /** Markets that another program trades, and which are listed with these. Default: none. */
  readonly others?: OtherPredictions | null | undefined;
  readonly timers: Timers;
  /** Creates what is called when something cannot be read in the background, and when it is again. */
  readonly createOutageLog: (what: string) => OutageLog;
  /** Called when something is passed over, or old events could not be removed. */
  readonly onDefect: (where: string, error: unknown) => void;
}

/** Markets that another program trades, whose events stand in the same history. */
export interface OtherPredictions {
  readonly events: PredictionEvents;
  /** Records everything that was confirmed before the call. */
  readonly upToNow: () => Promise<void>;
  /** Sees to it that `events` knows markets of the history, by their hashes, although they may be over for long. */
  readonly recall: (marketIdHashes: readonly string[]) => Promise<void>;
}

/** The events of prediction markets, and what is known of orders and positions. */
export interface Predictions {
  /** The events whose markets orders trade. */
  readonly events: PredictionEvents;
  /** Those and the ones of `others`. */
  readonly allEvents: PredictionEvents;
  readonly accounts: PredictionAccounts;
  readonly history: PredictionHistory;
  readonly social: PredictionSocial;
  /** Creates the lists of events and positions, which are worth what the exchange would pay. */
  readonly createLists: (
    exchange: Pick<PredictionExchange, 'getPrices'>,
  ) => PredictionEventLists & PredictionPositionLists;
  /**
   * Creates the functions of an administrator.
   *
   * @param operations - Null if the keeper is in another process.
   */
  readonly createAdmin: (operations: MarketOperations | null) => PredictionAdmin;
  /** Returns why events or accounts are not known, so that nothing can be decided by them; null if they are. */
  readonly unread: () => string | null;
  /** Returns why something is not known now, for the operator; null if everything is. */
  readonly unhealthy: () => string | null;
  /** Stops, and waits for the recording in progress. */
  readonly close: () => Promise<void>;
}

const VOLUMES_EVERY_MS = 2_000;
const REMOVAL_EVERY_MS = 3_600_000;

/** Opens the events, and begins to follow the program of prediction markets. */
export async function openPredictions(options: PredictionsOptions): Promise<Predictions> {
  const { chain, store, timers, createOutageLog, onDefect, others = null, tradesOrders = true } = options;
  const network = chain.genesisHash;
  const now = () => chain.clock().unixTimestamp;
  const records = new EventRecords(store, network);
  const directory = await EventDirectory.open({ records, timers, outage: createOutageLog('events') });
  const allEvents = others === null ? directory : joinPredictionEvents(directory, others.events);
  const accounts = await PredictionAccountFollower.open({
    chain: tradesOrders ? chain : { ...NO_ACCOUNTS, slot: (commitment) => chain.slot(commitment) },
    timers,
    outage: createOutageLog('accounts'),
    onDefect,
  });
  const historyRecords = new PredictionHistoryRecords(store, network);
  const volumes = new MarketVolumes(historyRecords, (hash) => allEvents.findMarketByHash(hash) !== null);
  const eventLists = new EventLists({
    events: allEvents,
    accounts,
    volumeOf: (marketIdHash) => volumes.get(marketIdHash),
    now,
  });
  const follower = tradesOrders ? createOrderFollower(options) : null;
  const refreshing = createRefreshing(options, { volumes, eventLists });
  const removal = createRemoval(options);
  const recorded = joinRecorded(follower, others);
  follower?.start();
  const social = openSocial({
    store,
    network,
    history: historyRecords,
    recorded,
    now: () => Number(now()),
    timers,
    outage: createOutageLog('totals'),
  });
  refreshing.start();
  removal.start();
  return {
    events: directory,
    allEvents,
    accounts,
    history: createHistory(recorded, historyRecords),
    social,
    createLists: (exchange) => ({
      selectEvents: eventLists.selectEvents,
      searchEvents: eventLists.searchEvents,
      suggestEvents: eventLists.suggestEvents,
      volumeOfEvent: eventLists.volumeOfEvent,
      volumeOfMarket: eventLists.volumeOfMarket,
      ...createPositionLists({ events: allEvents, accounts, exchange, now }),
    }),
    createAdmin: (operations) =>
      createPredictionAdmin({
        records,
        directory,
        network,
        now,
        operations,
        onDelay: (marketId, reason) => onDefect(`the decision of market ${marketId}`, reason),
      }),
    unread: () => directory.unhealthy() ?? accounts.unhealthy(),
    unhealthy: () => directory.unhealthy() ?? accounts.unhealthy() ?? follower?.unhealthy() ?? null,
    close: async () => {
      eventLists.close();
      await Promise.all([
        refreshing.stop(),
        removal.stop(),
        social.close(),
        follower?.close(),
        accounts.close(),
        directory.close(),
      ]);
    },
  };
}

/** In place of a network on which no orders are traded. */
const NO_ACCOUNTS: Pick<Chain, 'watchProgram' | 'getProgramAccounts'> = {
  watchProgram: () => () => undefined,
  getProgramAccounts: async () => [],
};

function createOrderFollower({ chain, store, timers, createOutageLog, onDefect }: PredictionsOptions) {
  return new EventFollower({
    chain,
    program: FOLLOWED_PREDICTIONS,
    recorder: new PredictionHistoryRecorder(store, chain.genesisHash),
    isOwnNetwork: true,
    timers,
    outage: createOutageLog('history'),
    onDefect,
  });
}

/** What is recorded of all programs. */
function joinRecorded(
  follower: Pick<EventFollower<unknown>, 'upToNow'> | null,
  others: OtherPredictions | null,
): RecordedEvents {
  return {
    upToNow: async () => {
      await Promise.all([
        follower === null ? undefined : waitUnlessBehind(follower.upToNow()),
        others === null ? undefined : waitUnlessBehind(others.upToNow()),
      ]);
    },
    recall: async (events) => {
      await others?.recall([...new Set(events.map(({ marketIdHash }) => marketIdHash))]);
    },
  };
}

/** Answers from the record, after everything was recorded that was confirmed before the call. */
function createHistory(
  { upToNow, recall }: RecordedEvents,
  records: PredictionHistoryRecords,
): PredictionHistory {
  return {
    listHistory: async (selection) => {
      await upToNow();
      const page = await records.list(selection);
      await recall(page.events);
      return page;
    },
    findOrderHistory: async (order) => {
      await upToNow();
      return records.listOfOrder(order);
    },
  };
}

/** Reads what was traded: at once, and every two seconds. */
function createRefreshing(
  { chain, timers, createOutageLog }: PredictionsOptions,
  { volumes, eventLists }: { readonly volumes: MarketVolumes; readonly eventLists: EventLists },
): RepeatedWork {
  const outage = createOutageLog('volumes');
  const refresh = async () => {
    const changed = await volumes.refresh(toHour(Number(chain.clock().unixTimestamp)));
    if (changed === null || changed.length > 0) eventLists.noteVolumes(changed);
    outage.onAnswer();
  };
  const onError = (error: unknown) => outage.onFailure(error);
  const repeated = createRepeatedWork({ everyMs: VOLUMES_EVERY_MS, work: refresh, timers, onError });
  let first: Promise<void> = Promise.resolve();
  return {
    start: () => {
      first = refresh().catch(onError);
      repeated.start();
    },
    stop: async () => {
      await first;
      await repeated.stop();
    },
  };
}

/** Removes old events every hour. */
function createRemoval({ chain, store, historyDays, timers, onDefect }: PredictionsOptions): RepeatedWork {
  return createRepeatedWork({
    everyMs: REMOVAL_EVERY_MS,
    work: async (isStopped) => {
      const { genesisHash: network } = chain;
      const { unixTimestamp: now } = chain.clock();
      await removeOldPredictionEvents(store, { network, now, historyDays, isStopped });
      await removeOldTotals(store, { network, now, isStopped });
    },
    timers,
    onError: (error) => onDefect('the removal of old events of prediction markets', error),
  });
}
