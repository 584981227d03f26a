import { NO_METRICS } from '../../common/ports/metrics.ts';
import type { LogDatabase } from '../../store/log/log-database.ts';
import { migrateLog } from '../../store/log/log-migrate.ts';
import { TEST_LOG_MIGRATIONS } from '../store/test-tables.ts';
import type { LogQuestion } from '../../platform/traffic/log/log-query.ts';
import { DAY_MS, HOUR_MS, listDays } from '../../platform/traffic/log/log-tables.ts';
import type { RequestEntry } from '../../platform/traffic/log/request-entry.ts';
import { TrafficLog, type TrafficLogOptions } from '../../platform/traffic/log/traffic-log.ts';

export const NOW = 1_790_000_000_000;
export const OWNER = { organisationId: 'o1', teamId: 't1', keyId: 'k1' };
export const OTHER = { organisationId: 'o2', teamId: 't2', keyId: 'k2' };

/** Selects every request of a test. */
export const ALL: LogQuestion = { filter: {}, since: NOW - 200 * DAY_MS, until: NOW + DAY_MS };
/** Selects the requests of the owner's organisation in the last 30 days. */
export const MONTH = { organisationId: OWNER.organisationId, since: NOW - 30 * DAY_MS, until: NOW + HOUR_MS };

/**
 * Opens a log over `database` with a clock that stands still, which writes when the test asks for it. The database's clock
 * is the same, unless `databaseNow` is given.
 */
export async function openTestTraffic(
  database: LogDatabase,
  { databaseNow, ...overrides }: Partial<TrafficLogOptions> & { readonly databaseNow?: () => number } = {},
): Promise<TrafficLog> {
  const now = overrides.now ?? (() => NOW);
  await migrateLog(database, TEST_LOG_MIGRATIONS, { at: NOW, listDays: listDays(database.kind) });
  return TrafficLog.open({
    database: { ...database, now: async () => (databaseNow ?? now)() },
    days: 184,
    now,
    every: () => () => {},
    metrics: NO_METRICS,
    onDefect: (error) => {
      throw error;
    },
    ...overrides,
  });
}

let made = 0;

/** An admitted swap of one credit that took a millisecond, with some fields replaced. */
export function entryWith(fields: Partial<RequestEntry> = {}): RequestEntry {
  return {
    requestId: `00000000-0000-4000-8000-${String(made++).padStart(12, '0')}`,
    at: NOW,
    owner: OWNER,
    method: 'GET',
    path: '/swap/v2/build',
    endpoint: '/swap/v2/build',
    status: 200,
    decision: 'admitted',
    firewall: null,
    credits: 1,
    gatewayUs: 30,
    handlerUs: 950,
    sendUs: 20,
    client: '203.0.113.7',
    country: 'CH',
    asn: 64_500,
    host: 'api.example.org',
    referrer: 'https://example.org/',
    userAgent: 'test/1.0',
    query: 'amount=5',
    bytesReceived: 0,
    bytesSent: 1_234,
    order: null,
    ...fields,
  };
}
