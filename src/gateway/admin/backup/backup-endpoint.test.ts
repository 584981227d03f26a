import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { listen } from '../../http/listen.ts';
import { createLogger } from '../../http/log/log.ts';
import { closeServer, createServer } from '../../server/server.ts';
import { joinServices } from '../endpoint/admin-endpoint.ts';
import { registerAdminEndpoint } from '../endpoint/register-endpoint.ts';
import { BACKUP_ENDPOINT, Backups } from './backup-endpoint.ts';
import { DEFAULT_BOUNDS } from '../../../testing/server-bounds.ts';

let app: FastifyInstance;
let url: URL;
/** The backups that were begun. */
let archives: Readable[];
beforeEach(setUp);
afterEach(() => closeServer(app, 50));

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
    const closed = once(archive, 'close');
    socket.destroy();
    await closed;
  }
});

it('a client that stays gets the whole backup', async () => {
  const answer = fetch(`${url.origin}/admin/v1/backup`, { method: 'POST' });
  await expect.poll(() => archives.length).toBe(1);
  for (const part of ['a', 'b', null]) archives[0]?.push(part);
  expect(await (await answer).text()).toBe('ab');
});

async function setUp(): Promise<void> {
  archives = [];
  app = await createServer({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('silent', { write: () => {} }),
    trustedProxies: [],
    register: (server) => {
      server.decorateRequest('principal', null);
      server.get('/held', () => new Promise(() => {}));
      const backups = new Backups(async () => {
        const archive = new Readable({ read: () => {} });
        archives.push(archive);
        return archive;
      });
      for (const endpoint of joinServices('instance', [BACKUP_ENDPOINT], backups))
        registerAdminEndpoint(server, endpoint);
    },
  });
  url = new URL(await listen(app, { host: '127.0.0.1', port: 0, setting: 'admin-port' }));
}

const BACKUP = 'POST /admin/v1/backup HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n';
