import type { LogMigration } from '../../../store/log/log-migrate.ts';
import type { NumberedMigrations } from '../../../store/schema/owned-tables.ts';

const COLUMNS = `day bigint not null, at bigint not null, request_id text not null, organisation_id text not null,
  team_id text not null, key_id text not null, method text not null, path text not null, endpoint text not null,
  status bigint not null, decision text not null, firewall text not null, rule text not null, matched text not null,
  credits bigint not null, gateway_us bigint not null, handler_us bigint not null, send_us bigint not null,
  client text not null`;

const ADDED_COLUMNS = [
  "country text not null default ''",
  'asn bigint not null default 0',
  "host text not null default ''",
  "referrer text not null default ''",
  "user_agent text not null default ''",
  "query text not null default ''",
  'bytes_received bigint not null default 0',
  'bytes_sent bigint not null default 0',
];

/** Of the order that a request gave out or executed; empty if it is about none. */
const ORDER_COLUMNS = ['order_id', 'router', 'order_code', 'signature'].map(
  (name) => `${name} text not null default ''`,
);

/**
 * A released migration is never changed. On PostgreSQL the log is one table with a partition for each day; on SQLite
 * `createDay` makes a table for each day. Logs that predate the version row have the tables of the first migration.
 * Instances of the previous version still write their rows, so a new column needs a default.
 */
export const TRAFFIC_LOG_TABLES: NumberedMigrations<LogMigration> = {
  owner: 'platform',
  migrations: {
    1: (kind) => [
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
    2: (kind, days) => [
      ...(kind === 'sqlite' ? days : ['request_log']).flatMap((table) =>
        ADDED_COLUMNS.map((column) => `alter table ${table} add column ${column}`),
      ),
      ...['hour', 'minute'].flatMap((time) => {
        const prefix = time === 'minute' ? 'minute_' : '';
        const team = `${time} bigint not null, organisation_id text not null, team_id text not null`;
        const identity = `${time}, organisation_id, team_id`;
        const counted = [
          `create table ${prefix}status_traffic (
          ${team}, status bigint not null, requests bigint not null, primary key (${identity}, status))`,
          `create table ${prefix}country_traffic (
          ${team}, country text not null, requests bigint not null, primary key (${identity}, country))`,
        ];
        if (time === 'hour') return counted;
        return [
          `create table minute_traffic (
          ${team}, key_id text not null, endpoint text not null, requests bigint not null,
          client_errors bigint not null, server_errors bigint not null, credits bigint not null,
          primary key (${identity}, key_id, endpoint))`,
          `create table minute_latency (
          ${team}, endpoint text not null, bucket bigint not null, requests bigint not null,
          primary key (${identity}, endpoint, bucket))`,
          `create table minute_firewall_traffic (
          ${team}, rule text not null, outcome text not null, requests bigint not null,
          primary key (${identity}, rule, outcome))`,
          ...counted,
        ];
      }),
    ],
    5: (kind, days) =>
      (kind === 'sqlite' ? days : ['request_log']).flatMap((table) =>
        ORDER_COLUMNS.map((column) => `alter table ${table} add column ${column}`),
      ),
  },
};
