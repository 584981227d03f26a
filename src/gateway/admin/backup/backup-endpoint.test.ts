import { connect } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { listen } from '../../http/listen.ts';
import { createLogger } from '../../http/log/log.ts';
import { closeServer, createServer } from '../../server/server.ts';
import { joinServices } from '../endpoint/admin-endpoint.ts';
import { registerAdminEndpoint } from '../endpoint/register-endpoint.ts';
import { recordBackup } from '../../../platform/audit/backup-records.ts';
import { openTestPlatform, type TestPlatform } from '../../../testing/platform/test-platform.ts';
import { BACKUP_ENDPOINTS } from './backup-endpoint.ts';
import { Backups } from './backups.ts';
import { DEFAULT_BOUNDS } from '../../../testing/server-bounds.ts';

let app: FastifyInstance;
let url: URL;
let platform: TestPlatform;
/** The backups that were begun. */
let archives: Readable[];
/** Why the next backup cannot begin; null: it can. */
let refusal: Error | null;
beforeEach(setUp);
afterEach(async () => {
  await closeServer(app, 50);
  await platform.cleanUp();
});

it.each([
  ['', 'alone'],
  ['GET /held HTTP/1.1\r\nhost: a\r\n\r\n', 'behind another answer'],
])('a backup ends when its client leaves, and the next one can start: %j', async (before) => {
  for (let round = 0; round < 2; round++) {
    const socket = connect(Number(url.port), '127.0.0.1');
    socket.write(before + BACKUP);
    await expect.poll(() => archives.length).toBe(round + 1);
    const refused = await fetch(`${url.origin}/admin/v1/backup`, { method: 'POST' });
    expect(refused.status).toBe(503);
    const archive = archives[round];
    if (archive === undefined) throw new Error('no archive was begun');
    const closed = new Promise((close) => archive.once('close', close));
    socket.destroy();
    await closed;
    await expect.poll(async () => (await list()).running).toBeNull();
  }
  expect((await list()).backups).toMatchObject([LEFT, LEFT]);
});

it('a client that stays gets the whole backup', async () => {
  const answer = fetch(`${url.origin}/admin/v1/backup`, { method: 'POST' });
  await expect.poll(() => archives.length).toBe(1);
  for (const part of ['a', 'b', null]) archives[0]?.push(part);
  expect(await (await answer).text()).toBe('ab');
  await expect.poll(async () => (await list()).running).toBeNull();
  expect(await list()).toMatchObject({
    ...FACTS,
    backups: [{ by: 'nobody', outcome: 'made', bytes: 2, files: 3, databases: ['sluice.db'], failure: null }],
    next: null,
  });
});

it('a backup that runs is listed with what was sent, and one that fails with its reason', async () => {
  const begun = begin();
  await expect.poll(() => archives.length).toBe(1);
  archives[0]?.push('abc');
  const answer = await begun;
  await expect.poll(async () => (await list()).running).toMatchObject({ by: 'nobody', bytes: 3 });
  archives[0]?.destroy(new Error('the disk is gone'));
  await expect(answer.text()).rejects.toThrow();
  await expect.poll(async () => (await list()).running).toBeNull();
  refusal = new Error('no space is left');
  expect((await begin()).status).toBe(500);
  expect((await list()).backups).toMatchObject([
    { outcome: 'failed', bytes: 0, files: null, failure: 'no space is left' },
    { outcome: 'failed', bytes: 3, files: 3, failure: 'the disk is gone' },
  ]);
  for (const query of ['cursor=mine', 'limt=5']) {
    const answerOf = await fetch(`${url.origin}/admin/v1/backups?${query}`);
    expect(answerOf.status, query).toBe(400);
  }
});

async function setUp(): Promise<void> {
  archives = [];
  refusal = null;
  platform = await openTestPlatform();
  app = await createServer({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('silent', { write: () => {} }),
    trustedProxies: [],
    register: (server) => {
      server.decorateRequest('principal', null);
      server.get('/held', () => new Promise(() => {}));
      const backups = new Backups({
        open: async () => {
          if (refusal !== null) throw refusal;
          const archive = new Readable({ read: () => {} });
          archives.push(archive);
          return { archive, contents: { files: 3, bytes: 9, databases: ['sluice.db'] } };
        },
        record: (actor, record) => recordBackup(platform, actor, record),
        now: platform.now,
      });
      for (const endpoint of joinServices('instance', BACKUP_ENDPOINTS, { platform, backups, facts: FACTS }))
        registerAdminEndpoint(server, endpoint);
    },
  });
  url = new URL(await listen(app, { host: '127.0.0.1', port: 0, setting: 'admin-port' }));
}

const FACTS = { dataFolder: '/data', ephemeral: false, database: true, masterKey: false };
const LEFT = { outcome: 'failed', failure: 'whoever asked for it left before it was complete' };
const begin = () => fetch(`${url.origin}/admin/v1/backup`, { method: 'POST' });
const list = async () =>
  (await (await fetch(`${url.origin}/admin/v1/backups`)).json()) as Record<'running' | 'backups', unknown>;
const BACKUP = 'POST /admin/v1/backup HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n';
