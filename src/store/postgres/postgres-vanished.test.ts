import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { eq, sql } from 'drizzle-orm';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { OperatorError } from '../../common/operator-error.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { createPostgresClient } from './postgres-client.ts';
import { openPostgres } from './postgres.ts';
import { meta as entries } from '../schema/meta.ts';
import type { Store } from '../sql/sql.ts';
import { createTestDatabase, STORES, openMigratedStore } from '../../testing/store/test-store.ts';

afterAll(() => rmSync(workplace, { recursive: true }));

describe.runIf(STORES.includes('postgresql'))('an instance that vanishes from PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let watching: ReturnType<typeof createPostgresClient>;
  beforeAll(() =>
    build({
      entryPoints: [entry],
      outfile: script,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
    }),
  );
  beforeEach(setUp);
  afterEach(tearDown);

  it('loses the locks of its transaction, so that others can continue', async () => {
    await stoppedHolder(HOLDER_MS);
    const store = await open(PATIENT_MS);
    await lock(store);
    expect(await store.db.select().from(entries).where(eq(entries.name, LOCKED))).toHaveLength(1);
  });

  it('uses no more sessions than the pools have, however often others retry', async () => {
    await stoppedHolder(LONG_HOLDER_MS);
    const store = await vi.waitFor(() => open(WAITING_MS));
    for (let round = 0; round < 4; round++) {
      const asked = Array.from({ length: 8 }, () => lock(store));
      const ends = await Promise.allSettled(asked);
      for (const end of ends) {
        if (end.status === 'rejected') {
          expect([end.reason, end.reason.cause]).toContainEqual(expect.any(Unavailable));
        }
      }
      // Five of this store, and the vanished one.
      expect((await sessions()).length).toBeLessThanOrEqual(6);
    }
    await expect.poll(() => lock(store).then(() => 'locked', String)).toBe('locked');
  });

  it('frees its session even if it stopped reading in the middle of an answer', async () => {
    const line = await openLineThatStalls(database.url);
    toClose.push(line.close);
    const client = createPostgresClient({
      url: line.url,
      maxConnections: 1,
      name: 'sluice',
      // The server ends the session after two and a half times as long, until when it has to be seen waiting.
      timeoutMs: 1_500,
      // It never gives up by itself.
      after: () => () => undefined,
    });
    toClose.push(() => client.close());
    const answer = client
      .run("select repeat('x', 1000000) from generate_series(1, 50)", [])
      .catch(() => null);
    const blocked =
      "select 1 from pg_stat_activity where wait_event = 'ClientWrite' and datname = current_database()";
    await expect.poll(() => watching.run(blocked, [])).toHaveLength(1);
    await expect.poll(async () => (await sessions()).length).toBe(0);
    await line.close();
    await answer;
  });

  const toClose: (() => unknown)[] = [];

  const open = async (timeoutMs: number): Promise<Store> => {
    const store = await openPostgres({ url: database.url, timeoutMs });
    toClose.push(() => store.close());
    return store;
  };

  async function setUp(): Promise<void> {
    database = await createTestDatabase();
    await (await openMigratedStore({ url: database.url, folder: '' })).close();
    watching = createPostgresClient({
      url: database.url,
      maxConnections: 1,
      name: 'watching',
      timeoutMs: null,
    });
  }

  async function tearDown(): Promise<void> {
    for (const close of toClose.splice(0).reverse()) await close();
    await watching.close();
    await database.drop();
  }

  const lock = (store: Store) =>
    store.transaction((db) =>
      db
        .update(entries)
        .set({ value: sql`${entries.value}` })
        .where(eq(entries.name, LOCKED)),
    );
  /** The sessions of instances that the server has. */
  const sessions = () =>
    watching.run(
      "select pid from pg_stat_activity where datname = current_database() and application_name = 'sluice'",
      [],
    );
  const holder = async (maxMs: number): Promise<ChildProcess> => {
    const child = spawn(process.execPath, [script], {
      env: { ...process.env, SLUICE_TEST_HOLD: database.url, SLUICE_TEST_HOLD_MS: String(maxMs) },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    toClose.push(async () => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
    });
    const ended = once(child, 'close').then(() => {
      throw new Error('the holder lost its lock before it was stopped');
    });
    await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), ended]);
    return child;
  };
  // On a busy machine, the server may end a holder that is slow. Then another one is started.
  const stoppedHolder = async (maxMs: number) => void (await vi.waitFor(() => holder(maxMs))).kill('SIGSTOP');

  /** A proxy to the server that stops reading after a megabyte of answers, without either end noticing. */
  async function openLineThatStalls(to: string) {
    const target = new URL(to);
    const sockets: Socket[] = [];
    const server = createServer((near) => {
      const far = connect(Number(target.port), target.hostname);
      sockets.push(near, far);
      near.pipe(far);
      let bytes = 0;
      far.on('data', (chunk) => {
        near.write(chunk);
        bytes += chunk.length;
        if (bytes > 1_000_000) far.pause();
      });
      for (const socket of [near, far]) socket.on('error', () => undefined);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(target);
    url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const close = async () => {
      for (const socket of sockets.splice(0)) socket.destroy();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    };
    return { url: url.href, close };
  }
});

describe.runIf(STORES.includes('postgresql'))('a session on PostgreSQL', () => {
  it.each([
    ['while nothing is asked', false],
    ['while something is asked, of which the transaction does not care', true],
  ])('ended by the server within a transaction, %s, affects that transaction only', async (_, isAsked) => {
    const database = await createTestDatabase();
    const client = createPostgresClient({
      url: database.url,
      maxConnections: 1,
      name: 'sluice',
      timeoutMs: PATIENT_MS,
    });
    const watching = createPostgresClient({
      url: database.url,
      maxConnections: 1,
      name: 'watching',
      timeoutMs: null,
    });
    const other: unknown[] = [];
    const asked = client.transaction(async (run) => {
      const [[pid] = []] = await run('select pg_backend_pid()', []);
      const waiting = isAsked ? run('select pg_sleep(50)', []).catch(() => []) : null;
      const isActive = `select 1 from pg_stat_activity where pid = ${pid} and state = 'active'`;
      if (isAsked) await expect.poll(() => watching.run(isActive, [])).toHaveLength(1);
      await watching.run(`select pg_terminate_backend(${pid}, 5000)`, []);
      await waiting;
      // The first failing query detects the loss; none of them may reach the driver afterwards.
      for (let more = 0; more < 3; more++) {
        other.push(await run('select 1', []).catch((error: unknown) => error));
      }
      return 'done';
    });
    await expect(asked).rejects.toBeInstanceOf(Unavailable);
    await expect.poll(() => other).toEqual(Array(3).fill(expect.any(Unavailable)));
    await expect.poll(() => client.run('select 2', []).catch(String)).toEqual([[2]]);
    await client.close();
    await watching.close();
    await database.drop();
  });

  it('has the server check whether its instance is still there', async () => {
    const database = await createTestDatabase();
    const client = createPostgresClient({
      url: database.url,
      maxConnections: 1,
      name: 'sluice',
      timeoutMs: 8_000,
      // However slow the machine is, the client waits.
      after: () => () => undefined,
    });
    const shown = async (setting: string) => (await client.run(`show ${setting}`, [])).flat()[0];
    expect(await shown('statement_timeout')).toBe('7s');
    expect(await shown('lock_timeout')).toBe('6s');
    expect(await shown('idle_in_transaction_session_timeout')).toBe('4s');
    // The operating system's view of this very connection.
    expect(await shown('tcp_keepalives_idle')).toBe('10');
    expect(await shown('tcp_keepalives_interval')).toBe('5');
    expect(await shown('tcp_keepalives_count')).toBe('3');
    expect(await shown('tcp_user_timeout')).toBe('20000');
    await client.close();
    await database.drop();
  });
});

describe.runIf(STORES.includes('postgresql'))(
  'openPostgres behind a pooler that drops the settings of sessions',
  () => {
    let database: Awaited<ReturnType<typeof createTestDatabase>>;
    let pooler: Awaited<ReturnType<typeof openPoolerThatLeavesOutSettings>>;
    beforeEach(async () => {
      database = await createTestDatabase();
      pooler = await openPoolerThatLeavesOutSettings(database.url);
    });
    afterEach(async () => {
      pooler.close();
      await database.drop();
    });

    it('is refused with what to set', async () => {
      const opened = openMigratedStore({ url: pooler.url, folder: '' });
      await expect(opened).rejects.toThrow(OperatorError);
      await expect(opened).rejects.toThrow(
        `run "alter role <role> set idle_in_transaction_session_timeout = '4s'"`,
      );
    });

    it('starts if the role has the setting itself', async () => {
      const admin = createPostgresClient({
        url: database.url,
        maxConnections: 1,
        name: 'admin',
        timeoutMs: PATIENT_MS,
      });
      const name = new URL(database.url).pathname.slice(1);
      await admin.run(`alter database "${name}" set idle_in_transaction_session_timeout = '4s'`, []);
      await admin.close();
      await (await openMigratedStore({ url: pooler.url, folder: '' })).close();
    });
  },
);

/** How long the vanishing instance may take for a query. Between two statements, the server allows half of that. */
const HOLDER_MS = 2_000;
/** The same for one that keeps its lock while another instance tries to get it four times. */
const LONG_HOLDER_MS = 8_000;
const WAITING_MS = LONG_HOLDER_MS / 2 / 4;
/** For clients whose limits the test does not wait for. */
const PATIENT_MS = 60_000;
const LOCKED = 'sponsored';

/** In a folder from which the bundle resolves the packages. */
const here = dirname(fileURLToPath(import.meta.url));
const workplace = mkdtempSync(join(here, '../../../node_modules/.sluice-hold-'));
const entry = fileURLToPath(new URL('../../testing/store/postgres-holder.ts', import.meta.url));
const script = join(workplace, 'hold.mjs');

/**
 * A pooler that forwards everything except the settings in the startup message, which then has only user and
 * database.
 */
async function openPoolerThatLeavesOutSettings(to: string) {
  const target = new URL(to);
  const sockets: Socket[] = [];
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    sockets.push(near, far);
    for (const socket of [near, far]) socket.on('error', () => undefined);
    near.once('data', (startup) => {
      far.write(withoutSettings(startup));
      near.pipe(far);
    });
    far.pipe(near);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const url = Object.assign(new URL(to), { hostname: '127.0.0.1', port: String(port) }).href;
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { url, close };
}

/** Length and protocol, four bytes each, then names and values, each ended by a zero byte. */
function withoutSettings(startup: Buffer): Buffer {
  const fields = startup.toString('latin1', 8).split('\0');
  const kept: string[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [name = '', value = ''] = fields.slice(at, at + 2);
    if (name === 'user' || name === 'database') kept.push(name, value);
  }
  const body = Buffer.from(`${kept.join('\0')}\0\0`, 'latin1');
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length, 0);
  startup.copy(head, 4, 4, 8);
  return Buffer.concat([head, body]);
}
