import type { Counter, Metrics } from '../../common/ports/metrics.ts';
import type { ForecastRounds } from '../forecast.ts';

/** What the gauges of a keeper of forecasts read. */
export interface ForecastKeeperGauges {
  readonly rounds: Pick<ForecastRounds, 'list'>;
  /** The chain's time, in Unix seconds. */
  readonly now: () => number;
  /** Micro USD; null before it is known. */
  readonly reserve: () => bigint | null;
  /** Token accounts that are not paid, because their owners have to act. */
  readonly waiting: () => number;
}

const MICRO_PER_USD = 1_000_000;

/** What a keeper of forecasts counts. */
export interface ForecastKeeperMetrics {
  /** By `task` (`open`, `settle`, `void`, `pay` or `close`) and `outcome` (success, refused, gas, unknown or not-landed). */
  readonly transactions: Counter;
  /** By `outcome` (`up`, `down` or `void`). */
  readonly roundsEnded: Counter;
  readonly roundsMissed: Counter;
  readonly payouts: Counter;
}

export function createForecastKeeperMetrics(
  metrics: Metrics,
  gauges: ForecastKeeperGauges,
): ForecastKeeperMetrics {
  metrics.gauge(
    'sluice_forecasts_rounds',
    'Rounds of forecasts on the chain, by their state.',
    () => countStates(gauges),
    ['state'],
  );
  metrics.gauge(
    'sluice_forecasts_reserve_usd',
    'Dollars in the reserve out of which rounds of forecasts are funded.',
    () => {
      const reserve = gauges.reserve();
      return reserve === null ? Number.NaN : Number(reserve) / MICRO_PER_USD;
    },
  );
  metrics.gauge(
    'sluice_forecasts_payouts_waiting',
    'Token accounts of ended rounds that this keeper does not pay out, because their owners have to act.',
    gauges.waiting,
  );
  metrics.queue({
    name: 'payouts of forecasts that wait',
    meaning:
      'Token accounts of ended rounds whose owners have to act before they are paid. After a day, their tokens are burned.',
    read: () => ({ waiting: gauges.waiting(), limit: null, lost: null }),
  });
  metrics.reserve({
    name: 'reserve of forecasts',
    meaning: 'Rounds of forecasts are funded out of it. While it is too small, no rounds are opened.',
    microDollars: gauges.reserve,
  });
  return {
    transactions: metrics.counter(
      'sluice_forecasts_transactions_total',
      'Transactions of this keeper with rounds of forecasts, by what they do and how they ended.',
      ['task', 'outcome'],
    ),
    roundsEnded: metrics.counter(
      'sluice_forecasts_rounds_ended_total',
      'Rounds of forecasts that have got their result while this keeper followed them, by the result.',
      ['outcome'],
    ),
    roundsMissed: metrics.counter(
      'sluice_forecasts_rounds_missed_total',
      'Rounds of forecasts that this keeper was to open and did not.',
    ),
    payouts: metrics.counter(
      'sluice_forecasts_payouts_total',
      'Token accounts of ended rounds that this keeper has paid out, also those of the side that has lost.',
    ),
  };
}

function countStates({ rounds, now }: ForecastKeeperGauges) {
  const counts = { open: 0, resolving: 0, settled: 0 };
  const second = now();
  for (const { outcome, closeAt } of rounds.list()) {
    if (outcome !== null) counts.settled++;
    else if (second < closeAt) counts.open++;
    else counts.resolving++;
  }
  return Object.entries(counts).map(([state, value]) => ({ labels: { state }, value }));
}
