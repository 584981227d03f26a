import { hostname } from 'node:os';
import { readPackageVersion } from '../common/package.ts';
import { SYSTEM_TIMERS } from '../common/ports/timers.ts';
import type { Prometheus } from '../gateway/metrics/prometheus.ts';
import { InstanceOperation } from '../gateway/operation/instance-operation.ts';
import { PartWatch } from '../gateway/operation/part-watch.ts';
import type { WatchedStore } from '../gateway/operation/watched-servers.ts';
import type { ReadinessCheck } from '../products/product.ts';
import type { LogDatabase } from '../store/log/log-database.ts';
import type { Valkey } from '../store/shared/valkey.ts';
import type { LandingReports } from '../transactions/reports/landing-reports.ts';
import type { LowerRooms } from './lower-rooms.ts';
import type { StartContext } from './state/start-context.ts';

interface OperationParts {
  /** Parts that are opened later are added. */
  readonly readiness: readonly ReadinessCheck[];
  readonly prometheus: Prometheus;
  readonly landingReports: Pick<LandingReports, 'countSince'>;
}

/** Begins to watch the parts of the instance, for its operator, until the application is closed. */
export function openOperation(
  { config, logger, toClose }: StartContext,
  { state, network, market }: Pick<LowerRooms, 'state' | 'network' | 'market'>,
  { readiness, prometheus, landingReports }: OperationParts,
): InstanceOperation {
  const stopwatch = () => performance.now();
  const parts = new PartWatch({
    checks: readiness,
    timers: SYSTEM_TIMERS,
    stopwatch,
    onDefect: (error) => logger.error({ err: error }, 'the parts of the instance could not be checked'),
  });
  toClose(() => parts.close());
  return new InstanceOperation({
    facts: {
      name: `${hostname()} (process ${process.pid})`,
      version: readPackageVersion(),
      startedAt: SYSTEM_TIMERS.now(),
      network: network.embedded === null ? 'rpc' : 'embedded',
      isKeeper: config.keeper,
      isShared: state.valkey !== null,
    },
    parts,
    stores: listStores(state),
    nodes: network.nodes,
    chain: market.chain,
    watched: prometheus.watched,
    timers: SYSTEM_TIMERS,
    stopwatch,
    countLandings: (since) => landingReports.countSince(since),
  });
}

const STORE_MEANING =
  'Organisations, keys, rules, makers, orders that wait, and everything that money depends on.';
const LOG_MEANING = 'The request log, the ledger of orders and the reports of landings.';

/** Returns the databases of an instance as its operator sees them. */
export function listStores({
  store,
  logDatabase,
  valkey,
}: Pick<LowerRooms['state'], 'store' | 'logDatabase' | 'valkey'>): readonly WatchedStore[] {
  const kind = logDatabase.kind === 'sqlite' ? 'SQLite' : 'PostgreSQL';
  const stores: WatchedStore[] =
    kind === 'SQLite'
      ? [
          {
            name: 'database',
            kind,
            part: 'database',
            meaning: STORE_MEANING,
            measure: () => measureStore(store),
          },
          {
            name: 'database of the request log',
            kind,
            part: 'request log',
            meaning: LOG_MEANING,
            measure: () => measureLog(logDatabase),
          },
        ]
      : [
          {
            name: 'database',
            kind,
            part: 'database',
            meaning: `${STORE_MEANING} ${LOG_MEANING}`,
            measure: () => measureLog(logDatabase),
          },
        ];
  return valkey === null ? stores : [...stores, describeValkey(valkey)];
}

/** SQLite counts its pages; those of the write-ahead log are not among them. */
const SQLITE_BYTES = 'select page_count * page_size from pragma_page_count(), pragma_page_size()';
const POSTGRES_BYTES = 'select pg_database_size(current_database())';

async function measureStore({ db }: LowerRooms['state']['store']): Promise<number | null> {
  const [row] = (await db.execute(SQLITE_BYTES)) as unknown as unknown[][];
  return toBytes(row?.[0]);
}

async function measureLog(database: LogDatabase): Promise<number | null> {
  const [row] = await database.query(database.kind === 'sqlite' ? SQLITE_BYTES : POSTGRES_BYTES, []);
  return toBytes(row?.[0]);
}

function describeValkey(valkey: Valkey): WatchedStore {
  return {
    name: 'valkey',
    kind: 'Valkey',
    part: 'valkey',
    meaning: 'Limits, leases, makers and orders under way, shared with other instances. It needs no backup.',
    measure: () => valkey.readMemory(),
  };
}

function toBytes(value: unknown): number | null {
  const bytes = Number(value ?? Number.NaN);
  return Number.isSafeInteger(bytes) ? bytes : null;
}
