import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LogMigration, logVersionOf, migrateLog } from '../../store/log/log-migrate.ts';
import { openLogDatabase } from '../../store/log/log-database.ts';
import { openTestLog, STORES, type TestLog } from '../../store/store-for-tests.ts';
import { LOG_MIGRATIONS, LOG_VERSION } from './log-migrations.ts';
import { createDay, DAY_MS, listDays } from './log-tables.ts';
import { queryLog } from './log-query.ts';
import { openLog } from './open.ts';
import { entryWith, NOW, openTestTraffic } from './traffic-for-tests.ts';
import { granted } from '../granted-for-tests.ts';

const ALL = { filter: {}, since: NOW - DAY_MS, until: NOW + DAY_MS };

/** What a later version might do: a further column of the log. */
const withNote: LogMigration = (kind, days) =>
  (kind === 'sqlite' ? days : ['request_log']).map(
    (table) => `alter table ${table} add column note text not null default 'none'`,
  );

describe.each(STORES)('the tables of the request log on %s', (kind) => {
  let test: TestLog;
  beforeEach(async () => {
    test = await openTestLog(kind);
  });
  afterEach(() => test.cleanUp());

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

  it('are the same for a log of before versions were noted, with all that is in it', async () => {
    const today = Math.floor(NOW / DAY_MS);
    const first = LOG_MIGRATIONS[0]?.(kind, []) ?? [];
    await test.log.write(first.map((text) => ({ text, parameters: [] })));
    await test.log.write(createDay(kind, today));
    const before = await tables();
    const log = await openTestTraffic(test.log);
    expect(await logVersionOf(test.log)).toBe(LOG_VERSION);
    expect(await tables()).toEqual(expect.arrayContaining(before));
    const entry = entryWith();
    log.record(entry);
    expect(granted(await queryLog(log, ALL, {})).items).toEqual([entry]);
  });

  it('are taken further, those of the days among them, once by many, while a version before still writes', async () => {
    const log = await openTestTraffic(test.log);
    log.record(entryWith());
    await log.flush();
    const further = [...LOG_MIGRATIONS, withNote, () => ['create table later (id text primary key)']];
    await Promise.all([1, 2, 3].map(() => migrateTo(further)));
    expect(await logVersionOf(test.log)).toBe(further.length);
    log.record(entryWith());
    await log.flush();
    const day = (await test.log.query(listDays(kind), [])).flat().map(String).sort().at(0);
    expect((await test.log.query(`select note from ${day}`, [])).flat()).toEqual(['none', 'none']);
    expect(await test.log.query('select id from later', [])).toEqual([]);
  });

  it('keep nothing of a step that fails', async () => {
    await migrateTo(LOG_MIGRATIONS);
    const before = await tables();
    const broken = () => ['create table half (id text primary key)', 'create nonsense'];
    await expect(migrateTo([...LOG_MIGRATIONS, broken])).rejects.toThrow(/nonsense/);
    expect(await tables()).toEqual(before);
    expect(await logVersionOf(test.log)).toBe(LOG_VERSION);
  });

  it('are refused when they are newer than is known, and left as they are', async () => {
    await migrateTo([...LOG_MIGRATIONS, withNote, () => ['drop table latency']]);
    const before = await tables();
    await expect(migrateTo(LOG_MIGRATIONS)).rejects.toThrow(
      `the request log has schema version ${LOG_VERSION + 2}, and this program knows versions up to ${LOG_VERSION}; run a newer Sluice`,
    );
    expect(await tables()).toEqual(before);
  });
});

it('a folder whose request log is newer is refused, and can be opened by a newer program afterwards', async () => {
  const { log, folder, cleanUp } = await openTestLog('sqlite');
  const newer = [...LOG_MIGRATIONS, withNote];
  const migrate = (database = log) =>
    migrateLog(database, newer, { at: NOW, listDays: listDays(database.kind) });
  await migrate();
  await log.close();
  const place = { url: null, folder };
  const files = () => readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]);
  const before = files();
  for (let round = 0; round < 2; round++) await expect(openLog(place, NOW)).rejects.toThrow('run a newer');
  expect(files()).toEqual(before);
  const again = await openLogDatabase(place);
  await migrate(again);
  expect(await logVersionOf(again)).toBe(newer.length);
  await again.close();
  await cleanUp();
  rmSync(folder, { recursive: true, force: true });
});
