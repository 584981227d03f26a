import { once } from 'node:events';
import fs, {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { migrate } from './migrate.ts';
import { organisations, TEST_MIGRATIONS } from '../testing/store/test-tables.ts';
import type { Store } from './sql/sql.ts';
import { Unavailable } from '../common/unavailable.ts';
import { openLine } from '../testing/store/test-valkey.ts';
import { createTestDatabase, openTestStore, STORES, openMigratedStore } from '../testing/store/test-store.ts';
import { computeReconnectDelaySeconds } from './postgres/postgres-client.ts';
import { openPostgres } from './postgres/postgres.ts';

describe.each(STORES)('the store on %s', (kind) => {
  let store: Store;
  let reopen: () => Promise<Store>;
  let cleanUp: () => Promise<void>;
  beforeEach(setUp);
  afterEach(() => cleanUp());

  it('keeps what a transaction wrote, exactly', async () => {
    await store.transaction((db) => db.insert(organisations).values(ORGANISATION));
    store = await reopen();
    expect(await store.db.select().from(organisations)).toEqual([ORGANISATION]);
    expect(await store.unhealthy()).toBeNull();
  });

  it('keeps nothing of a transaction that fails', async () => {
    const failing = store.transaction(async (db) => {
      await db.insert(organisations).values(ORGANISATION);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await store.db.select().from(organisations)).toEqual([]);
  });

  it('runs each migration once', async () => {
    const further = [...TEST_MIGRATIONS, ['create table later (id text primary key)']];
    for (let round = 0; round < 2; round++) await migrate(store, further, async () => {});
    expect(await store.db.execute('select * from later')).toEqual([]);
  });

  it('refuses a newer schema, and leaves it unchanged', async () => {
    const known = TEST_MIGRATIONS.length;
    await migrate(store, [...TEST_MIGRATIONS, [], []], async () => {});
    await expect(reopen()).rejects.toThrow(
      `the database has schema version ${known + 2}, and this program knows versions up to ${known}; run a newer Sluice`,
    );
  });

  async function setUp(): Promise<void> {
    ({ store, reopen, cleanUp } = await openTestStore(kind));
  }
});

describe.runIf(STORES.includes('postgresql'))('instances on one server', () => {
  it('migrate an empty database together', async () => {
    const { store, reopen, cleanUp } = await openTestStore('postgresql');
    await store.db.execute('drop schema public cascade');
    await store.db.execute('create schema public');
    const others = await Promise.all([reopen(), reopen(), reopen()]);
    for (const other of others) expect(await other.db.select().from(organisations)).toEqual([]);
    await cleanUp();
  });
});

describe.runIf(STORES.includes('postgresql'))('openPostgres with a server that is lost', () => {
  it('rejects with Unavailable, and works again when the server is back', async () => {
    const database = await createTestDatabase();
    const line = await openLine(database.url);
    const store = await openMigratedStore({ url: line.url, folder: '' });
    line.cut();
    for (const ask of [
      async () => store.db.select().from(organisations),
      () => store.transaction((db) => db.insert(organisations).values(ORGANISATION)),
    ]) {
      const error = await ask().then(
        () => null,
        (reason: Error) => reason,
      );
      expect([error, error?.cause]).toContainEqual(expect.any(Unavailable));
    }
    expect(await store.unhealthy()).toMatch(/^the database does not answer: .*(ECONN|CONNECTION)/);
    await line.restore();
    await expect.poll(() => store.unhealthy()).toBeNull();
    await store.transaction((db) => db.insert(organisations).values(ORGANISATION));
    expect(await store.db.select().from(organisations)).toEqual([ORGANISATION]);
    const wrong = store.db.execute('select nothing from nowhere');
    await expect(wrong).rejects.not.toMatchObject({ cause: expect.any(Unavailable) });
    await line.close();
    await store.close();
    await database.drop();
  });
});

describe.runIf(STORES.includes('postgresql'))('openPostgres with a server that stops answering', () => {
  it('rejects what waits for it in time, and connects again for the next query', async () => {
    const database = await createTestDatabase();
    await (await openMigratedStore({ url: database.url, folder: '' })).close();
    const line = await openLine(database.url);
    const deadlines: (() => void)[] = [];
    const store = await openPostgres({
      url: line.url,
      timeoutMs: 8_000,
      after: (_delay, callback) => {
        deadlines.push(callback);
        return () => deadlines.splice(deadlines.indexOf(callback), 1);
      },
    });
    expect(deadlines).toEqual([]);
    line.holdUp();
    const asked = [
      store.db.select().from(organisations),
      store.transaction((db) => db.insert(organisations).values(ORGANISATION)),
      store.unhealthy(),
    ].map((one) => one.then(String, (error: Error) => (error instanceof Unavailable ? error : error.cause)));
    await expect.poll(() => deadlines.length).toBe(3);
    for (const pass of [...deadlines]) pass();
    expect(await Promise.all(asked)).toEqual([
      expect.any(Unavailable),
      expect.any(Unavailable),
      expect.stringMatching(/^the database does not answer: /),
    ]);
    line.letGo();
    expect(await store.unhealthy()).toBeNull();
    await store.transaction((db) => db.insert(organisations).values(ORGANISATION));
    expect(await store.db.select().from(organisations)).toEqual([ORGANISATION]);
    await line.close();
    await store.close();
    await database.drop();
  });
});

it('reconnectDelaySeconds is at most a second, however often connecting has failed', () => {
  const waits = [0, 1, 2, 3, 4, 5, 10, 1_000].map((attempt) => computeReconnectDelaySeconds(attempt, 1));
  expect(waits).toEqual([0.01, 0.03, 0.09, 0.27, 0.81, 1, 1, 1]);
  expect(computeReconnectDelaySeconds(1_000, 0)).toBe(0.5);
});

describe.runIf(STORES.includes('postgresql'))('openPostgres with a read-only server', () => {
  it('is unhealthy, and rejects writes with Unavailable', async () => {
    const database = await createTestDatabase();
    const store = await openMigratedStore({ url: database.url, folder: '' });
    const name = new URL(database.url).pathname.slice(1);
    await store.db.execute(`alter database "${name}" set default_transaction_read_only = on`);
    const others = 'from pg_stat_activity where datname = current_database()';
    // This ends the connection that runs it, too.
    await store.db.execute(`select pg_terminate_backend(pid) ${others}`).catch(() => undefined);
    await expect.poll(() => store.unhealthy()).toBe('the database can only be read');
    const write = store.transaction((db) => db.insert(organisations).values(ORGANISATION));
    await expect(write).rejects.toMatchObject({
      cause: new Unavailable('The database cannot be written; try again in a second'),
    });
    expect(await store.db.select().from(organisations)).toEqual([]);
    await store.close();
    await database.drop();
  });
});

describe('openStore on a file', () => {
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('opens a file whose lock a killed process left behind', async () => {
    await (await openMigratedStore({ url: null, folder })).close();
    mkdirSync(join(folder, 'sluice.db.lock'));
    const store = await openMigratedStore({ url: null, folder });
    expect(await store.unhealthy()).toBeNull();
    await store.close();
  });

  it('refuses a newer schema without changing a byte', async () => {
    mkdirSync(folder, { recursive: true });
    const newer = await openMigratedStore({ url: null, folder });
    await migrate(newer, [...TEST_MIGRATIONS, ['create table later (id text primary key)']], async () => {});
    await newer.close();
    const files = () => readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]);
    const before = files();
    await expect(openMigratedStore({ url: null, folder })).rejects.toThrow('run a newer Sluice');
    expect(files()).toEqual(before);
  });

  it('refuses a file that is not a database', async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'sluice.db'), 'not a database '.repeat(100));
    await expect(openMigratedStore({ url: null, folder })).rejects.toThrow(
      /sluice\.db cannot be opened as a database/,
    );
  });

  it('keeps an unsynced write when the process ends, and syncs the next write', async () => {
    mkdirSync(folder, { recursive: true });
    const store = await openMigratedStore({ url: null, folder });
    await store.unsynced.insert(organisations).values(ORGANISATION);
    const asKilled = mkdtempSync(join(tmpdir(), 'sluice-store-'));
    cpSync(folder, asKilled, { recursive: true });
    const copy = await openMigratedStore({ url: null, folder: asKilled });
    expect(await copy.db.select().from(organisations)).toEqual([ORGANISATION]);
    await expect(store.unsynced.insert(organisations).values(ORGANISATION)).rejects.toThrow();
    expect(await store.db.execute('pragma synchronous')).toEqual([[FULL]]);
    expect(await store.db.execute('pragma wal_autocheckpoint')).toEqual([[CHECKPOINT_PAGES]]);
    await Promise.all([store.close(), copy.close()]);
    rmSync(asKilled, { recursive: true, force: true });
  });

  it('never waits for the disk at an unsynced write, and keeps the write-ahead file small', async () => {
    mkdirSync(folder, { recursive: true });
    // The tables are created in one transaction, which is larger than the bound.
    await (await openMigratedStore({ url: null, folder })).close();
    const store = await openMigratedStore({ url: null, folder });
    const row = (id: string) => ({ ...ORGANISATION, id, slug: `${id}-${'x'.repeat(4_000)}` });
    await store.db.insert(organisations).values(row('first'));
    const synced = vi.spyOn(fs, 'fsyncSync');
    const syncsOf = async (write: Promise<unknown>) => {
      const before = synced.mock.calls.length;
      await write;
      return synced.mock.calls.length - before;
    };
    for (let round = 0; round < 60; round++) {
      for (let write = 0; write <= round % 3; write++) {
        const unsynced = store.unsynced.insert(organisations).values(row(`unsynced-${round}-${write}`));
        expect(await syncsOf(unsynced.then())).toBe(0);
      }
      const write =
        round % 2 === 0
          ? store.db
              .insert(organisations)
              .values(row(`synced-${round}`))
              .then()
          : store.transaction((db) => db.insert(organisations).values(row(`synced-${round}`)));
      expect(await syncsOf(write)).toBeGreaterThan(0);
    }
    synced.mockRestore();
    expect(statSync(join(folder, 'sluice.db-wal')).size).toBeLessThan(100 * 4_200);
    await store.close();
  });

  const folder = mkdtempSync(join(tmpdir(), 'sluice-store-'));
});

describe('openStore on PostgreSQL', () => {
  it('does not repeat the password when the server does not answer', async () => {
    const opening = openMigratedStore({ url: 'postgres://me:hunter2@127.0.0.1:1/x', folder: '' });
    await expect(opening).rejects.toThrow(/^database-url cannot be connected to: (?!.*hunter2)/);
  });

  it('says what to do when a pooler refuses the settings of a session', async () => {
    const fields = 'SFATAL\0VFATAL\0C08P01\0Munsupported startup parameter: statement_timeout\0\0';
    const length = Buffer.alloc(4);
    length.writeInt32BE(4 + fields.length);
    const pooler = createServer((socket) =>
      socket.once('data', () => socket.end(Buffer.concat([Buffer.from('E'), length, Buffer.from(fields)]))),
    );
    pooler.listen(0, '127.0.0.1');
    await once(pooler, 'listening');
    const { port } = pooler.address() as AddressInfo;
    const opening = openMigratedStore({ url: `postgres://me@127.0.0.1:${port}/x`, folder: '' });
    await expect(opening).rejects.toThrow(
      /unsupported startup parameter: statement_timeout\. A connection pooler .* docs\/operation\.md/,
    );
    pooler.close();
  });
});

describe('a full disk under the SQLite file', () => {
  it('rejects writes with Unavailable, and still reads', async () => {
    const { store, cleanUp } = await openTestStore('sqlite');
    await store.db.execute('pragma max_page_count = 1');
    const slug = 'x'.repeat(100_000);
    for (let attempt = 0; attempt < 2; attempt++) {
      const write = store.transaction((db) => db.insert(organisations).values({ ...ORGANISATION, slug }));
      await expect(write).rejects.toMatchObject({ cause: expect.any(Unavailable) });
    }
    expect(await store.db.select().from(organisations)).toEqual([]);
    await cleanUp();
  });
});

const ORGANISATION = { id: 'o1', slug: 'acme', plan: 'free', createdAt: 1_790_000_000_123 };

/** The value of SQLite's `synchronous` setting that syncs each write to the disk. */
const FULL = 2;
const CHECKPOINT_PAGES = 64;
