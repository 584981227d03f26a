import { setImmediate } from 'node:timers/promises';
import { SYSTEM_TIMERS } from '../common/ports/timers.ts';
import { OWN_RULES, readAlertRules } from '../gateway/alerts/rules/read-alert-rules.ts';
import { AlertWatch } from '../gateway/alerts/watch/alert-watch.ts';
import type { WatchedAlert } from '../gateway/alerts/watch/watched-alert.ts';
import type { MetricReader } from '../gateway/metrics/read-metrics.ts';
import type { StartContext } from './state/start-context.ts';

/**
 * Opens what evaluates the alerts of this instance. It begins when it is started.
 * @param metrics - The metrics of this instance.
 * @param getInstanceName - Returns what Prometheus would name this instance; called when it is sampled.
 * @throws OperatorError when the file of the rules cannot be read
 */
export function openAlertWatch(
  { config: { alertsFile }, logger, toClose }: StartContext,
  metrics: MetricReader,
  getInstanceName: () => string,
): AlertWatch {
  const watch = new AlertWatch({
    rules: readAlertRules(alertsFile),
    source: alertsFile ?? OWN_RULES,
    metrics,
    getInstanceName,
    timers: SYSTEM_TIMERS,
    pause: () => setImmediate(),
    onChange: ({ rule, state, active }) => {
      const details = { alert: rule.name, summary: findSummary(active) };
      if (state === 'firing') logger.warn(details, 'an alert fires');
      else logger.info({ alert: rule.name }, 'an alert does not fire any more');
    },
    onDefect: (error) => logger.error({ err: error }, 'the alerts could not be evaluated'),
  });
  toClose(() => watch.stop());
  return watch;
}

function findSummary(active: WatchedAlert['active']): string {
  return active[0]?.summary ?? '';
}
