import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../../store/index.ts';
import { openPostgres } from '../../store/postgres/postgres.ts';
import { createTestDatabase, STORES } from '../../store/store-for-tests.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { listAudit } from './audit-log.ts';
import { openPlatform, type Platform } from '../index.ts';
import { createKey, listKeys } from '../accounts/keys.ts';
import { granted } from '../granted-for-tests.ts';
import { refusedAs } from '../refused-for-tests.ts';

const ACTOR = { who: 'operator', from: '127.0.0.1' };
const TEAM = { organisation: 'demo', team: 'demo' };
/** How the server says that it has done so. The client may name a statement by a number, so what it sends tells nothing. */
const INSERTED = 'INSERT 0 1';
const COMMITTED = 'COMMIT\0';
/** The key, and its line in the audit log: what comes next is the commit. */
const INSERTS = 2;

/** A way to PostgreSQL on which the connection that commits is lost. */
class CommitLosingLine {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** What becomes of the next commit: it reaches the server, or it does not; in both cases nobody hears of it. */
  losing: 'question' | 'answer' | null = null;
  /** Whether connections are refused from then on. */
  staysDown = false;
  isDown = false;

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
  }
}

describe.runIf(STORES.includes('postgresql'))('a key whose commit is not answered', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let line: CommitLosingLine;
  let store: Store;
  let platform: Platform;

  beforeEach(async () => {
    database = await createTestDatabase();
    const url = new URL(database.url);
    line = await CommitLosingLine.open(new URL(database.url));
    url.host = `127.0.0.1:${line.port}`;
    await (await openStore({ url: database.url, folder: '' })).close();
    store = await openPostgres({ url: url.href, longestMs: 1_000 });
    platform = await openPlatform({
      store,
      keySecret: 's'.repeat(64),
      keyPrefix: 'jup_',
      products: [],
      demoKey: 'jup_of_the_data_folder',
      memberTokenMs: null,
      now: Date.now,
      every: () => () => undefined,
      onDefect: () => undefined,
    });
  });
  afterEach(async () => {
    await platform.close();
    await line.close();
    await store.close();
    await database.drop();
  });

  const create = () => createKey(platform.parts, ACTOR, { ...TEAM, key: 'ci' }, {});
  const names = async () => granted(await listKeys(platform.parts, TEAM)).map(({ name }) => name);

  it('is given out when it was made', async () => {
    line.losing = 'answer';
    const { key } = granted(await create());
    expect(platform.parts.keys.find(key, Date.now())).toMatchObject({ name: 'ci' });
    expect(await names()).toContain('ci');
    expect(await create()).toEqual(refusedAs('already-exists'));
  });

  it('is refused when it was not made, and its name is free', async () => {
    line.losing = 'question';
    await expect(create()).rejects.toThrow(Unavailable);
    expect(await names()).not.toContain('ci');
    expect(granted(await create()).name).toBe('ci');
  });

  it('is taken back when the database stays away for longer than the client waits', async () => {
    line.losing = 'answer';
    line.staysDown = true;
    await expect(create()).rejects.toThrow(Unavailable);
    line.isDown = false;
    await expect.poll(names, { timeout: 20_000 }).toContain('ci');
    await expect.poll(names, { timeout: 20_000 }).not.toContain('ci');
    const { items } = granted(await listAudit(platform.parts));
    const told = items.filter(({ subject }) => subject === 'demo/demo/ci');
    expect(told.map(({ action }) => action).toSorted()).toEqual(['key.create', 'key.delete']);
    const { key } = granted(await create());
    expect(platform.parts.keys.find(key, Date.now())).toMatchObject({ name: 'ci' });
  });
});
