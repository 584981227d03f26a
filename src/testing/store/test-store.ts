import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { openStore } from '../../store/index.ts';
import type { LogDatabase } from '../../store/log/log-database.ts';
import { openLogDatabase } from '../../store/log/open-log-database.ts';
import type { Store } from '../../store/sql/sql.ts';
import { TEST_MIGRATIONS } from './test-tables.ts';

const SERVER = process.env.SLUICE_TEST_DATABASE_URL;

/** Tests with PostgreSQL run if `SLUICE_TEST_DATABASE_URL` names a server on which databases can be created. */
export const STORES: readonly ('sqlite' | 'postgresql')[] =
  SERVER === undefined ? ['sqlite'] : ['sqlite', 'postgresql'];

export interface TestStore {
  readonly store: Store;
  /** SQLite: closes the file and opens it again. PostgreSQL: opens a second connection. */
  readonly reopen: () => Promise<Store>;
  readonly cleanUp: () => Promise<void>;
}

/** Opens a store, and migrates it to the tables of all owners. */
export function openMigratedStore(place: {
  readonly url: string | null;
  readonly folder: string;
}): Promise<Store> {
  return openStore({ ...place, migrations: TEST_MIGRATIONS });
}

/** Opens an empty database. */
export async function openTestStore(kind: (typeof STORES)[number]): Promise<TestStore> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-store-'));
  const database = kind === 'sqlite' ? null : await createTestDatabase();
  const open = () => openMigratedStore({ url: database?.url ?? null, folder });
  const opened = [await open()];
  const closeAll = () => Promise.all(opened.splice(0).map((store) => store.close()));
  return {
    store: opened[0] as Store,
    reopen: async () => {
      if (database === null) await closeAll();
      const store = await open();
      opened.push(store);
      return store;
    },
    cleanUp: async () => {
      await closeAll();
      await database?.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface TestLog {
  readonly log: LogDatabase;
  /** The folder of the SQLite file. */
  readonly folder: string;
  /** Closes the database and opens it again. */
  readonly reopen: () => Promise<LogDatabase>;
  readonly cleanUp: () => Promise<void>;
}

/** Opens an empty database for the request log. */
export async function openTestLog(kind: (typeof STORES)[number]): Promise<TestLog> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-log-'));
  const database = kind === 'sqlite' ? null : await createTestDatabase();
  const open = () => openLogDatabase({ url: database?.url ?? null, folder });
  let log = await open();
  return {
    log,
    folder,
    reopen: async () => {
      await log.close();
      log = await open();
      return log;
    },
    cleanUp: async () => {
      await log.close();
      await database?.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Creates an empty database on the server that `SLUICE_TEST_DATABASE_URL` names. */
export async function createTestDatabase(): Promise<{
  readonly url: string;
  readonly drop: () => Promise<void>;
}> {
  const name = `sluice_test_${randomBytes(8).toString('hex')}`;
  const url = new URL(SERVER ?? '');
  const onServer = async (statement: string) => {
    const client = postgres(url.href, { max: 1, onnotice: () => undefined });
    await client.unsafe(statement);
    await client.end();
  };
  await onServer(`create database ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return { url: own.href, drop: () => onServer(`drop database ${name} with (force)`) };
}
