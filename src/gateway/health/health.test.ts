import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Part, registerHealth } from './health.ts';

let app: FastifyInstance;
beforeEach(() => {
  app = fastify();
});
afterEach(() => app.close());

it('asks the parts once for all who want to know at the same time, and anew for those who come later', async () => {
  let asked = 0;
  let answer = (_state: string | null) => {};
  const part: Part = {
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
  // So that those that were sent have come.
  await app.inject('/healthz');
  answer('it does not answer');
  for (const one of together) expect(await one).toEqual([503, { database: 'it does not answer' }]);
  expect(asked).toBe(1);
  const later = ask();
  await expect.poll(() => asked).toBe(2);
  answer(null);
  expect(await later).toEqual([200, { database: 'ok' }]);
});

it('says of a part that does not answer that it does not, and what is known of the others', async () => {
  const delays: number[] = [];
  const silent: Part = { name: 'database', unhealthy: () => new Promise(() => {}) };
  const others: Part[] = [
    { name: 'chain', unhealthy: () => null },
    { name: 'rpc', unhealthy: () => Promise.reject(new Error('refused')) },
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
    { database: 'it has not answered within 3 seconds', chain: 'ok', rpc: 'refused' },
  ]);
  expect(delays).toEqual([3_000, 3_000, 3_000]);
});
