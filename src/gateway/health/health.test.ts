import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ReadinessCheck } from '../../products/product.ts';
import { registerHealth } from './health.ts';

let app: FastifyInstance;
beforeEach(() => {
  app = fastify();
});
afterEach(() => app.close());

it('answers as /healthz and /readyz do under /health and /status', async () => {
  registerHealth(app, [{ name: 'chain', unhealthy: () => 'it does not answer' }]);
  const ask = async (url: string) => {
    const { statusCode, body } = await app.inject(url);
    return [statusCode, body];
  };
  expect(await ask('/health')).toEqual([200, '{"status":"ok"}']);
  expect(await ask('/health')).toEqual(await ask('/healthz'));
  expect(await ask('/status')).toEqual(await ask('/readyz'));
  expect(await ask('/status')).toEqual([503, '{"ready":false,"parts":{"chain":"it does not answer"}}']);
});

it('runs the checks once for concurrent requests, and again for later ones', async () => {
  let asked = 0;
  let answer = (_state: string | null) => {};
  const part: ReadinessCheck = {
    name: 'database',
    unhealthy: () => {
      asked++;
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
  };
  registerHealth(app, [part]);
  const ask = () => app.inject('/readyz').then((response) => [response.statusCode, response.json().parts]);
  const together = Array.from({ length: 50 }, ask);
  await expect.poll(() => asked).toBe(1);
  // Waits until the requests have arrived.
  await app.inject('/healthz');
  answer('it does not answer');
  for (const one of together) expect(await one).toEqual([503, { database: 'it does not answer' }]);
  expect(asked).toBe(1);
  const later = ask();
  await expect.poll(() => asked).toBe(2);
  answer(null);
  expect(await later).toEqual([200, { database: 'ok' }]);
});

it('reports a check that does not answer, and the results of the others', async () => {
  const delays: number[] = [];
  const silent: ReadinessCheck = { name: 'database', unhealthy: () => new Promise(() => {}) };
  const others: ReadinessCheck[] = [
    { name: 'chain', unhealthy: () => null },
    { name: 'rpc', unhealthy: () => Promise.reject(new Error('refused by 10.1.2.3')) },
  ];
  registerHealth(
    app,
    [silent, ...others],
    () => false,
    (delay, callback) => {
      delays.push(delay);
      const timer = setImmediate(callback);
      return () => clearImmediate(timer);
    },
  );
  const answer = await app.inject('/readyz');
  expect([answer.statusCode, answer.json().parts]).toEqual([
    503,
    { database: 'it has not answered within 3 seconds', chain: 'ok', rpc: 'it failed' },
  ]);
  expect(delays).toEqual([3_000, 3_000, 3_000]);
});

it('names the codes of failures, and no addresses, hosts, paths or statements', async () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 10.1.2.3:5432'), { code: 'ECONNREFUSED' });
  registerHealth(app, [
    { name: 'database', unhealthy: () => 'the database does not answer: connect ECONNREFUSED 10.1.2.3:5432' },
    {
      name: 'records',
      unhealthy: () => 'they cannot be read: Failed query: select "key" from "keys"\nparams: 7',
    },
    { name: 'valkey', unhealthy: () => 'Valkey does not answer: getaddrinfo ENOTFOUND valkey.internal' },
    { name: 'rpc', unhealthy: () => Promise.reject(new TypeError('fetch failed', { cause: refused })) },
  ]);
  expect((await app.inject('/readyz')).json().parts).toEqual({
    database: 'the database does not answer: connect ECONNREFUSED',
    records: 'they cannot be read: a statement failed',
    valkey: 'Valkey does not answer: getaddrinfo ENOTFOUND',
    rpc: 'it failed with ECONNREFUSED',
  });
});
