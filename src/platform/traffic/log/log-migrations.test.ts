import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type LogMigration, readLogVersion, migrateLog } from '../../../store/log/log-migrate.ts';
import { openLogDatabase } from '../../../store/log/open-log-database.ts';
import { openTestLog, STORES, type TestLog } from '../../../testing/store/test-store.ts';
import { TEST_LOG_MIGRATIONS as LOG_MIGRATIONS } from '../../../testing/store/test-tables.ts';
import {
  COUNTED_NAMES,
  getCountedTable,
  createDay,
  DAY_MS,
  listDays,
  LOG_COLUMNS,
  getDayTable,
} from './log-tables.ts';
import { queryLog } from './log-query.ts';
import { openLog } from '../open.ts';
import { entryWith, NOW, openTestTraffic } from '../../../testing/platform/traffic.ts';
import { unwrap } from '../../../testing/platform/unwrap.ts';
import { openForEach } from '../../../testing/opened.ts';

describe.each(STORES)('the tables of the request log on %s', (kind) => {
  const test = openForEach(() => openTestLog(kind), 'cleanUp');

  it('have the columns of log-tables.ts, in the same order', async () => {
    const today = Math.floor(NOW / DAY_MS);
    await migrateTo(LOG_MIGRATIONS);
    await test.log.write(createDay(kind, today));
    const columnsOf = async (table: string) =>
      test.log.query(
        kind === 'sqlite'
          ? `select name, lower(type) from pragma_table_info('${table}') order by cid`
          : `select column_name, data_type from information_schema.columns where table_name = '${table}' order by ordinal_position`,
        [],
      );
    expect(await columnsOf(getDayTable(today))).toEqual(LOG_COLUMNS);
    for (const resolution of ['hour', 'minute'] as const) {
      for (const counted of COUNTED_NAMES) {
        const { name, keys, sums } = getCountedTable(resolution, counted);
        expect(await columnsOf(name)).toEqual([...keys, ...sums.map((sum) => [sum, 'bigint'])]);
      }
    }
  });

  it('are the same, with all rows, for a log that predates the version row', async () => {
    const today = Math.floor(NOW / DAY_MS);
    const first = LOG_MIGRATIONS[0]?.(kind, []) ?? [];
    await test.log.write(first.map((text) => ({ text, parameters: [] })));
    await test.log.write(createFirstDay(kind, today));
    await test.log.write([firstRow(today)]);
    const before = (await tables()).filter((table) => !/request_log_\d/.test(String(table)));
    const log = await openTestTraffic(test.log);
    expect(await readLogVersion(test.log)).toBe(LOG_VERSION);
    expect(await tables()).toEqual(expect.arrayContaining(before));
    const entry = entryWith();
    log.record(entry);
    const unknown = { country: null, asn: null, host: '', referrer: '', userAgent: '', query: '' };
    expect(unwrap(await queryLog(log, ALL, {})).items).toEqual([
      entry,
      expect.objectContaining({ path: '/first', ...unknown, bytesReceived: 0, bytesSent: 0 }),
    ]);
  });

  it('are migrated once, days included, by several instances, while an older version still writes', async () => {
    const log = await openTestTraffic(test.log);
    log.record(entryWith());
    await log.flush();
    const further = [...LOG_MIGRATIONS, withNote, () => ['create table later (id text primary key)']];
    await Promise.all([1, 2, 3].map(() => migrateTo(further)));
    expect(await readLogVersion(test.log)).toBe(further.length);
    log.record(entryWith());
    await log.flush();
    const day = (await test.log.query(listDays(kind), [])).flat().map(String).sort().at(0);
    expect((await test.log.query(`select note from ${day}`, [])).flat()).toEqual(['none', 'none']);
    expect(await test.log.query('select id from later', [])).toEqual([]);
  });

  it('keep nothing of a migration that fails', async () => {
    await migrateTo(LOG_MIGRATIONS);
    const before = await tables();
    const broken = () => ['create table half (id text primary key)', 'create nonsense'];
    await expect(migrateTo([...LOG_MIGRATIONS, broken])).rejects.toThrow(/nonsense/);
    expect(await tables()).toEqual(before);
    expect(await readLogVersion(test.log)).toBe(LOG_VERSION);
  });

  it('are refused and left unchanged when they are newer than this program', async () => {
    await migrateTo([...LOG_MIGRATIONS, withNote, () => ['drop table latency']]);
    const before = await tables();
    await expect(migrateTo(LOG_MIGRATIONS)).rejects.toThrow(
      `the request log has schema version ${LOG_VERSION + 2}, and this program knows versions up to ${LOG_VERSION}; run a newer Sluice`,
    );
    expect(await tables()).toEqual(before);
  });

  const migrateTo = (migrations: readonly LogMigration[]) =>
    migrateLog(test.log, migrations, { at: NOW, listDays: listDays(kind) });
  const tables = async () =>
    (
      await test.log.query(
        kind === 'sqlite'
          ? 'select sql from sqlite_master order by name'
          : "select table_name || ' ' || column_name from information_schema.columns where table_schema = 'public' order by 1",
        [],
      )
    ).flat();
});

it('refuses a folder whose request log is newer, and leaves it usable for the newer program', async () => {
  const { log, folder, cleanUp } = await openTestLog('sqlite');
  const newer = [...LOG_MIGRATIONS, withNote];
  const migrate = (database = log) =>
    migrateLog(database, newer, { at: NOW, listDays: listDays(database.kind) });
  await migrate();
  await log.close();
  const place = { url: null, folder };
  const files = () => readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]);
  const before = files();
  for (let round = 0; round < 2; round++)
    await expect(openLog(place, LOG_MIGRATIONS, NOW)).rejects.toThrow('run a newer');
  expect(files()).toEqual(before);
  const again = await openLogDatabase(place);
  await migrate(again);
  expect(await readLogVersion(again)).toBe(newer.length);
  await again.close();
  await cleanUp();
  rmSync(folder, { recursive: true, force: true });
});

/** The first 16 hex digits of the SHA-256 of each released migration. Only append here. */
const RELEASED = {
  sqlite: ['eb93dab9bdb5ddb1', '11ea9805011494d7'],
  postgresql: ['b123036d2acf3870', '677eca843dadbc99'],
};

it.each(['sqlite', 'postgresql'] as const)('released migrations on %s are unchanged', (kind) => {
  const hashes = LOG_MIGRATIONS.map((migration) =>
    createHash('sha256')
      .update(JSON.stringify(migration(kind, [])))
      .digest('hex')
      .slice(0, 16),
  );
  expect(hashes.slice(0, RELEASED[kind].length)).toEqual(RELEASED[kind]);
});

const LOG_VERSION = LOG_MIGRATIONS.length;
const ALL = { filter: {}, since: NOW - DAY_MS, until: NOW + DAY_MS };

/** A change that a later version might make: one more column. */
const withNote: LogMigration = (kind, days) =>
  (kind === 'sqlite' ? days : ['request_log']).map(
    (table) => `alter table ${table} add column note text not null default 'none'`,
  );

const FIRST_COLUMNS = LOG_COLUMNS.slice(
  0,
  LOG_COLUMNS.findIndex(([name]) => name === 'country'),
);

/** Creates a day's table as the first version did. */
function createFirstDay(kind: TestLog['log']['kind'], day: number) {
  if (kind === 'postgresql') return createDay(kind, day);
  const columns = FIRST_COLUMNS.map(([name, type]) => `${name} ${type} not null`).join(', ');
  const text = `create table ${getDayTable(day)} (${columns}, primary key (at, request_id)) without rowid`;
  return [{ text, parameters: [] }];
}

/** A row of an hour ago, as the first version wrote it. */
function firstRow(day: number) {
  const values = FIRST_COLUMNS.map(([name, type]) => {
    if (name === 'day') return day;
    if (name === 'at') return NOW - 3_600_000;
    if (name === 'path') return '/first';
    return type === 'bigint' ? 0 : name === 'matched' ? '[]' : 'x';
  });
  const places = values.map((_, index) => `$${index + 1}`).join(', ');
  const names = FIRST_COLUMNS.map(([name]) => name).join(', ');
  return { text: `insert into ${getDayTable(day)} (${names}) values (${places})`, parameters: values };
}
