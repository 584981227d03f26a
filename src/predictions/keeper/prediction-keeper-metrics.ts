import type { Counter, Metrics } from '../../common/ports/metrics.ts';

/** What the gauges of a keeper of predictions read. */
export interface PredictionKeeperGauges {
  readonly queued: () => number;
  readonly inFlight: () => number;
  readonly chores: () => number;
  /** Micro USD; null before it is known. */
  readonly surplus: () => bigint | null;
}

const MICRO_PER_USD = 1_000_000;

/** What a keeper of predictions counts. */
export interface PredictionKeeperMetrics {
  /** By `task` (`fill`, or a kind of chore) and `outcome` (success, refused, gas, unknown or not-landed). */
  readonly transactions: Counter;
  /** By `reason`, an `EndReason` of the exchange. */
  readonly ordersEnded: Counter;
  readonly staleOrders: Counter;
  readonly gasLamports: Counter;
}

export function createPredictionKeeperMetrics(
  metrics: Metrics,
  gauges: PredictionKeeperGauges,
): PredictionKeeperMetrics {
  metrics.gauge(
    'sluice_predictions_queued',
    'Orders that wait to be matched and trades that wait for a transaction, at this keeper.',
    gauges.queued,
  );
  metrics.gauge(
    'sluice_predictions_in_flight',
    'Transactions of this keeper with fills of prediction orders that have not ended yet.',
    gauges.inFlight,
  );
  metrics.gauge(
    'sluice_predictions_chores',
    'Orders to be closed, results to be posted and positions to be ended that this keeper has not done yet.',
    gauges.chores,
  );
  metrics.gauge(
    'sluice_predictions_vault_surplus_usd',
    'Dollars that the vault of prediction markets has beyond what positions can be paid and the house can still lose.',
    () => {
      const surplus = gauges.surplus();
      return surplus === null ? Number.NaN : Number(surplus) / MICRO_PER_USD;
    },
  );
  metrics.queue({
    name: 'prediction orders to be matched',
    meaning:
      'Prediction orders that wait to be matched and trades that wait for a transaction, at this keeper. None is lost: the orders are on the chain.',
    read: () => ({ waiting: gauges.queued(), limit: null, lost: null }),
  });
  metrics.queue({
    name: 'chores of predictions',
    meaning:
      'Orders to be closed, results to be posted and positions to be ended. None is lost: they are done again after a start.',
    read: () => ({ waiting: gauges.chores(), limit: null, lost: null }),
  });
  metrics.reserve({
    name: 'vault of predictions',
    meaning:
      'What the vault has beyond what positions can be paid and the house can still lose. Below zero, not everybody could be paid.',
    microDollars: gauges.surplus,
  });
  return {
    transactions: metrics.counter(
      'sluice_predictions_transactions_total',
      'Transactions of this keeper with prediction orders and positions, by what they do and how they ended.',
      ['task', 'outcome'],
    ),
    ordersEnded: metrics.counter(
      'sluice_predictions_orders_ended_total',
      'Prediction orders that have left the order books of this keeper, by the reason.',
      ['reason'],
    ),
    staleOrders: metrics.counter(
      'sluice_predictions_stale_orders_total',
      'Prediction orders that were closed because the chain had filled them otherwise than this keeper believed.',
    ),
    gasLamports: metrics.counter(
      'sluice_predictions_gas_lamports_total',
      'Lamports that transactions with prediction orders and positions cost the keeper.',
    ),
  };
}
