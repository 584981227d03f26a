import type { Counter, Metrics } from '../../common/ports/metrics.ts';

/** What a graduator counts. */
export interface GraduatorMetrics {
  readonly graduated: Counter;
  /** By `reason`. */
  readonly notGraduated: Counter;
  readonly lamports: Counter;
}

/** What a graduator tells whenever it is asked. */
export interface GraduatorReadings {
  /** Launches that wait for a migration that the operator pays for, whether or not this instance takes them further. */
  readonly complete: () => number;
  readonly inFlight: () => number;
}

export function createGraduatorMetrics(
  metrics: Metrics,
  { complete, inFlight }: GraduatorReadings,
): GraduatorMetrics {
  metrics.gauge(
    'sluice_launches_complete',
    'Launches that wait for a migration that the operator pays for.',
    complete,
  );
  metrics.gauge(
    'sluice_launches_in_flight',
    'Transactions of this instance that take launches to their pool and have not ended yet.',
    inFlight,
  );
  metrics.queue({
    name: 'launches to be migrated',
    meaning:
      'Launches whose curve is complete and whose migration the operator pays for. None is lost: they are on the chain, and wait while the gas wallet is empty or its budget is spent.',
    read: () => ({ waiting: complete(), limit: null, lost: null }),
  });
  return {
    graduated: metrics.counter(
      'sluice_launches_graduated_total',
      'Launches whose liquidity this instance has migrated to a pool.',
    ),
    notGraduated: metrics.counter(
      'sluice_launches_not_graduated_total',
      'Attempts of this instance to take a launch further that did not succeed, by the reason.',
      ['reason'],
    ),
    lamports: metrics.counter(
      'sluice_launches_gas_lamports_total',
      'Lamports that taking launches to their pools has cost the gas wallet, rents included.',
    ),
  };
}
