import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../store/index.ts';
import { readLogVersion } from '../store/log/log-migrate.ts';
import { readSchemaVersion } from '../store/migrate.ts';
import { createPostgresClient } from '../store/postgres/postgres-client.ts';
import { createTestDatabase, STORES } from '../testing/store/test-store.ts';
import { TEST_LOG_MIGRATIONS, TEST_MIGRATIONS } from '../testing/store/test-tables.ts';
import { openPlatform } from './index.ts';
import { openLog } from './traffic/open.ts';
import { openForEach } from '../testing/opened.ts';

describe.runIf(STORES.includes('postgresql'))('a start whose session PostgreSQL ends', () => {
  let reasons: string[];
  const database = openForEach(() => createTestDatabase(), 'drop');
  const watching = openForEach(
    () =>
      createPostgresClient({
        url: database.url,
        maxConnections: 1,
        name: 'watching',
        timeoutMs: null,
      }),
    'close',
  );
  beforeEach(setUp);
  afterEach(tearDown);

  it('in a migration of the store migrates again', async () => {
    const { opening } = await holding(STORE_LOCK, async () => {
      const opened = openedStore();
      await endWaiting(2);
      return { opening: opened };
    });
    const store = await opening;
    expect(await readSchemaVersion(store.db)).toBe(TEST_MIGRATIONS.length);
    expect(reasons).toHaveLength(2);
  });

  it('in a migration of the request log migrates again', async () => {
    const { opening } = await holding(LOG_LOCK, async () => {
      const opened = openLog(place(), TEST_LOG_MIGRATIONS, 1, onRetry);
      await endWaiting(1);
      return { opening: opened };
    });
    const log = await opening;
    toClose.push(() => log.close());
    expect(await readLogVersion(log)).toBe(TEST_LOG_MIGRATIONS.length);
    expect(reasons).toHaveLength(1);
  });

  it('while the platform makes the demo key makes it again', async () => {
    const store = await openedStore();
    const key = `jup_${randomBytes(16).toString('hex')}`;
    const holder = createPostgresClient({
      url: database.url,
      maxConnections: 1,
      name: 'holder',
      timeoutMs: null,
    });
    toClose.push(holder.close);
    const { opening } = await holder.transaction(async (run) => {
      await run('set local idle_in_transaction_session_timeout = 0', []);
      await run('lock table organisations in exclusive mode', []);
      const opened = openPlatform({
        store,
        keySecret: 's'.repeat(64),
        keyPrefix: 'jup_',
        products: [],
        demoKey: key,
        memberTokenMs: null,
        now: () => NOW,
        every: () => () => undefined,
        onRetry,
        onDefect: (error) => {
          throw error;
        },
      });
      await endWaiting(1);
      // Not awaited before the table is free.
      return { opening: opened };
    });
    const platform = await opening;
    toClose.push(() => platform.close());
    expect(platform.keys.find(key, NOW)).not.toBeNull();
    expect(reasons.length).toBeGreaterThan(0);
  });

  const toClose: (() => unknown)[] = [];

  const onRetry = (reason: string) => void reasons.push(reason);
  const place = () => ({ url: database.url, folder: '' });
  const openedStore = async () => {
    const store = await openStore({ ...place(), migrations: TEST_MIGRATIONS, onRetry });
    toClose.push(() => store.close());
    return store;
  };

  function setUp(): void {
    reasons = [];
  }

  async function tearDown(): Promise<void> {
    for (const close of toClose.splice(0).reverse()) await close();
  }

  /** Ends the session that waits for a lock, as often as asked. */
  const endWaiting = async (times: number) => {
    for (let ended = 0; ended < times; ended++) {
      const waiting = () =>
        watching.run(
          "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
          [],
        );
      await expect.poll(waiting).toHaveLength(1);
      const [[pid] = []] = await waiting();
      await watching.run(`select pg_terminate_backend(${pid}, 5000)`, []);
    }
  };
  /** Does `work` while a migration that takes the lock has to wait. */
  const holding = async <T>(lock: number, work: () => Promise<T>): Promise<T> => {
    await watching.run(`select pg_advisory_lock(${lock})`, []);
    const result = await work();
    await watching.run(`select pg_advisory_unlock(${lock})`, []);
    return result;
  };
});

const NOW = 1_790_000_000_000;
/** The numbers of the advisory locks under which migrations run; they are the same in every version of Sluice. */
const [STORE_LOCK, LOG_LOCK] = [7_308_604_897, 7_308_604_898];
