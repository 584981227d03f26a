import { readFileSync, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { OperatorError } from '../common/operator-error.ts';
import { packageRoot } from '../common/package.ts';
import { SYSTEM_TIMERS } from '../common/ports/timers.ts';
import { RuleError } from '../gateway/alerts/promql/rule-error.ts';
import { type AlertRule, readRuleFile } from '../gateway/alerts/rules/rule-file.ts';
import { AlertWatch } from '../gateway/alerts/watch/alert-watch.ts';
import type { WatchedAlert } from '../gateway/alerts/watch/watched-alert.ts';
import type { MetricReader } from '../gateway/metrics/read-metrics.ts';
import type { StartContext } from './state/start-context.ts';

/** The rules that the package brings, which operators also give to Prometheus. */
const OWN_RULES = 'docs/monitoring/alerts.yml';
const MAX_BYTES = 1_000_000;

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
    rules: readRules(alertsFile),
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

/**
 * Reads the rules of alerts.
 * @param path - A file of the operator's own; null: the rules of the package.
 * @throws OperatorError when the file cannot be read
 */
export function readRules(path: string | null): readonly AlertRule[] {
  try {
    if (path !== null && statSync(path).size > MAX_BYTES)
      throw new RuleError(`it is larger than ${MAX_BYTES} bytes`);
    return readRuleFile(readFileSync(path ?? new URL(OWN_RULES, packageRoot), 'utf8'));
  } catch (error) {
    if (path === null) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`alerts-file ${path} cannot be read as rules of Prometheus: ${reason}`);
  }
}

function findSummary(active: WatchedAlert['active']): string {
  return active[0]?.summary ?? '';
}
