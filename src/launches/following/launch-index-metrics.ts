import type { Metrics } from '../../common/ports/metrics.ts';
import type { LaunchStages } from './launch-stages.ts';

/** Registers how many launches are known, and how many did not fit. */
export function addLaunchIndexMetrics(metrics: Metrics, stages: Pick<LaunchStages, 'report'>): void {
  metrics.gauge(
    'sluice_launches_known',
    'Launches that are kept in memory, by their stage.',
    () => stages.report().map(({ stage, kept }) => ({ labels: { stage }, value: kept })),
    ['stage'],
  );
  metrics.gauge(
    'sluice_launches_dropped',
    'Launches that are not shown, because more of their stage exist than are kept.',
    () => stages.report().map(({ stage, dropped }) => ({ labels: { stage }, value: dropped })),
    ['stage'],
  );
}
