import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import sqlite from 'node-sqlite3-wasm';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LOG_MIGRATIONS, STORE_MIGRATIONS } from '../../src/app/tables.ts';
import { openLog } from '../../src/platform/traffic/open.ts';
import { openStore } from '../../src/store/index.ts';
import { createTestDatabase, STORES } from '../../src/testing/store/test-store.ts';
import { bannerValue, FREE_PORTS, type Instance } from './instance.ts';
import { startOwnInstance } from './own-instance.ts';
import { runCommand } from './run-command.ts';
import { openForAll } from '../../src/testing/opened.ts';

describe.each(STORES)('a store that 77c7168b wrote on %s', (kind) => {
  const earlier = openForAll(() => createPlace(kind, 'earlier'));
  const empty = openForAll(() => createPlace(kind, 'empty'));
  const before = openForAll(() => earlier.read());
  afterAll(tearDown);

  it('has rows in every table, and versions that are those of the recorded migrations', () => {
    const tables = Object.entries(before.tables).filter(([name]) => !DAILY.test(name));
    expect(tables.length).toBeGreaterThan(35);
    expect(tables.filter(([, rows]) => rows.length === 0).map(([name]) => name)).toEqual([]);
    expect(storeVersion(before)).toBe(RECORDED.migrations.store.length);
    expect(logVersions(before)).toEqual(RECORDED.migrations.log.map((_, index) => index + 1));
  });

  it('is migrated to the schema of a new store, and keeps every row', async () => {
    await openAndClose(earlier);
    await openAndClose(empty);
    const [after, fresh] = [await earlier.read(), await empty.read()];
    expect(storeVersion(after)).toBe(storeVersion(fresh));
    expect(storeVersion(after)).toBeGreaterThanOrEqual(storeVersion(before));
    expect(logVersions(after)).toEqual(logVersions(fresh));
    expect(after.schema).toEqual(fresh.schema);
    for (const [table, rows] of Object.entries(before.tables)) {
      if (table === CHANGES) continue;
      const expected = sorted(rows.flatMap((row) => migrated(table, row)));
      const columns = Object.keys(rows[0] ?? {});
      const kept = sorted((after.tables[table] ?? []).map((row) => withColumns(row, columns)));
      expect(kept, table).toEqual(GROWING.has(table) ? expect.arrayContaining(expected) : expected);
    }
  });

  async function tearDown(): Promise<void> {
    await earlier?.cleanUp();
    await empty?.cleanUp();
  }
});

it('the migrations that 77c7168b had are unchanged', () => {
  const { store, log } = RECORDED.migrations;
  expect(STORE_MIGRATIONS.slice(0, store.length).map(hashOf)).toEqual(store);
  const statements = LOG_MIGRATIONS.map((migration) =>
    (['sqlite', 'postgresql'] as const).map((kind) => migration(kind, ['request_log_20260101'])),
  );
  expect(statements.slice(0, log.length).map(hashOf)).toEqual(log);
});

describe.each(STORES)('an instance over a store that 77c7168b wrote on %s', (kind) => {
  let instance: Instance;
  let banner: string;
  const place = openForAll(() => createPlace(kind, kind === 'sqlite' ? 'empty' : 'earlier'), 'cleanUp');
  beforeAll(async () => {
    if (kind === 'sqlite') await restoreBackup(place);
    instance = startOwnInstance({
      reason: 'opens a store of an earlier version',
      // By default, the log of half a year is kept.
      flags: ['--data-dir=data', '--log-days=3660', ...FREE_PORTS],
      folder: place.folder,
      environment:
        place.url === null
          ? {}
          : { SLUICE_DATABASE_URL: place.url, SLUICE_KEY_SECRET: RECORDED.postgresql.keySecret },
    });
    banner = await instance.ready();
  });
  afterAll(async () => {
    await instance?.stop();
  });

  it('knows the key with its products and the rules of its team', async () => {
    const key = { 'x-api-key': recorded.apiKey };
    expect(await ask('/tokens/v2/search?query=USDC', key)).toMatch(/^200 /);
    expect(await ask('/ultra/v1/order', key)).toMatch(/^403 .*does not have access/);
    expect(await ask('/price/v3?ids=x', { ...key, 'user-agent': 'bot' })).toMatch(/^403 .*firewall/);
    expect(await ask('/healthz', { 'x-api-key': `${recorded.apiKey}0` })).toMatch(/^401 /);
  });

  it('lists organisations, plans, members, makers and requests that were stored', async () => {
    expect(await sluice('org', 'list')).toMatch(/acme +launch/);
    expect(await sluice('plan', 'list')).toMatch(/free +120/);
    expect(await sluice('key', 'list', 'acme/web')).toContain('weekly');
    expect(await sluice('team', 'members', 'acme/web')).toContain('ann@example.com');
    expect(await sluice('maker', 'list')).toMatch(/acme-stream .* disabled the maker/);
    expect(await sluice('maker', 'show', 'demo-maker')).toContain('demo-maker');
    expect(await sluice('token', 'requests')).toContain(recorded.verification);
    expect(await sluice('log', 'show', recorded.requestId)).toContain('the-request-to-find');
  });

  it('encrypts the key of a webhook that was stored as plain text', async () => {
    instance.kill('SIGTERM');
    expect(await instance.ended()).toMatchObject({ code: 0 });
    const { webhooks = [] } = (await place.read()).tables;
    expect(webhooks.find((row) => row.maker_id === 'acme-hook')).toMatchObject({
      api_key: null,
      sealed_key: expect.stringMatching(/./),
    });
  });

  const recorded = RECORDED[kind];

  const ask = async (path: string, headers: Readonly<Record<string, string>>) => {
    const response = await fetch(`${bannerValue(banner, 'REST')}${path}`, { headers });
    return `${response.status} ${await response.text()}`;
  };
  const sluice = async (...args: string[]) => {
    const { port } = new URL(bannerValue(banner, 'Admin'));
    const all = [...args, `--admin-port=${port}`, '--data-dir=data'];
    const { code, out, error } = await runCommand(all, place.folder);
    expect(code, error).toBe(0);
    return out;
  };
});

/** The files that an earlier commit wrote, which its README describes. */
const FIXTURE = fileURLToPath(new URL('../fixtures/store-77c7168b/', import.meta.url));
const RECORDED: {
  readonly sqlite: Recorded;
  readonly postgresql: Recorded & { readonly keySecret: string };
  /** The first 16 hex digits of the SHA-256 of each migration, oldest first. */
  readonly migrations: { readonly store: readonly string[]; readonly log: readonly string[] };
} = JSON.parse(readFileSync(join(FIXTURE, 'recorded.json'), 'utf8'));

interface Recorded {
  /** A key of the team acme/web that opens all products but `ultra`. */
  readonly apiKey: string;
  /** A request with this key, whose user agent was `the-request-to-find`. */
  readonly requestId: string;
  /** The payment of a request for verification that waits for the operator. */
  readonly verification: string;
}

type Kind = (typeof STORES)[number];
type Row = Readonly<Record<string, unknown>>;

interface Contents {
  readonly tables: Readonly<Record<string, readonly Row[]>>;
  /** The definitions of tables, columns and indexes, without the daily tables of the request log. */
  readonly schema: readonly string[];
}

interface StorePlace {
  /** The URL of PostgreSQL, or null for SQLite in `folder`. */
  readonly url: string | null;
  readonly folder: string;
  /** Reads everything without code of `src/`. The store must be closed. */
  readonly read: () => Promise<Contents>;
  readonly cleanUp: () => Promise<void>;
}

const DAILY = /^request_log_\d/;
/** What SQLite's file counts of its own changes. */
const CHANGES = 'changes';
/** Tables that migrations add rows to. */
const GROWING: ReadonlySet<string> = new Set(['meta', 'log_versions']);

/** What the row is after the migrations that change rows. */
function migrated(table: string, row: Row): readonly Row[] {
  if (table === 'meta' && row.name === 'schema-version') return [];
  if (table === 'token_requests' && row.state === 'paying')
    return [{ ...row, verification_of: null, metadata_of: null }];
  return [row];
}

function withColumns(row: Row, columns: readonly string[]): Row {
  return Object.fromEntries(columns.map((column) => [column, row[column]]));
}

function sorted(rows: readonly Row[]): Row[] {
  const text = (row: Row) =>
    JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
  return [...rows].sort((left, right) => (text(left) < text(right) ? -1 : 1));
}

function storeVersion({ tables }: Contents): number {
  return Number(tables.meta?.find(({ name }) => name === 'schema-version')?.value);
}

function logVersions({ tables }: Contents): readonly number[] {
  return (tables.log_versions ?? [])
    .map(({ version }) => Number(version))
    .sort((left, right) => left - right);
}

function hashOf(migration: unknown): string {
  return createHash('sha256').update(JSON.stringify(migration)).digest('hex').slice(0, 16);
}

/** Opens the databases in the order in which an instance does. */
async function openAndClose({ url, folder }: StorePlace): Promise<void> {
  const data = join(folder, 'data');
  const store = await openStore({ url, folder: data, migrations: STORE_MIGRATIONS });
  const log = await openLog({ url, folder: data }, LOG_MIGRATIONS, 1_800_000_000_000);
  await log.close();
  await store.close();
}

async function restoreBackup({ folder }: StorePlace): Promise<void> {
  const restore = ['restore', join(FIXTURE, 'backup.tgz'), '--data-dir=data', '--replace=yes'];
  expect(await runCommand(restore, folder)).toMatchObject({ code: 0, error: '' });
}

async function createPlace(kind: Kind, content: 'earlier' | 'empty'): Promise<StorePlace> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-earlier-'));
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  const remove = () => rmSync(folder, { recursive: true, force: true });
  if (kind === 'sqlite') {
    if (content === 'earlier') unpack(join(FIXTURE, 'data-folder.tar.gz'), data);
    return { url: null, folder, read: async () => readSqlite(data), cleanUp: async () => remove() };
  }
  const { url, drop } = await createTestDatabase();
  const within = <T>(work: (client: postgres.Sql) => Promise<T>) => withClient(url, work);
  const dump = () => gunzipSync(readFileSync(join(FIXTURE, 'postgresql.sql.gz'))).toString();
  if (content === 'earlier') await within((client) => client.unsafe(dump()));
  const cleanUp = async () => {
    await drop();
    remove();
  };
  return { url, folder, read: () => within(readPostgres), cleanUp };
}

/** Unpacks an archive of regular files without folders. */
function unpack(archive: string, folder: string): void {
  const bytes = gunzipSync(readFileSync(archive));
  const text = (start: number, end: number) => bytes.toString('latin1', start, end).replace(/\0.*$/s, '');
  for (let at = 0; bytes[at] !== 0; ) {
    const name = text(at, at + 100);
    const size = Number.parseInt(text(at + 124, at + 136), 8);
    writeFileSync(join(folder, name), bytes.subarray(at + 512, at + 512 + size), { mode: 0o600 });
    at += 512 + Math.ceil(size / 512) * 512;
  }
}

function readSqlite(folder: string): Contents {
  const tables: Record<string, readonly Row[]> = {};
  const schema: string[] = [];
  for (const name of ['sluice.db', 'request-log.db']) {
    const file = new sqlite.Database(join(folder, name), { readOnly: true });
    file.exec('pragma locking_mode=exclusive');
    const query =
      "select type, name, sql from sqlite_master where sql is not null and name not like 'sqlite!_%' escape '!'";
    for (const { type, name: object, sql } of file.all(query)) {
      if (!DAILY.test(String(object))) schema.push(String(sql));
      if (type === 'table') tables[String(object)] = file.all(`select * from ${object}`);
    }
    file.close();
  }
  return { tables, schema: schema.sort() };
}

async function readPostgres(client: postgres.Sql): Promise<Contents> {
  const named = await client`select tablename from pg_tables where schemaname = 'public'`;
  const tables: Record<string, readonly Row[]> = {};
  for (const { tablename: table } of named)
    tables[table] = [...(await client`select * from ${client(table)}`)];
  const definitions = await client`
    select table_name as of, concat_ws(' ', table_name, ordinal_position, column_name, data_type, is_nullable,
      column_default) as text from information_schema.columns where table_schema = 'public'
    union all select tablename, indexdef from pg_indexes where schemaname = 'public'
    union all select conrelid::regclass::text, concat_ws(' ', conrelid::regclass, pg_get_constraintdef(oid))
      from pg_constraint where connamespace = 'public'::regnamespace`;
  const schema = definitions.filter(({ of }) => !DAILY.test(of)).map(({ text }) => String(text));
  return { tables, schema: schema.sort() };
}

async function withClient<T>(url: string, work: (client: postgres.Sql) => Promise<T>): Promise<T> {
  const client = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
