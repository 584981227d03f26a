import type { LogMigration } from '../../store/log/log-migrate.ts';

const COLUMNS = `day bigint not null, at bigint not null, request_id text not null, organisation_id text not null,
  team_id text not null, key_id text not null, method text not null, path text not null, endpoint text not null,
  status bigint not null, decision text not null, firewall text not null, rule text not null, matched text not null,
  credits bigint not null, gateway_us bigint not null, handler_us bigint not null, send_us bigint not null,
  client text not null`;

/**
 * One that was released is never changed. On PostgreSQL the log is one table with a partition for each day, on SQLite
 * each day is a table by itself, which `createDay` makes. Logs of before versions were noted have the first tables
 * already. What another instance still writes by the version before must fit, so a new column has a default.
 */
export const LOG_MIGRATIONS: readonly LogMigration[] = [
  (kind) => [
    ...(kind === 'postgresql'
      ? [
          `create table if not exists request_log (${COLUMNS}, primary key (day, at, request_id)) partition by range (day)`,
          'create index if not exists request_log_team on request_log (team_id, at)',
          'create index if not exists request_log_id on request_log (request_id)',
        ]
      : []),
    `create table if not exists traffic (
      hour bigint not null, organisation_id text not null, team_id text not null, key_id text not null,
      endpoint text not null, requests bigint not null, client_errors bigint not null, server_errors bigint not null,
      credits bigint not null, primary key (hour, organisation_id, team_id, key_id, endpoint))`,
    `create table if not exists latency (
      hour bigint not null, organisation_id text not null, team_id text not null, endpoint text not null,
      bucket bigint not null, requests bigint not null,
      primary key (hour, organisation_id, team_id, endpoint, bucket))`,
    `create table if not exists firewall_traffic (
      hour bigint not null, organisation_id text not null, team_id text not null, rule text not null,
      outcome text not null, requests bigint not null,
      primary key (hour, organisation_id, team_id, rule, outcome))`,
    'create table if not exists log_batches (id text primary key, at bigint not null)',
  ],
];

/** The newest tables of the request log that this program knows. */
export const LOG_VERSION: number = LOG_MIGRATIONS.length;
