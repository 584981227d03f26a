import type { OutageLog } from '../../common/outage-log.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { createRepeatedWork, type RepeatedWork } from '../../common/work/repeated-work.ts';
import { isOpenForTrading } from '../../predictions/lists/market-state.ts';
import type {
  PredictionEvents,
  PredictionExchange,
  PredictionMarket,
  PredictionPrices,
} from '../../predictions/prediction.ts';
import type { ForecastSeries } from '../forecast.ts';
import type { ForecastSeriesRecords, SeriesEntry } from './series-records.ts';

export interface ForecastSeriesOptions {
  readonly records: Pick<ForecastSeriesRecords, 'add' | 'list' | 'removeOld'>;
  /** The events of both kinds. */
  readonly events: Pick<PredictionEvents, 'listEvents' | 'findMarket'>;
  readonly exchange: Pick<PredictionExchange, 'getPrices'>;
  /** Returns the Unix second of the network. */
  readonly now: () => number;
  readonly timers: Pick<Timers, 'after'>;
  /** Called when prices could not be recorded, and when they are again. */
  readonly outage: OutageLog;
}

/** A series that is recorded until it is closed. */
export interface RecordedSeries extends ForecastSeries {
  readonly close: () => Promise<void>;
}

const DAY_SECONDS = 86_400;
/** Sides of rounds live minutes, other markets weeks. */
const OF_ROUNDS = { periodSeconds: 15, keptSeconds: 7 * DAY_SECONDS } as const;
const OF_OTHERS = { periodSeconds: 60, keptSeconds: 30 * DAY_SECONDS } as const;
const LOOK_EVERY_MS = 5_000;
const REMOVE_EVERY_SECONDS = 3_600;

/** Records what yes is worth on every market that is open: once in a period, and only when it has changed. */
export function openForecastSeries(options: ForecastSeriesOptions): RecordedSeries {
  const { records, events, timers, outage } = options;
  const recorder = new SeriesRecorder(options);
  const recording: RepeatedWork = createRepeatedWork({
    everyMs: LOOK_EVERY_MS,
    work: async () => {
      await recorder.record();
      outage.onAnswer();
    },
    timers,
    onError: (error) => outage.onFailure(error),
  });
  recording.start();
  return {
    periodOf: (marketId) => (isOfRound(events.findMarket(marketId)) ? OF_ROUNDS : OF_OTHERS).periodSeconds,
    list: async (marketId) => {
      const market = events.findMarket(marketId);
      return market === null ? [] : records.list(market.marketIdHash);
    },
    close: () => recording.stop(),
  };
}

/** A price with the period for which it was read. */
interface ReadPrice {
  readonly price: bigint;
  readonly at: number;
}

class SeriesRecorder {
  readonly #options: ForecastSeriesOptions;
  /** The last price of each market that is open, by its hash. */
  #last: ReadonlyMap<string, ReadPrice> = new Map();
  #removedAt = 0;

  constructor(options: ForecastSeriesOptions) {
    this.#options = options;
  }

  async record(): Promise<void> {
    const { records, events, exchange, now } = this.#options;
    const second = now();
    const entries: SeriesEntry[] = [];
    const last = new Map<string, ReadPrice>();
    for (const market of events.listEvents().flatMap(({ markets }) => markets)) {
      if (!isOpenForTrading(market, second)) continue;
      const { marketId, marketIdHash } = market;
      const { periodSeconds, keptSeconds } = isOfRound(market) ? OF_ROUNDS : OF_OTHERS;
      const at = second - (second % periodSeconds);
      const known = this.#last.get(marketIdHash);
      if (known !== undefined) last.set(marketIdHash, known);
      if (known?.at === at) continue;
      const prices = exchange.getPrices(marketId);
      const price = prices === null ? null : toMiddle(prices);
      if (price === null) continue;
      last.set(marketIdHash, { price, at });
      if (known?.price !== price) entries.push({ marketIdHash, at, price, keptUntil: at + keptSeconds });
    }
    await records.add(entries);
    // Markets that have closed are forgotten. What could not be written is tried again.
    this.#last = last;
    if (second - this.#removedAt < REMOVE_EVERY_SECONDS) return;
    await records.removeOld(second);
    this.#removedAt = second;
  }
}

/** Returns the middle of what yes costs and brings, rounded down; one of them where nobody offers the other. */
function toMiddle({ buyYes, sellYes }: PredictionPrices): bigint | null {
  if (buyYes === null || sellYes === null) return buyYes ?? sellYes;
  return (buyYes + sellYes) / 2n;
}

function isOfRound(market: Pick<PredictionMarket, 'forecast'> | null): boolean {
  return market?.forecast != null;
}
