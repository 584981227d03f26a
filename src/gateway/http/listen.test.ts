import { createServer, type Server } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { toListenError } from '../../common/listen-error.ts';
import { OperatorError } from '../../common/operator-error.ts';
import { TEST_CERTIFICATES } from '../../testing/gateway/certificates.ts';
import { listen, toReachableHost } from './listen.ts';
import { createLogger } from './log/log.ts';

afterEach(() => {
  for (const server of taken.splice(0)) server.close();
});

describe('listen', () => {
  it('returns the port that the system chose', async () => {
    const app = fastify();
    const url = await listen(app, { host: '127.0.0.1', port: 0, setting: 'rest-port' });
    expect((await fetch(url)).status).toBe(404);
    await app.close();
  });

  it('logs the port, and https if it serves TLS', async () => {
    const [{ certificate: cert, key }] = TEST_CERTIFICATES;
    const lines: string[] = [];
    const logger = createLogger('info', { write: (line) => void lines.push(JSON.parse(line).msg) });
    for (const app of [
      fastify({ loggerInstance: logger }),
      fastify({ loggerInstance: logger, https: { cert, key } }),
    ]) {
      const url = await listen(app as FastifyInstance, { host: '127.0.0.1', port: 0, setting: 'rest-port' });
      expect(lines.at(-1)).toBe(`rest-port is served at ${url}`);
      await app.close();
    }
    expect(lines.at(-1)).toMatch(/https:/);
  });

  it('names the setting of a port that is in use', async () => {
    const server = createServer();
    taken.push(server);
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        const address = server.address();
        if (address !== null && typeof address === 'object') resolve(address.port);
      });
    });
    const attempt = listen(fastify(), { host: '127.0.0.1', port, setting: 'admin-port' });
    await expect(attempt).rejects.toThrow(
      `admin-port ${port} on 127.0.0.1 is in use, perhaps by another instance; stop that, or choose another with --admin-port`,
    );
    await expect(attempt).rejects.toBeInstanceOf(OperatorError);
  });
});

it.each([
  ['rest-port', 'host'],
  ['rpc-port', 'host'],
  ['admin-port', 'admin-host'],
  ['grpc-port', 'grpc-host'],
  ['metrics-address', 'metrics-address'],
  ['landing-address', 'landing-address'],
])('names the host of %s if this machine has no such address', (setting, host) => {
  const error = Object.assign(new Error('listen'), { code: 'EADDRNOTAVAIL' });
  const told = toListenError(error, { host: '10.9.8.7', port: 80, setting });
  expect(String(told)).toMatch(new RegExp(`10\\.9\\.8\\.7 cannot be used: .*choose another with --${host}$`));
});

it('returns other errors unchanged', () => {
  const error = new Error('other');
  expect(toListenError(error, { host: '::1', port: 80, setting: 'rest-port' })).toBe(error);
});

it.each([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
  ['::1', '[::1]'],
  ['10.0.0.1', '10.0.0.1'],
  ['localhost', 'localhost'],
])('%s is reached at %s', (host, url) => {
  expect(toReachableHost(host)).toBe(url);
});

const taken: Server[] = [];
