import type { ReadinessCheck } from '../../products/product.ts';
import { listen } from '../../gateway/http/listen.ts';
import type { Prometheus } from '../../gateway/metrics/prometheus.ts';
import { createMetricsServer } from '../../gateway/metrics-server.ts';
import { closeServer } from '../../gateway/server/server.ts';
import type { Tracing } from '../../common/ports/tracing.ts';
import { packageVersion } from '../../common/package.ts';
import { TrafficLog } from '../../platform/traffic/log/traffic-log.ts';
import type { Metrics } from '../../common/ports/metrics.ts';
import { every, SYSTEM_TIMERS, within } from '../../common/ports/timers.ts';
import { outageLog } from './outage-log.ts';
import type { StartContext } from './start-context.ts';
import type { State } from './state.ts';

/** How long the last write of the request log may take. */
const LAST_WRITE_MS = 5_000;

/** @returns null when no receiver is configured; then OpenTelemetry is not loaded */
export async function openTracing({ config, toClose }: StartContext): Promise<Tracing | null> {
  const { otlpEndpoint, traceShare } = config;
  if (otlpEndpoint === null) return null;
  const { openTelemetry } = await import('../../gateway/tracing/open-telemetry.ts');
  const telemetry = await openTelemetry({
    endpoint: otlpEndpoint,
    share: traceShare,
    version: packageVersion(),
  });
  toClose(() => telemetry.close());
  return telemetry.tracing;
}

/**
 * Opens the request log.
 * @returns the log, and its readiness check, which is optional because requests are answered without the log
 */
export async function openTraffic(
  { config, logger, toClose }: StartContext,
  { logDatabase }: State,
  metrics: Metrics,
): Promise<{ readonly log: TrafficLog; readonly part: ReadinessCheck }> {
  const outage = outageLog(
    logger,
    'the request log cannot be written; its rows wait in memory',
    'the request log is written again',
  );
  const log = await TrafficLog.open({
    database: logDatabase,
    days: config.logDays,
    now: Date.now,
    every,
    metrics,
    onDefect: outage.onFailure,
    onAnswer: outage.onAnswer,
  });
  // A database that does not answer must not keep the process from ending; rows that still wait are lost then.
  toClose(() => within(log.close(), LAST_WRITE_MS, SYSTEM_TIMERS));
  return { log, part: { name: 'request log', unhealthy: log.database.unhealthy, optional: true } };
}

/** @returns the URL of the metrics; null when they are served on the admin port only */
export async function serveMetrics(
  { config, logger, toClose }: StartContext,
  metrics: Prometheus,
): Promise<string | null> {
  const { metricsAddress } = config;
  if (metricsAddress === null) return null;
  const server = await createMetricsServer(logger, metrics, config.transport.bounds);
  toClose(() => closeServer(server));
  return listen(server, { ...metricsAddress, setting: 'metrics-address' });
}
