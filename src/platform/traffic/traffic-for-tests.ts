import { NO_METRICS } from '../../common/ports/metrics.ts';
import type { LogDatabase } from '../../store/log/log-database.ts';
import { migrateLog } from '../../store/log/log-migrate.ts';
import { LOG_MIGRATIONS } from './log-migrations.ts';
import { listDays } from './log-tables.ts';
import type { RequestEntry } from './request-entry.ts';
import { TrafficLog, type TrafficLogOptions } from './traffic-log.ts';

export const NOW = 1_790_000_000_000;
export const OWNER = { organisationId: 'o1', teamId: 't1', keyId: 'k1' };

/** A log over `database` whose clock stands and that writes when it is told to. */
export async function openTestTraffic(
  database: LogDatabase,
  overrides: Partial<TrafficLogOptions> = {},
): Promise<TrafficLog> {
  await migrateLog(database, LOG_MIGRATIONS, { at: NOW, listDays: listDays(database.kind) });
  return TrafficLog.open({
    database,
    days: 184,
    now: () => NOW,
    every: () => () => {},
    metrics: NO_METRICS,
    onDefect: (error) => {
      throw error;
    },
    ...overrides,
  });
}

let made = 0;

/** An admitted swap of one credit that took a millisecond, but for what is named. */
export function entryWith(parts: Partial<RequestEntry> = {}): RequestEntry {
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
    ...parts,
  };
}
