import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PLANS } from '../../platform/plans/plans.ts';
import { createGateway } from '../gateway.ts';
import { createLogger } from '../http/log/log.ts';
import { createLimiter } from '../limits/shared-limiter.ts';
import { closeServer } from '../server/server.ts';
import { type Prometheus, createPrometheus } from './prometheus.ts';
import { createMetricsServer } from '../metrics-server.ts';
import { DEFAULT_BOUNDS } from '../../testing/server-bounds.ts';

let defects: unknown[];
let prom: Prometheus;
let gateway: FastifyInstance;
let server: FastifyInstance;
beforeEach(setUp);
afterEach(tearDown);

describe('the metrics page', () => {
  it('counts answers by route, and decisions of the limiter', async () => {
    const headers = { 'x-api-key': KEY };
    for (const id of ['one', 'two', 'three']) await gateway.inject({ url: `/tokens/v2/${id}`, headers });
    for (const method of ['GET', 'PUT'] as const) {
      await gateway.inject({ method, url: `/nowhere/${method}`, headers: { 'x-api-key': 'jup_guessed' } });
    }
    const text = await page();
    const requests = text.split('\n').filter((line) => line.startsWith('sluice_http_requests_total{'));
    expect(requests).toEqual([
      'sluice_http_requests_total{method="GET",route="/tokens/v2/:id",status="200"} 2',
      'sluice_http_requests_total{method="GET",route="/tokens/v2/:id",status="429"} 1',
      'sluice_http_requests_total{method="any",route="none",status="401"} 2',
    ]);
    expect(text).toContain('sluice_limiter_decisions_total{counted="main",decision="admitted"} 2');
    expect(text).toContain('sluice_limiter_decisions_total{counted="main",decision="refused"} 1');
    expect(text).toContain('sluice_http_request_duration_seconds_count{route="/tokens/v2/:id"} 3');
    expect(text).not.toMatch(/jup_|nowhere|three/);
  });

  it('reads gauges when it is requested, and shows the others if one fails', async () => {
    let value = 1;
    prom.metrics.gauge('sluice_test_one', 'One value.', () => value);
    prom.metrics.gauge('sluice_test_many', 'Several.', async () => [{ labels: { kind: 'a' }, value }], [
      'kind',
    ]);
    prom.metrics.gauge('sluice_test_broken', 'None.', () => {
      throw new Error('broken');
    });
    expect(await page()).toMatch(/^sluice_test_one 1$/m);
    value = 2;
    const text = await page();
    expect(text).toMatch(/^sluice_test_one 2$/m);
    expect(text).toMatch(/^sluice_test_many\{kind="a"\} 2$/m);
    expect(defects).toEqual([new Error('broken'), new Error('broken')]);
  });
});

const KEY = 'jup_a-key-that-works';
const logger = createLogger('silent', { write: () => {} });

async function setUp(): Promise<void> {
  defects = [];
  prom = createPrometheus((error) => defects.push(error));
  gateway = await createGateway({
    bounds: DEFAULT_BOUNDS,
    logger,
    pipeline: {
      findKey: (key) =>
        key === KEY
          ? {
              id: 'k',
              teamId: 't',
              organisationId: 'o',
              limits: { ...PLANS.free, main: 2 },
              name: 'k',
              products: null,
              rules: null,
              expiresAt: null,
            }
          : null,
      limiter: createLimiter(null, 'fail-open', prom.metrics),
      now: () => 1_790_000_000_000,
      countryOf: () => null,
    },
    trustedProxies: [],
    readiness: [],
    metrics: prom.metrics,
    examples: { values: {}, wallet: null },
    products: [],
    registerRoutes: (app) => {
      app.get('/tokens/v2/:id', async () => ({ ok: true }));
    },
  });
  server = await createMetricsServer(logger, prom, DEFAULT_BOUNDS);
}

async function tearDown(): Promise<void> {
  await closeServer(gateway);
  await closeServer(server);
}

async function page(): Promise<string> {
  const { statusCode, headers, body } = await server.inject('/metrics');
  expect(statusCode).toBe(200);
  expect(headers['content-type']).toContain('text/plain');
  return body;
}
