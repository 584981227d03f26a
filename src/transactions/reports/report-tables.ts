import type { LogMigration } from '../../store/log/log-migrate.ts';
import type { NumberedMigrations } from '../../store/schema/owned-tables.ts';

/** The table of the reports, which is in the database of the request log. A released migration is never changed. */
export const REPORT_LOG_TABLES: NumberedMigrations<LogMigration> = {
  owner: 'transactions',
  migrations: {
    3: () => [
      `create table landing_reports (
      network text not null, signature text not null, owner text not null, request_id text not null,
      accepted_at bigint not null, forwarded_at bigint, seen_at bigint, confirmed_at bigint, ended_at bigint,
      outcome text, slot bigint, error text, sends bigint not null, first_seen_by text, wire text, durable bigint not null,
      last_height bigint not null, primary key (network, signature, owner))`,
      'create index landing_reports_owner on landing_reports (network, owner, accepted_at)',
      'create index landing_reports_request on landing_reports (network, request_id)',
    ],
    10: () => [
      'create index landing_reports_time on landing_reports (network, accepted_at, signature, owner)',
    ],
  },
};
