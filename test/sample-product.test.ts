import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenApiDocument } from '../src/gateway/docs/openapi.ts';
import { createGateway } from '../src/gateway/gateway.ts';
import { listen } from '../src/gateway/http/listen.ts';
import { createLogger } from '../src/gateway/http/log/log.ts';
import { createInProcessLimiter } from '../src/gateway/limits/rate-limiter.ts';
import { createPrometheus } from '../src/gateway/metrics/prometheus.ts';
import { closeServer } from '../src/gateway/server/server.ts';
import type { KnownKey } from '../src/platform/callers/key-cache.ts';
import type { RequestEntry } from '../src/platform/traffic/log/request-entry.ts';
import type { RegisteredProduct, RunningProduct } from '../src/products/product.ts';
import { sample, type SampleDependencies } from './sample-product/index.ts';
import { DEFAULT_BOUNDS } from '../src/testing/server-bounds.ts';

let app: FastifyInstance;
let url: string;
let running: readonly RunningProduct[];
let closed = 0;
beforeAll(setUp);
afterAll(tearDown);

describe('a product that one line registers', () => {
  it('answers, with its parameters typed by its schemas', async () => {
    expect(await ask('/sample/v1/greetings/Ann?times=2', 'all')).toMatchObject({
      status: 200,
      body: { greetings: ['Hello, Ann', 'Hello, Ann'] },
    });
    expect(await ask('/sample/v1/greetings/Ann?times=4', 'all')).toMatchObject({
      status: 400,
      body: { error: 'query parameter times must be <= 3, got 4' },
    });
  });

  it('opens to keys that name it, and not to those that name another, registered or not', async () => {
    expect((await ask('/sample/v1/greetings/Ann', 'sample')).status).toBe(200);
    expect((await ask('/sample/v1/greetings/Ann', 'other')).status).toBe(403);
  });

  it('has the limit of its bucket, also under an alias', async () => {
    const first = await ask('/sample/v1/greetings', 'all', { text: 'hi' });
    expect(first).toMatchObject({ status: 200, body: { sent: 'hi' } });
    expect(first.headers.get('x-ratelimit-remaining')).toBe('0');
    expect((await ask('/hello/v0', 'all', { text: 'hi' })).status).toBe(429);
    expect((await ask('/sample/v1/greetings', 'sample', { text: 'hi' })).status).toBe(200);
  });

  it('does not open an alias outside its paths to a key that is confined to it', async () => {
    expect((await ask('/hello/v0', 'sample', { text: 'hi' })).status).toBe(403);
  });

  it('has its credits in the request log', async () => {
    entries.length = 0;
    await ask('/sample/v1/greetings/Ann', 'all');
    await ask('/hello/v0', 'all', { text: 'hi' });
    await expect.poll(() => entries.length).toBe(2);
    expect(entries).toMatchObject([
      { endpoint: '/sample/v1/greetings/:name', path: '/sample/v1/greetings/Ann', status: 200, credits: 7 },
      { endpoint: '/hello/v0', path: '/hello/v0', decision: 'plan-limit', credits: 0 },
    ]);
  });

  it('is in the OpenAPI document and on the page, under its name', async () => {
    const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument;
    expect(paths['/sample/v1/greetings/{name}']?.get).toMatchObject({
      operationId: 'GetGreeting',
      tags: ['sample'],
      parameters: [
        { name: 'name', in: 'path' },
        { name: 'times', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 3 } },
      ],
    });
    const page = await (await fetch(`${url}/docs/api`)).text();
    expect(page).toContain('<section id="sample">');
    expect(page).toContain('GetGreeting');
  });

  it('has its part in /readyz', async () => {
    expect((await ask('/readyz', 'all')).body).toEqual({ ready: true, parts: { greetings: 'ok' } });
  });

  it('is counted by its routes in the metrics', async () => {
    await ask('/sample/v1/greetings/Ann', 'all');
    expect(await prom.page()).toMatch(
      /sluice_http_requests_total\{method="GET",route="\/sample\/v1\/greetings\/:name",status="200"\} \d+/,
    );
  });

  it('is closed by what it declares', async () => {
    for (const product of running) {
      await product.drain();
      await product.close();
    }
    expect(closed).toBe(1);
  });
});

/** What registers the product: one line. */
const PRODUCTS: readonly RegisteredProduct<SampleDependencies>[] = [sample];

const KNOWN: KnownKey = {
  id: 'k',
  name: 'k',
  teamId: 't',
  organisationId: 'o',
  rules: null,
  limits: { main: 50, execute: 1, submit: 1 },
  products: null,
  expiresAt: null,
};
const KEYS: Readonly<Record<string, KnownKey>> = {
  all: KNOWN,
  sample: { ...KNOWN, organisationId: 'p', products: ['sample'] },
  other: { ...KNOWN, organisationId: 'q', products: ['gone'] },
};

const entries: RequestEntry[] = [];
const prom = createPrometheus((error) => {
  throw error;
});

async function setUp(): Promise<void> {
  const dependencies = { greeting: 'Hello', onClosed: () => void closed++ };
  running = await Promise.all(PRODUCTS.map((product) => product.open(dependencies)));
  app = await createGateway({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('silent', { write: () => {} }),
    metrics: prom.metrics,
    pipeline: {
      findKey: (key) => KEYS[key] ?? null,
      limiter: createInProcessLimiter(),
      countryOf: () => null,
      now: () => 0,
      record: (entry) => entries.push(entry),
    },
    trustedProxies: [],
    readiness: running.flatMap(({ readiness }) => readiness),
    examples: { values: { name: 'Ann' }, wallet: null },
    products: running,
  });
  url = await listen(app, { host: '127.0.0.1', port: 0, setting: 'rest-port' });
}

async function tearDown(): Promise<void> {
  if (app !== undefined) await closeServer(app);
}

async function ask(path: string, key: keyof typeof KEYS, body?: object) {
  const answer = await fetch(`${url}${path}`, {
    headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json(), headers: answer.headers };
}
