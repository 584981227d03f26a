import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { BACKGROUND_NICENESS } from '../../common/background-thread.ts';
import type { LogDatabase } from './log-database.ts';
import { openLogDatabase } from './open-log-database.ts';
import { openTestLog, STORES } from '../../testing/store/test-store.ts';
import { openForEach } from '../../testing/opened.ts';

describe.each(STORES)('the log database on %s', (kind) => {
  let log: LogDatabase;
  const test = openForEach(() => openTestLog(kind), 'cleanUp');
  beforeEach(setUp);

  it('keeps what was written when it is opened again', async () => {
    await log.write([insert(1, 'one'), insert(2, 'zwei, "deux"\n')]);
    log = await test.reopen();
    expect(await names()).toEqual(['one', 'zwei, "deux"\n']);
    expect(await log.unhealthy()).toBeNull();
  });

  it('writes all statements or none', async () => {
    await expect(log.write([insert(1, 'one'), insert(1, 'again')])).rejects.toThrow();
    expect(await names()).toEqual([]);
    await log.write([insert(1, 'one')]);
    expect(await names()).toEqual(['one']);
  });

  it('answers many queries at once, each with its own rows', async () => {
    await log.write([insert(1, 'one')]);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => log.query('select cast($1 as bigint), name from t', [index])),
    );
    expect(answers.map(([row]) => Number(row?.[0]))).toEqual(answers.map((_, index) => index));
  });

  it('says what is wrong with a query, and answers the next one', async () => {
    await expect(log.query('select * from nowhere', [])).rejects.toThrow(/nowhere/);
    expect(await names()).toEqual([]);
  });

  async function setUp(): Promise<void> {
    log = test.log;
    await log.write([{ text: 'create table t (id bigint primary key, name text)', parameters: [] }]);
  }

  const insert = (id: number, name: string) => ({
    text: 'insert into t (id, name) values ($1, $2)',
    parameters: [id, name],
  });
  const names = async () => (await log.query('select name from t order by id', [])).flat();
});

describe('the log database in a file', () => {
  it.skipIf(process.platform !== 'linux')('is written by a thread that gives way to the others', async () => {
    const { log, cleanUp } = await openTestLog('sqlite');
    expect(await log.unhealthy()).toBeNull();
    const own = getPriority(process.pid);
    expect(nicenessOfThreads()).toContain(Math.min(own + BACKGROUND_NICENESS, 19));
    expect(getPriority(process.pid)).toBe(own);
    await cleanUp();
  });

  it('is refused when it is not a database', async () => {
    const { folder, cleanUp } = await openTestLog('sqlite');
    const other = join(folder, 'request-log.db');
    await cleanUp();
    mkdirSync(folder, { recursive: true });
    writeFileSync(other, 'not a database '.repeat(100));
    await expect(openLogDatabase({ url: null, folder })).rejects.toThrow(/request-log\.db cannot be opened/);
    rmSync(folder, { recursive: true, force: true });
  });

  it('rejects queries after it was closed', async () => {
    const { log, cleanUp } = await openTestLog('sqlite');
    await cleanUp();
    await expect(log.query('select 1', [])).rejects.toThrow("the request log's thread ended");
    expect(await log.unhealthy()).toContain('ended');
  });
});

function nicenessOfThreads(): number[] {
  return readdirSync('/proc/self/task').flatMap((thread) => {
    try {
      return [getPriority(Number(thread))];
    } catch {
      return []; // It has ended meanwhile.
    }
  });
}
