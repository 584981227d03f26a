import type { Counter, Metrics } from '../../common/ports/metrics.ts';

/** What a returner of invites counts. */
export interface ReturnerMetrics {
  readonly returned: Counter;
  /** By `reason`. */
  readonly notReturned: Counter;
}

/** @param inFlight - Returns how many transactions have not ended yet. */
export function createReturnerMetrics(metrics: Metrics, inFlight: () => number): ReturnerMetrics {
  metrics.gauge(
    'sluice_invites_in_flight',
    'Transactions of this instance that return expired invites and have not ended yet.',
    inFlight,
  );
  metrics.queue({
    name: 'invites being returned',
    meaning:
      'Transactions that return expired invites and have not ended. None is lost: the invites are on the chain.',
    read: () => ({ waiting: inFlight(), limit: null, lost: null }),
  });
  return {
    returned: metrics.counter(
      'sluice_invites_returned_total',
      'Expired invites that this instance returned to their senders.',
    ),
    notReturned: metrics.counter(
      'sluice_invites_not_returned_total',
      'Attempts of this instance to return an expired invite that did not succeed, by the reason.',
      ['reason'],
    ),
  };
}
