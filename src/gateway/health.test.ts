import { afterEach, expect, it } from 'vitest';
import fastify from 'fastify';
import { type Part, registerHealth } from './health.ts';

const app = fastify();
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
