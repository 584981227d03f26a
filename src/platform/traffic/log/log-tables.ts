import type { LogDatabase, Statement } from '../../../store/log/log-database.ts';
import { selectJsonCells, insertJsonRows, POSTGRES_JSON_ROWS } from '../../../store/log/insert-rows.ts';
import type { Rows } from './row-queue.ts';
import { createLogLockStatements } from '../../../store/log/log-migrate.ts';

type Kind = LogDatabase['kind'];

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The columns of the request log, in the order in which rows are written and read. */
export const LOG_COLUMNS = [
  ['day', 'bigint'],
  ['at', 'bigint'],
  ['request_id', 'text'],
  ['organisation_id', 'text'],
  ['team_id', 'text'],
  ['key_id', 'text'],
  ['method', 'text'],
  ['path', 'text'],
  ['endpoint', 'text'],
  ['status', 'bigint'],
  ['decision', 'text'],
  ['firewall', 'text'],
  ['rule', 'text'],
  ['matched', 'text'],
  ['credits', 'bigint'],
  ['gateway_us', 'bigint'],
  ['handler_us', 'bigint'],
  ['send_us', 'bigint'],
  ['client', 'text'],
  ['country', 'text'],
  ['asn', 'bigint'],
  ['host', 'text'],
  ['referrer', 'text'],
  ['user_agent', 'text'],
  ['query', 'text'],
  ['bytes_received', 'bigint'],
  ['bytes_sent', 'bigint'],
  ['order_id', 'text'],
  ['router', 'text'],
  ['order_code', 'text'],
  ['signature', 'text'],
] as const;

/** The counts that are kept for each team. `keys` and the time identify a row; `sums` are added up. */
const COUNTED = {
  traffic: {
    keys: [
      ['key_id', 'text'],
      ['endpoint', 'text'],
    ],
    sums: ['requests', 'client_errors', 'server_errors', 'credits'],
  },
  latency: {
    keys: [
      ['endpoint', 'text'],
      ['bucket', 'bigint'],
    ],
    sums: ['requests'],
  },
  firewall_traffic: {
    keys: [
      ['rule', 'text'],
      ['outcome', 'text'],
    ],
    sums: ['requests'],
  },
  status_traffic: { keys: [['status', 'bigint']], sums: ['requests'] },
  country_traffic: { keys: [['country', 'text']], sums: ['requests'] },
} as const;
export type CountsName = keyof typeof COUNTED;
export const COUNTED_NAMES = Object.keys(COUNTED) as CountsName[];

/**
 * Counts are kept at two resolutions: by the hour for as long as the log, and by the minute for `MINUTES_KEPT_MS`.
 */
export const RESOLUTIONS = { hour: HOUR_MS, minute: MINUTE_MS } as const;
export type Resolution = keyof typeof RESOLUTIONS;

/** Long enough to compare a day with the day before it, by the minute. */
export const MINUTES_KEPT_MS = 3 * DAY_MS;

export interface CountedTable {
  readonly name: string;
  readonly keys: readonly (readonly [name: string, type: string])[];
  readonly sums: readonly string[];
}

/** The first key is the time since 1970 in the unit of the resolution, and has the resolution's name. */
export function getCountedTable(resolution: Resolution, counted: CountsName): CountedTable {
  const { keys, sums } = COUNTED[counted];
  return {
    name: resolution === 'hour' ? counted : `minute_${counted}`,
    keys: [[resolution, 'bigint'], ['organisation_id', 'text'], ['team_id', 'text'], ...keys],
    sums,
  };
}

/** Deletes the counts before a time in Unix milliseconds. */
export function deleteCounts(resolution: Resolution, before: number): readonly Statement[] {
  const first = Math.floor(before / RESOLUTIONS[resolution]);
  return COUNTED_NAMES.map((counted) => ({
    text: `delete from ${getCountedTable(resolution, counted).name} where ${resolution} < $1`,
    parameters: [first],
  }));
}

/** Creates the table of a day: a partition on PostgreSQL, an ordinary table on SQLite. */
export function createDay(kind: Kind, day: number): readonly Statement[] {
  const table = getDayTable(day);
  const columns = LOG_COLUMNS.map(([name, type]) => `${name} ${type} not null`).join(', ');
  const sqlite = [
    `create table if not exists ${table} (${columns}, primary key (at, request_id)) without rowid`,
  ];
  const postgresql = [
    `create table if not exists ${table} partition of request_log for values from (${day}) to (${day + 1})`,
  ];
  return [...createLogLockStatements(kind), ...(kind === 'sqlite' ? sqlite : postgresql)].map(statement);
}

/**
 * Creates the indexes of a past day on SQLite, where maintaining them during writes would cost too much. PostgreSQL
 * maintains its own.
 */
export function createDayIndexes(day: number): readonly Statement[] {
  const table = getDayTable(day);
  return [
    `create index if not exists ${table}_team on ${table} (team_id, at)`,
    `create index if not exists ${table}_id on ${table} (request_id)`,
  ].map(statement);
}

/** Lists the names of all day tables, in one column. */
export function listDays(kind: Kind): string {
  return kind === 'sqlite'
    ? "select name from sqlite_master where type = 'table' and name like 'request!_log!_%' escape '!'"
    : "select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'request_log'::regclass";
}

export function dropDay(kind: Kind, day: number): readonly Statement[] {
  return [...createLogLockStatements(kind), `drop table if exists ${getDayTable(day)}`].map(statement);
}

/** @param rows - In the order of `LOG_COLUMNS`. */
export function insertRows(kind: Kind, { day, json }: Rows): Statement {
  return insertJsonRows(kind, { table: getDayTable(day), columns: LOG_COLUMNS }, json);
}

/**
 * Adds to the stored sums.
 * @param rows - JSON: an array of arrays, the keys first.
 */
export function addCounts(kind: Kind, { name: table, keys, sums }: CountedTable, rows: string): Statement {
  const columns = [...keys, ...sums.map((name) => [name, 'bigint'] as const)];
  const names = (some: readonly (readonly [string, string])[]) => some.map(([name]) => name).join(', ');
  const added = sums.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ');
  const elements = kind === 'sqlite' ? 'json_each($1)' : POSTGRES_JSON_ROWS;
  return {
    // Without the `where`, SQLite would parse `on` as part of a join.
    text: `insert into ${table} (${names(columns)}) select ${selectJsonCells(columns)} from ${elements} where true on conflict (${names(keys)}) do update set ${added}`,
    parameters: [rows],
  };
}

/** Returns a name such as `request_log_20260131`. */
export function getDayTable(day: number): string {
  return `request_log_${new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')}`;
}

/** Returns null when the table is not a day's. */
export function parseDayTable(table: string): number | null {
  const [, year, month, day] = /^request_log_(\d{4})(\d{2})(\d{2})$/.exec(table) ?? [];
  return year === undefined ? null : Date.UTC(Number(year), Number(month) - 1, Number(day)) / DAY_MS;
}

function statement(text: string): Statement {
  return { text, parameters: [] };
}
