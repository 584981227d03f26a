import type { Counter, Histogram, Metrics } from '../../common/ports/metrics.ts';
import type { OrderProgram } from '../program-order.ts';
import type { OrderWait } from './plan/order-put-off.ts';

/** Seconds from when an order could be worked on to the submission of its transaction. */
const LAG_BUCKETS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30];

/** What the gauges of a keeper read. */
export interface ProgramOrderGauges {
  readonly open: () => ReadonlyMap<OrderProgram, number>;
  readonly waiting: () => ReadonlyMap<OrderWait, number>;
  readonly inFlight: () => number;
}

/** What a keeper of program orders counts. */
export interface ProgramOrderMetrics {
  /** By `program`, `task` (fill, cancel or close) and `outcome` (success, failed, expired or unknown). */
  readonly transactions: Counter;
  readonly lag: Histogram;
  readonly gasLamports: Counter;
}

export function createProgramOrderMetrics(metrics: Metrics, gauges: ProgramOrderGauges): ProgramOrderMetrics {
  metrics.gauge(
    'sluice_program_orders_open',
    'Open orders of programs that this keeper holds in memory, by the program.',
    () => [...gauges.open()].map(([program, value]) => ({ labels: { program }, value })),
    ['program'],
  );
  metrics.gauge(
    'sluice_program_orders_waiting',
    'Orders of programs that cannot be filled now, by the reason.',
    () => [...gauges.waiting()].map(([reason, value]) => ({ labels: { reason }, value })),
    ['reason'],
  );
  metrics.gauge(
    'sluice_program_orders_in_flight',
    'Transactions of this keeper with orders of programs that have not ended yet.',
    gauges.inFlight,
  );
  metrics.queue({
    name: 'orders of programs under way',
    meaning:
      'Transactions of this keeper with orders of programs that have not ended. None is lost: the orders are on the chain.',
    read: () => ({ waiting: gauges.inFlight(), limit: null, lost: null }),
  });
  return {
    transactions: metrics.counter(
      'sluice_program_orders_transactions_total',
      'Transactions of this keeper with orders of programs, by the program, what they do and how they ended.',
      ['program', 'task', 'outcome'],
    ),
    lag: metrics.histogram(
      'sluice_program_orders_submit_seconds',
      'Time from when an order of a program could be worked on to the submission of its transaction.',
      LAG_BUCKETS,
    ),
    gasLamports: metrics.counter(
      'sluice_program_orders_gas_lamports_total',
      'Lamports that transactions of this keeper with orders of programs cost the gas wallet.',
    ),
  };
}
