import type { Counter, Histogram, Metrics } from '../../common/ports/metrics.ts';
import { WAIT_REASONS, type WaitingOrder, type WaitReason } from '../waiting-order.ts';

/** Seconds from a price to the fill that it triggered. */
const LAG_BUCKETS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30];

/** What the gauges of a keeper read. */
export interface KeeperGauges {
  readonly open: () => number;
  readonly queued: () => number;
  readonly inFlight: () => number;
  readonly waiting: () => ReadonlyMap<WaitReason, number>;
}

/** What a keeper counts. */
export interface KeeperMetrics {
  readonly triggered: Counter;
  /** By `outcome`: success, failed or expired. */
  readonly fills: Counter;
  readonly lag: Histogram;
  readonly leasesLost: Counter;
  /** By `kind` (deposit, fill, withdrawal) and `outcome`. */
  readonly recovered: Counter;
  readonly gasLamports: Counter;
  readonly expired: Counter;
  readonly roundsFilled: Counter;
  /** By `reason`: one of `MISSED_REASONS`. */
  readonly roundsMissed: Counter;
}

/**
 * Why a round was not filled in its time: what it waited for last; `late` if no keeper has looked at it in its time, or has not come
 * to the end of its fill; `clock` if the clock was ahead when the round was put off, and has been put back since.
 */
export const MISSED_REASONS = [...WAIT_REASONS, 'late', 'clock'] as const;
export type MissedReason = (typeof MISSED_REASONS)[number];

/**
 * Returns why a round is missed.
 *
 * @param order - As it was before its round was put off.
 * @param at - Unix milliseconds, by the clock of orders.
 */
export function findMissedReason({ rounds, waitsFor }: WaitingOrder, at: number): MissedReason {
  if (rounds !== null && at < rounds.nextAt) return 'clock';
  return waitsFor ?? 'late';
}

/** Whether a fill that succeeded was the end of a round. What the last one leaves waits for another fill of the same round. */
export function isRoundFilled(before: WaitingOrder, after: WaitingOrder | null): boolean {
  return (after?.rounds?.filled ?? 0) > (before.rounds?.filled ?? 0);
}

export function createKeeperMetrics(metrics: Metrics, gauges: KeeperGauges): KeeperMetrics {
  metrics.gauge('sluice_waiting_orders_open', 'Open orders that this keeper holds in memory.', gauges.open);
  metrics.gauge(
    'sluice_waiting_orders_queued',
    'Orders whose price is reached or whose round is due, and whose fill has not been recorded yet.',
    gauges.queued,
  );
  metrics.gauge(
    'sluice_waiting_orders_in_flight',
    'Fills of this keeper that are recorded and not settled yet.',
    gauges.inFlight,
  );
  metrics.gauge(
    'sluice_waiting_orders_waiting',
    'Orders whose price is reached and that cannot be filled now, by the reason.',
    () => [...gauges.waiting()].map(([reason, value]) => ({ labels: { reason }, value })),
    ['reason'],
  );
  metrics.queue({
    name: 'orders to be filled',
    meaning:
      'Orders whose price is reached or whose round is due, and whose fill this keeper has not recorded yet. None is lost: they wait in the database.',
    read: () => ({ waiting: gauges.queued(), limit: null, lost: null }),
  });
  const roundsMissed = metrics.counter(
    'sluice_waiting_orders_rounds_missed_total',
    'Rounds of recurring orders that were not filled in their time, and that this keeper put off to the next interval, by what they waited for last.',
    ['reason'],
  );
  // An alert compares counts of an hour. A series that began with its first round would hide that one.
  for (const reason of MISSED_REASONS) roundsMissed.add({ reason }, 0);
  return {
    triggered: metrics.counter('sluice_waiting_orders_triggered_total', 'Orders whose price was reached.'),
    fills: metrics.counter(
      'sluice_waiting_orders_fills_total',
      'Fills that this keeper settled, by how the chain ended them: success, failed or expired.',
      ['outcome'],
    ),
    lag: metrics.histogram(
      'sluice_waiting_orders_submit_seconds',
      'Time from the price that triggered an order to the submission of its fill.',
      LAG_BUCKETS,
    ),
    leasesLost: metrics.counter(
      'sluice_waiting_orders_leases_lost_total',
      'Planned fills that were thrown away, because the order was changed meanwhile by its wallet or by another keeper.',
    ),
    recovered: metrics.counter(
      'sluice_waiting_orders_recovered_total',
      'Transactions of orders that were taken over and settled, by their kind and by how the chain ended them.',
      ['kind', 'outcome'],
    ),
    gasLamports: metrics.counter(
      'sluice_waiting_orders_gas_lamports_total',
      'Lamports that fills of this keeper cost the gas wallet.',
    ),
    expired: metrics.counter(
      'sluice_waiting_orders_expired_total',
      'Orders that this keeper moved to expired.',
    ),
    roundsFilled: metrics.counter(
      'sluice_waiting_orders_rounds_filled_total',
      'Rounds of recurring orders whose fill this keeper settled.',
    ),
    roundsMissed,
  };
}
