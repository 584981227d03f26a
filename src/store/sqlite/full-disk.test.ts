import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CAN_FILL_DISK, fillDisk } from '../../testing/full-disk.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { LOG_FILE, STORE_FILE } from '../index.ts';
import { openLogDatabase } from '../log/open-log-database.ts';
import { organisations } from '../../testing/store/test-tables.ts';
import { openMigratedStore } from '../../testing/store/test-store.ts';

let folder: string;
let makeRoom = () => {};
beforeEach(setUp);
afterEach(tearDown);

describe.runIf(CAN_FILL_DISK)('SQLite on a full disk', () => {
  it('rejects writes to the store, accepts them when there is room again, and loses nothing', async () => {
    // The migrations of a new store fill the write-ahead log so far that later writes may reuse its beginning.
    await (await openMigratedStore({ url: null, folder })).close();
    const store = await openMigratedStore({ url: null, folder });
    const add = (id: string) => store.transaction((db) => db.insert(organisations).values(organisation(id)));
    const ids = async (of = store) =>
      (await of.db.select({ id: organisations.id }).from(organisations)).map(({ id }) => id).sort();
    await add('a');
    makeRoom = fillDisk(sizeOf(`${STORE_FILE}-wal`) + 100);
    for (let attempt = 0; attempt < 3; attempt++) {
      const refused = add('b');
      const failure = await refused.then(
        () => null,
        (error: Error) => error,
      );
      expect([failure, failure?.cause]).toContainEqual(expect.any(Unavailable));
    }
    await expect(store.unsynced.insert(organisations).values(organisation('c'))).rejects.toMatchObject({
      cause: expect.any(Unavailable),
    });
    expect(await ids()).toEqual(['a']);
    makeRoom();
    await add('b');
    await store.unsynced.insert(organisations).values(organisation('c'));
    expect(await ids()).toEqual(['a', 'b', 'c']);
    await store.close();
    const again = await openMigratedStore({ url: null, folder });
    expect(await ids(again)).toEqual(['a', 'b', 'c']);
    await again.close();
  });

  it('rejects writes to the request log, and accepts them when there is room again', async () => {
    const log = await openLogDatabase({ url: null, folder });
    const add = (id: number) =>
      log.write([{ text: 'insert into t (id, name) values ($1, $2)', parameters: [id, 'x'.repeat(200)] }]);
    const ids = async (of = log) => (await of.query('select id from t order by id', [])).flat();
    await log.write([{ text: 'create table t (id bigint primary key, name text)', parameters: [] }]);
    await add(1);
    makeRoom = fillDisk(sizeOf(`${LOG_FILE}-wal`) + 100);
    for (let attempt = 0; attempt < 3; attempt++) await expect(add(2)).rejects.toThrow(/disk/);
    expect(await ids()).toEqual([1]);
    makeRoom();
    await add(2);
    expect(await ids()).toEqual([1, 2]);
    await log.close();
    const again = await openLogDatabase({ url: null, folder });
    expect(await ids(again)).toEqual([1, 2]);
    await again.close();
  });
});

const organisation = (id: string) => ({ id, slug: id.repeat(20), plan: 'free', createdAt: 1 });

function setUp(): void {
  folder = mkdtempSync(join(tmpdir(), 'sluice-full-'));
}

function tearDown(): void {
  makeRoom();
  rmSync(folder, { recursive: true });
}

const sizeOf = (name: string) => statSync(join(folder, name)).size;
