import type { Counter, Histogram, Metrics } from '../../common/ports/metrics.ts';
import type { WaitReason } from '../waiting-order.ts';

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
  readonly roundsMissed: Counter;
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
    roundsMissed: metrics.counter(
      'sluice_waiting_orders_rounds_missed_total',
      'Rounds of recurring orders that were not filled in their time, and that this keeper put off to the next interval.',
    ),
  };
}
