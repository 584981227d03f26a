import type { LogDatabase, Statement } from '../../store/log/log-database.ts';
import type { Rows } from './row-queue.ts';
import { logLock } from '../../store/log/log-migrate.ts';

type Kind = LogDatabase['kind'];

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The columns of the request log in the order in which rows are written and read. */
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
] as const;

/** What is counted of the requests, by the hour since 1970: `keys` name a row, the others are added up. */
const COUNTED_TABLES = {
  traffic: {
    keys: [
      ['hour', 'bigint'],
      ['organisation_id', 'text'],
      ['team_id', 'text'],
      ['key_id', 'text'],
      ['endpoint', 'text'],
    ],
    sums: ['requests', 'client_errors', 'server_errors', 'credits'],
  },
  latency: {
    keys: [
      ['hour', 'bigint'],
      ['organisation_id', 'text'],
      ['team_id', 'text'],
      ['endpoint', 'text'],
      ['bucket', 'bigint'],
    ],
    sums: ['requests'],
  },
  firewall_traffic: {
    keys: [
      ['hour', 'bigint'],
      ['organisation_id', 'text'],
      ['team_id', 'text'],
      ['rule', 'text'],
      ['outcome', 'text'],
    ],
    sums: ['requests'],
  },
} as const;
export type CountedTable = keyof typeof COUNTED_TABLES;

/** Makes the table of a day. SQLite has no partitions: there it is a table by itself. */
export function createDay(kind: Kind, day: number): readonly Statement[] {
  const table = tableOfDay(day);
  const columns = LOG_COLUMNS.map(([name, type]) => `${name} ${type} not null`).join(', ');
  const sqlite = [
    `create table if not exists ${table} (${columns}, primary key (at, request_id)) without rowid`,
  ];
  const postgresql = [
    `create table if not exists ${table} partition of request_log for values from (${day}) to (${day + 1})`,
  ];
  return [...logLock(kind), ...(kind === 'sqlite' ? sqlite : postgresql)].map(statement);
}

/**
 * Makes what a day that is over is searched by, on SQLite, for which it is too much to keep up while it writes.
 * PostgreSQL does that by itself.
 */
export function indexDay(day: number): readonly Statement[] {
  const table = tableOfDay(day);
  return [
    `create index if not exists ${table}_team on ${table} (team_id, at)`,
    `create index if not exists ${table}_id on ${table} (request_id)`,
  ].map(statement);
}

/** The names of all days' tables, in one column. */
export function listDays(kind: Kind): string {
  return kind === 'sqlite'
    ? "select name from sqlite_master where type = 'table' and name like 'request!_log!_%' escape '!'"
    : "select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'request_log'::regclass";
}

export function dropDay(kind: Kind, day: number): readonly Statement[] {
  return [...logLock(kind), `drop table if exists ${tableOfDay(day)}`].map(statement);
}

/** @param rows in the order of `LOG_COLUMNS` */
export function insertRows(kind: Kind, { day, json }: Rows): Statement {
  const names = LOG_COLUMNS.map(([name]) => name).join(', ');
  if (kind === 'sqlite') {
    const parameters = LOG_COLUMNS.map((_, index) => `$${index + 1}`).join(', ');
    return {
      text: `insert into ${tableOfDay(day)} (${names}) values (${parameters})`,
      parameters: [],
      rows: json,
    };
  }
  return {
    text: `insert into ${tableOfDay(day)} (${names}) select ${fields(LOG_COLUMNS)} from ${elements(kind)}`,
    parameters: [Buffer.from(json).toString()],
  };
}

/** Adds to what is there. @param rows as JSON: an array of arrays, the keys first */
export function addCounts(kind: Kind, table: CountedTable, rows: string): Statement {
  const { keys, sums } = COUNTED_TABLES[table];
  const columns = [...keys, ...sums.map((name) => [name, 'bigint'] as const)];
  const names = (some: readonly (readonly [string, string])[]) => some.map(([name]) => name).join(', ');
  const added = sums.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ');
  return {
    // SQLite takes the `on` for a join's without the `where`.
    text: `insert into ${table} (${names(columns)}) select ${fields(columns)} from ${elements(kind)} where true on conflict (${names(keys)}) do update set ${added}`,
    parameters: [rows],
  };
}

/** `request_log_20260131`. */
export function tableOfDay(day: number): string {
  return `request_log_${new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')}`;
}

/** Null when it is not the table of a day. */
export function dayOfTable(table: string): number | null {
  const [, year, month, day] = /^request_log_(\d{4})(\d{2})(\d{2})$/.exec(table) ?? [];
  return year === undefined ? null : Date.UTC(Number(year), Number(month) - 1, Number(day)) / DAY_MS;
}

function elements(kind: Kind): string {
  // The driver would turn a text into JSON once more where the server asks for JSON.
  return kind === 'sqlite'
    ? 'json_each($1)'
    : 'json_array_elements(cast(cast($1 as text) as json)) as elements (value)';
}

function fields(columns: readonly (readonly [string, string])[]): string {
  return columns.map(([, type], index) => `cast(value ->> ${index} as ${type})`).join(', ');
}

function statement(text: string): Statement {
  return { text, parameters: [] };
}
