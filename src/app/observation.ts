import { readPackageVersion } from '../common/package.ts';
import { addInstanceMetrics } from '../gateway/metrics/instance.ts';
import { createPrometheus, type Prometheus } from '../gateway/metrics/prometheus.ts';
import type { ReadinessCheck } from '../products/product.ts';
import type { LowerRooms } from './lower-rooms.ts';
import type { StartContext } from './state/start-context.ts';

/** What is watched of a process. */
export interface ProcessObservation {
  /** What `/readyz` checks. Parts that are opened later are added. */
  readonly readiness: ReadinessCheck[];
  readonly prometheus: Prometheus;
}

/** Begins to watch what every process has: its database, its network and its market. */
export function openProcessObservation(opening: StartContext, lower: LowerRooms): ProcessObservation {
  const { logger } = opening;
  const { state, market } = lower;
  const readiness = listReadinessChecks(opening, lower);
  const prometheus = createPrometheus((error) =>
    logger.error({ err: error }, 'a metric could not be collected'),
  );
  addInstanceMetrics(prometheus.metrics, {
    readiness,
    chain: market.chain,
    pools: market.pools,
    keys: state.platform.keys,
    versions: { sluice: readPackageVersion(), node: process.versions.node },
    now: Date.now,
  });
  return { readiness, prometheus };
}

/** An optional part is shown, and does not make the instance unready. */
function listReadinessChecks(
  { config }: StartContext,
  { state: { store, valkey }, network, market: { pools } }: LowerRooms,
): ReadinessCheck[] {
  const readiness: ReadinessCheck[] = [
    {
      name: 'database',
      unhealthy: store.unhealthy,
      runbook:
        config.databaseUrl === null ? 'operation#when-the-disk-is-full' : 'operation#when-postgresql-is-lost',
    },
    ...network.readiness,
    { name: 'market', unhealthy: () => pools.unhealthy() },
  ];
  if (valkey === null) return readiness;
  const part: ReadinessCheck = {
    name: 'valkey',
    unhealthy: valkey.unhealthy,
    runbook: 'operation#when-valkey-is-lost',
  };
  return [...readiness, config.limits === 'fail-open' ? { ...part, optional: true } : part];
}
