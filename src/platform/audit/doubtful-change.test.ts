import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualTimers } from '../../testing/timers.ts';
import { openStore, type Store } from '../../store/index.ts';
import { openPostgres } from '../../store/postgres/postgres.ts';
import { createTestDatabase, STORES } from '../../testing/store/test-store.ts';
import { TEST_MIGRATIONS } from '../../testing/store/test-tables.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { listAudit } from './audit-log.ts';
import { openPlatform, type OpenedPlatform } from '../index.ts';
import { createKey, listKeys } from '../accounts/keys.ts';
import { unwrap } from '../../testing/platform/unwrap.ts';
import { refusedAs } from '../../testing/platform/refused.ts';
import { now } from '../../testing/waits.ts';
import { openForEach } from '../../testing/opened.ts';

describe.runIf(STORES.includes('postgresql'))('creating a key when the commit is not acknowledged', () => {
  let line: CommitLosingLine;
  let store: Store;
  let platform: OpenedPlatform;
  const database = openForEach(() => createTestDatabase(), 'drop');
  beforeEach(setUp);
  afterEach(tearDown);

  it('returns the key when the commit reached the server', async () => {
    line.losing = 'answer';
    const { key } = unwrap(await create());
    expect(platform.keys.find(key, now())).toMatchObject({ name: 'ci' });
    expect(await names()).toContain('ci');
    expect(await create()).toEqual(refusedAs('already-exists'));
  });

  it('refuses when the commit did not reach the server, and the name stays free', async () => {
    line.losing = 'question';
    await expect(create()).rejects.toThrow(Unavailable);
    expect(await names()).not.toContain('ci');
    expect(unwrap(await create()).name).toBe('ci');
  });

  it('deletes the key when the database stays away for longer than the client waits', async () => {
    line.losing = 'answer';
    line.staysDown = true;
    await expect(create()).rejects.toThrow(Unavailable);
    line.isDown = false;
    const actions = async () => {
      const { items } = unwrap(await listAudit(platform));
      return items.filter(({ subject }) => subject === 'demo/demo/ci').map(({ action }) => action);
    };
    // The key is deleted as soon as the database answers again, so only the audit log shows that it existed.
    await expect
      .poll(async () => (await actions()).toSorted())
      .toEqual(['api_key.created', 'api_key.deleted']);
    expect(await names()).not.toContain('ci');
    const { key } = unwrap(await create());
    expect(platform.keys.find(key, now())).toMatchObject({ name: 'ci' });
  });

  async function setUp(): Promise<void> {
    const url = new URL(database.url);
    line = await CommitLosingLine.open(new URL(database.url));
    url.host = `127.0.0.1:${line.port}`;
    await (await openStore({ url: database.url, folder: '', migrations: TEST_MIGRATIONS })).close();
    // The client gives up what is lost, at once, and nothing else, however slow the machine is.
    const timers = new ManualTimers();
    line.onLoss = () => timers.advance(TIMEOUT_MS);
    store = await openPostgres({
      url: url.href,
      timeoutMs: TIMEOUT_MS,
      after: (ms, callback) => timers.after(ms, callback),
    });
    platform = await openPlatform({
      store,
      keySecret: 's'.repeat(64),
      keyPrefix: 'jup_',
      products: [],
      demoKey: 'jup_of_the_data_folder',
      memberTokenMs: null,
      now: now,
      every: () => () => undefined,
      onDefect: () => undefined,
    });
  }

  async function tearDown(): Promise<void> {
    await platform.close();
    await line.close();
    await store.close();
  }

  const create = () => createKey(platform, ACTOR, { ...TEAM, key: 'ci' }, {});
  const names = async () => unwrap(await listKeys(platform, TEAM)).map(({ name }) => name);
});

const ACTOR = { who: 'operator', from: '127.0.0.1' };
const TIMEOUT_MS = 60_000;
const TEAM = { organisation: 'demo', team: 'demo' };
/**
 * How the server acknowledges an insert. The client may refer to a prepared statement by number, so what it sends
 * cannot be recognised.
 */
const INSERTED = 'INSERT 0 1';
const COMMITTED = 'COMMIT\0';
/** A change inserts the key and its audit entry; the next statement is the commit. */
const INSERTS = 2;

/** A proxy to PostgreSQL that drops the connection at a commit. */
class CommitLosingLine {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Which half of the next commit is lost: the statement (it does not reach the server) or its acknowledgement. */
  losing: 'question' | 'answer' | null = null;
  /** Whether new connections are refused from then on. */
  staysDown = false;
  isDown = false;
  /** Called when what was asked by this line will never be answered. */
  onLoss: () => void = () => {};

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(target: URL): Promise<CommitLosingLine> {
    const server = createServer();
    const line = new CommitLosingLine(server);
    server.on('connection', (near) => line.#join(near, connect(Number(target.port), target.hostname)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return line;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(near: Socket, far: Socket): void {
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
    }
    if (this.isDown) {
      near.destroy();
      this.onLoss();
      return;
    }
    let inserts = 0;
    near.on('data', (data) => {
      if (this.losing !== 'question' || inserts < INSERTS) far.write(data);
      else this.#lose(near);
    });
    far.on('data', (data) => {
      const text = data.toString('latin1');
      if (this.losing !== null) inserts += text.split(INSERTED).length - 1;
      if (this.losing !== 'answer' || inserts < INSERTS || !text.includes(COMMITTED)) near.write(data);
      else this.#lose(near);
    });
  }

  #lose(near: Socket): void {
    this.losing = null;
    this.isDown = this.staysDown;
    for (const socket of this.#sockets) if (this.isDown || socket === near) socket.destroy();
    this.onLoss();
  }
}
