import type { Part } from '../gateway/health/health.ts';
import { listen } from '../gateway/http/listen.ts';
import type { Prometheus } from '../gateway/metrics/prometheus.ts';
import { createMetricsServer } from '../gateway/metrics-server.ts';
import { closeServer } from '../gateway/server/server.ts';
import type { Tracing } from '../common/ports/tracing.ts';
import { packageVersion } from '../common/package.ts';
import { TrafficLog } from '../platform/traffic/traffic-log.ts';
import type { Metrics } from '../common/ports/metrics.ts';
import { every, SYSTEM_TIMERS, within } from '../common/ports/timers.ts';
import type { StartContext } from './opening.ts';
import type { State } from './state.ts';

/** Milliseconds that the last write of the request log may take. */
const LAST_WRITE_MS = 5_000;

/** Null, and nothing loaded, where no receiver is named. */
export async function openTracing({ config, toClose }: StartContext): Promise<Tracing | null> {
  const { otlpEndpoint, traceShare } = config;
  if (otlpEndpoint === null) return null;
  const { openTelemetry } = await import('../gateway/tracing/open-telemetry.ts');
  const telemetry = await openTelemetry({
    endpoint: otlpEndpoint,
    share: traceShare,
    version: packageVersion(),
  });
  toClose(() => telemetry.close());
  return telemetry.tracing;
}

/** The request log, and how it is: nothing needs it, and what it cannot write waits in memory. */
export async function openTraffic(
  { config, logger, toClose }: StartContext,
  { logDatabase }: State,
  metrics: Metrics,
): Promise<{ readonly log: TrafficLog; readonly part: Part }> {
  const log = await TrafficLog.open({
    database: logDatabase,
    days: config.logDays,
    now: Date.now,
    every,
    metrics,
    onDefect: (error) =>
      logger.error({ err: error }, 'the request log cannot be written; it waits in memory'),
  });
  // A database that does not answer must not keep the process; what waits for it is lost then.
  toClose(() => within(log.close(), LAST_WRITE_MS, SYSTEM_TIMERS));
  return { log, part: { name: 'request log', unhealthy: log.database.unhealthy, optional: true } };
}

/** Resolves to where the metrics are read; null when that is the admin port. */
export async function serveMetrics(
  { config, logger, toClose }: StartContext,
  metrics: Prometheus,
): Promise<string | null> {
  const { metricsAddress } = config;
  if (metricsAddress === null) return null;
  const server = await createMetricsServer(logger, metrics);
  toClose(() => closeServer(server));
  return listen(server, { ...metricsAddress, setting: 'metrics-address' });
}
