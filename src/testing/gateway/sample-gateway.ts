import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import { Writable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { ChainUnavailable } from '../../chain/chain.ts';
import { Unavailable } from '../../common/unavailable.ts';
import type { KnownKey } from '../../platform/callers/key-cache.ts';
import { PLANS } from '../../platform/plans/plans.ts';
import { RequestRefused } from '../../common/request-refused.ts';
import { createGateway, type GatewayOptions } from '../../gateway/gateway.ts';
import { createLogger } from '../../gateway/http/log/log.ts';
import { createInProcessLimiter } from '../../gateway/limits/rate-limiter.ts';
import { closeServer } from '../../gateway/server/server.ts';
import { DEFAULT_BOUNDS } from '../server-bounds.ts';

/** The only key that the sample accepts. */
export const KEY = 'jup_0123456789abcdef';
export const SAMPLE_KEY: KnownKey = {
  id: 'k1',
  name: 'key',
  teamId: 't1',
  organisationId: 'o1',
  rules: null,
  limits: PLANS.pro,
  products: null,
  expiresAt: null,
};
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function registerSample(app: FastifyInstance): void {
  const querystring = Type.Object(
    { limit: Type.Integer({ minimum: 1, maximum: 5 }), flag: Type.Optional(Type.Boolean()) },
    { additionalProperties: false },
  );
  app.get(
    '/sample/:id',
    { schema: { tags: ['sample'], params: Type.Object({ id: Type.String() }), querystring } },
    async (request) => request.query,
  );
  app.post(
    '/sample',
    { schema: { body: Type.Object({ count: Type.Integer() }) } },
    async (request) => request.body,
  );
  app.get('/refuses', async () => {
    throw new RequestRefused('amount must be more');
  });
  app.get('/breaks', async () => {
    throw new Error('the password is hunter2');
  });
  const onDefect = (error: string) => ({ error, code: -1 });
  app.get('/breaks-in-its-form', { config: { onDefect } }, async () => {
    throw new Error('secret detail');
  });
  app.get('/offline', async () => {
    throw new ChainUnavailable('connection refused');
  });
  app.get('/undecodable', async () => {
    throw new LayoutInvalid('mint ends after 3 bytes');
  });
  app.get('/wrapped', async () => {
    throw new Error('asked in vain', { cause: new Unavailable('The database does not answer') });
  });
}

const opened: FastifyInstance[] = [];

/** Call this after each test. */
export async function closeGateways(): Promise<void> {
  for (const app of opened.splice(0)) await closeServer(app);
}

/** A gateway with a few routes that answer, refuse and throw. Its log lines are appended to `log`. */
export async function createSampleGateway(
  overrides: Partial<GatewayOptions> = {},
  log: string[] = [],
): Promise<FastifyInstance> {
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      log.push(String(chunk));
      done();
    },
  });
  const app = await createGateway({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('trace', destination),
    pipeline: {
      findKey: (key) => (key === KEY ? SAMPLE_KEY : null),
      limiter: createInProcessLimiter(),
      countryOf: () => null,
      now: () => 0,
    },
    trustedProxies: [],
    readiness: [],
    examples: { values: {}, wallet: null },
    products: [],
    registerRoutes: registerSample,
    ...overrides,
  });
  opened.push(app);
  return app;
}
