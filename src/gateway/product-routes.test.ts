import { Type } from 'typebox';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { DEFAULT_BOUNDS } from '../testing/server-bounds.ts';
import { yieldToOtherWork } from '../testing/waits.ts';
import { getCurrentWorker, type OwnWork, type Party } from '../common/party.ts';
import type { KnownKey } from '../platform/callers/key-cache.ts';
import { defineEndpoint, EventStream, OtherAnswer } from '../products/endpoint.ts';
import { defineProduct } from '../products/product.ts';
import type { OpenApiDocument } from './docs/openapi.ts';
import { createGateway } from './gateway.ts';
import { createLogger } from './http/log/log.ts';
import { createInProcessLimiter } from './limits/rate-limiter.ts';
import { closeServer } from './server/server.ts';

let app: FastifyInstance;
let seen: (Party | OwnWork)[];
beforeEach(setUp);
afterEach(() => closeServer(app));

it('does the work of an endpoint for the organisation of the key, or for the client without one', async () => {
  for (const url of ['/look', '/look/stream']) {
    for (const key of ['one', 'two', '']) await app.inject({ url, headers: { 'x-api-key': key } });
  }
  const acme = { kind: 'organisation', id: 'acme' };
  const client = { kind: 'client', id: '127.0.0.1' };
  expect(seen).toEqual([acme, acme, client, acme, acme, acme, acme, client, client]);
  expect(getCurrentWorker()).toBe('own');
});

it('asks an endpoint that needs a token whether a request may go on, before it is validated', async () => {
  const asked = (authorization: string, query: string) =>
    app.inject({ url: `/look/guarded?${query}`, headers: { authorization } });
  const answers = [await asked('', 'count=x'), await asked('ann', 'count=x'), await asked('ann', 'count=1')];
  expect(answers.map((answer) => [answer.statusCode, answer.json()])).toEqual([
    [401, { error: 'nobody is not known' }],
    [400, { error: 'count:type:integer' }],
    [200, {}],
  ]);
  const { paths, components } = (await app.inject('/openapi.json')).json<OpenApiDocument>();
  expect(paths['/look/guarded']?.get?.security).toEqual([{ Bearer: [] }, { ApiKey: [], Bearer: [] }]);
  expect(paths['/look']?.get?.security).toBeUndefined();
  expect(components.securitySchemes.Bearer).toEqual({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' });
});

it('takes no body as none, also if its type is named, and no other', async () => {
  const post = (payload: string) =>
    app.inject({ method: 'POST', url: '/look/at', headers: { 'content-type': 'application/json' }, payload });
  expect([await post(''), await post('{}'), await post('{')].map(({ statusCode }) => statusCode)).toEqual([
    200, 200, 400,
  ]);
  const typed = (payload: string) =>
    app.inject({ method: 'POST', url: '/look/at', headers: { 'content-type': 'text/plain' }, payload });
  expect([await typed(''), await typed('x')].map(({ statusCode }) => statusCode)).toEqual([200, 415]);
});

const LIMITS = { main: 1_000_000, execute: 1_000_000, submit: 1_000_000 };

const note = async () => {
  await yieldToOtherWork();
  seen.push(getCurrentWorker());
};
const described = { summary: 'S', description: 'D.', responses: { 200: Type.Any() } };
const look = defineEndpoint({
  ...described,
  method: 'GET',
  path: '/look',
  operationId: 'Look',
  handle: async () => {
    await note();
    return {};
  },
});
const guarded = defineEndpoint({
  ...described,
  method: 'GET',
  path: '/look/guarded',
  operationId: 'LookGuarded',
  query: Type.Object({ count: Type.Integer() }),
  authorize: async (_services: null, { headers: { authorization } }) =>
    authorization === 'ann' ? null : new OtherAnswer(401, { error: 'nobody is not known' }),
  onInvalid: (_body, { invalid = [] }) =>
    new OtherAnswer(400, {
      error: invalid.map(({ name, keyword, demand }) => `${name}:${keyword}:${demand.type}`).join(),
    }),
  handle: () => ({}),
});
const lookAt = defineEndpoint({
  ...described,
  method: 'POST',
  path: '/look/at',
  operationId: 'LookAt',
  handle: () => ({}),
});
const stream = defineEndpoint({
  ...described,
  method: 'GET',
  path: '/look/stream',
  operationId: 'LookOn',
  streams: true,
  handle: () =>
    new EventStream(async function* () {
      for (let event = 0; event < 2; event++) {
        await note();
        yield { data: event };
      }
    }),
});

async function setUp(): Promise<void> {
  seen = [];
  const product = defineProduct({
    name: 'look',
    description: 'Looks.',
    basePaths: ['/look'],
    endpoints: [look, stream, guarded, lookAt],
    open: () => ({ services: null }),
  });
  app = await createGateway({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('silent', { write: () => {} }),
    pipeline: {
      findKey: (key) =>
        ({
          id: key,
          name: key,
          teamId: `team of ${key}`,
          organisationId: 'acme',
          rules: null,
          limits: LIMITS,
          products: null,
          expiresAt: null,
        }) satisfies KnownKey,
      limiter: createInProcessLimiter(),
      countryOf: () => null,
      now: () => 1_790_000_000_000,
    },
    trustedProxies: [],
    readiness: [],
    examples: { values: {}, wallet: null },
    products: [await product.open(null)],
  });
}
