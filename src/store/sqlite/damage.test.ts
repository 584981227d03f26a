import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { OperatorError } from '../../common/operator-error.ts';
import { openLogDatabase } from '../log/open-log-database.ts';
import { organisations } from '../../testing/store/test-tables.ts';
import { openMigratedStore } from '../../testing/store/test-store.ts';
import { openFolder } from '../../testing/test-folder.ts';

const ROWS = 120;

const root = openFolder('damage');
const STORE: Kept = {
  file: 'sluice.db',
  cases: 150,
  short: 25,
  write: async (folder) => {
    const store = await openMigratedStore({ url: null, folder });
    for (let index = 0; index < ROWS; index++) {
      const row = { id: `o${index}`, slug: `slug-${index}`, plan: 'free', createdAt: index };
      // Every third write is unsynced, as for fills, including the last one.
      if (index % 3 === 2) await store.unsynced.insert(organisations).values(row);
      else if (index % 3 === 1) await store.db.insert(organisations).values(row);
      else await store.transaction((db) => db.insert(organisations).values(row));
    }
    return store.close;
  },
  read: async (folder) => {
    const store = await openMigratedStore({ url: null, folder });
    try {
      return await store.db.select().from(organisations).orderBy(organisations.createdAt);
    } finally {
      await store.close();
    }
  },
};
const LOG: Kept = {
  file: 'request-log.db',
  cases: 60,
  short: 4,
  write: async (folder) => {
    const log = await openLogDatabase({ url: null, folder });
    const text = 'insert into t (id, name) values ($1, $2)';
    await log.write([{ text: 'create table t (id bigint primary key, name text)', parameters: [] }]);
    for (let index = 0; index < ROWS; index++)
      await log.write([{ text, parameters: [index, `row ${index}`] }]);
    return log.close;
  },
  read: async (folder) => {
    const log = await openLogDatabase({ url: null, folder });
    try {
      return await log.query('select id, name from t order by id', []);
    } finally {
      await log.close();
    }
  },
};

describe.each([STORE, LOG])('$file of an instance that was killed', ({ file, cases, short, write, read }) => {
  const killed = join(root, `${file}-killed`);
  const stopped = join(root, `${file}-stopped`);
  const earlier = join(root, `${file}-earlier`);
  const folder = join(root, `${file}-damaged`);
  const path = join(folder, file);
  let whole: unknown;
  beforeAll(setUp);
  beforeEach(() => rmSync(folder, { recursive: true, force: true }));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('has all changes or is refused, whichever bit is flipped', async () => {
    const sizes = new Map(readdirSync(killed).map((name) => [name, statSync(join(killed, name)).size]));
    expect([...sizes.keys()].sort()).toEqual([file, `${file}-wal`, `${file}.witness`]);
    const flip = fc
      .constantFrom(...sizes.keys())
      .chain((name) =>
        fc.record({ name: fc.constant(name), at: fc.nat((sizes.get(name) ?? 1) - 1), bit: fc.nat(7) }),
      );
    const writeVersion = { name: file, at: 18, bit: 0 };
    let refused = 0;
    await assertProperty(
      fc.asyncProperty(flip, async ({ name, at, bit }) => {
        rmSync(folder, { recursive: true, force: true });
        cpSync(killed, folder, { recursive: true });
        const bytes = readFileSync(join(folder, name));
        bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
        writeFileSync(join(folder, name), bytes);
        const found = await opened();
        if (typeof found === 'string') refused++;
        expect([whole, refusal]).toContainEqual(found);
      }),
      { cases, short, seed: 20_261_122, examples: [[writeVersion]] },
    );
    expect(refused).toBeGreaterThan(0);
  });

  it('is refused when its write-ahead file is missing or cut short', async () => {
    cpSync(killed, folder, { recursive: true });
    const wal = `${path}-wal`;
    const used = usedLength(readFileSync(wal));
    for (const kept of [0, 32, 32 + 24 + 100, used >> 1]) {
      cpSync(killed, folder, { recursive: true });
      truncateSync(wal, kept);
      expect(await opened(), `${kept} bytes`).toEqual(refusal);
    }
    rmSync(wal);
    expect(await opened()).toEqual(refusal);
  });

  it('is refused when it is missing, empty, cut short, or an older copy', async () => {
    cpSync(stopped, folder, { recursive: true });
    const bytes = readFileSync(path);
    for (const kept of [0, 100, 4_096, bytes.length - 4_096]) {
      truncateSync(path, kept);
      expect(await opened(), `${kept} bytes`).toEqual(refusal);
      writeFileSync(path, bytes);
    }
    rmSync(path);
    expect(await opened()).toEqual(refusal);
    expect(existsSync(path)).toBe(false);
    // Killed when the last changes were only in the write-ahead file; without that file, the main file is older.
    cpSync(join(killed, file), path);
    expect(await opened()).toEqual(refusal);
  });

  it('is opened without its witness, because earlier versions had none', async () => {
    cpSync(killed, folder, { recursive: true });
    rmSync(`${path}.witness`);
    expect(await opened()).toEqual(whole);
    expect(await opened()).toEqual(whole);
  });

  async function setUp(): Promise<void> {
    const running = join(root, `${file}-running`);
    cpSync(mkdtempSync(join(root, 'empty-')), running, { recursive: true });
    const close = await write(running);
    cpSync(running, killed, { recursive: true });
    rmSync(join(killed, `${file}.lock`), { recursive: true });
    await close();
    cpSync(running, stopped, { recursive: true });
    cpSync(mkdtempSync(join(root, 'empty-')), earlier, { recursive: true });
    cpSync(killed, folder, { recursive: true });
    whole = await read(folder);
    expect(whole).toHaveLength(ROWS);
  }

  const contents = () =>
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'base64')]);
  /** Opens the file. Returns `whole`, or the reason of the refusal, after which no file may have changed. */
  const opened = async (): Promise<unknown> => {
    const before = contents();
    try {
      return await read(folder);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      expect(contents()).toEqual(before);
      return error.message;
    }
  };
  const refusal = expect.stringMatching(/Nothing was changed\. Restore the data folder from a backup/);
});

/** A data folder whose process was killed, and a way to read it back. */
interface Kept {
  readonly file: string;
  /** How many bits are flipped. Opening the log starts a thread each time. */
  readonly cases: number;
  readonly short: number;
  readonly write: (folder: string) => Promise<() => Promise<void>>;
  readonly read: (folder: string) => Promise<unknown>;
}

/**
 * The length of a write-ahead log up to its last frame. Later frames are left from before the log began again, which their
 * salts tell: https://sqlite.org/fileformat2.html#the_write_ahead_log.
 */
function usedLength(log: Buffer): number {
  const frame = 24 + log.readUInt32BE(8);
  const salts = log.subarray(16, 24);
  let end = 32;
  while (end + frame <= log.length && log.subarray(end + 8, end + 16).equals(salts)) end += frame;
  return end;
}
