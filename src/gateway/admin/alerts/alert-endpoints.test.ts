import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AS_OPERATOR, OPERATOR_CREDENTIAL } from '../../../testing/gateway/admin-credential.ts';
import { openForAll } from '../../../testing/opened.ts';
import { openTestPlatform } from '../../../testing/platform/test-platform.ts';
import { DEFAULT_BOUNDS } from '../../../testing/server-bounds.ts';
import { ManualTimers } from '../../../testing/timers.ts';
import { readRuleFile } from '../../alerts/rules/rule-file.ts';
import { AlertWatch } from '../../alerts/watch/alert-watch.ts';
import { createLogger } from '../../http/log/log.ts';
import { createInProcessLimiter } from '../../limits/rate-limiter.ts';
import { closeServer } from '../../server/server.ts';
import { createAdminServer } from '../server.ts';

describe('the alerts of an instance', () => {
  const platform = openForAll(openTestPlatform, 'cleanUp');
  const timers = new ManualTimers();
  let readings = 0;
  let app: FastifyInstance;
  beforeAll(setUp);
  afterAll(() => closeServer(app));

  it('are read by the operator alone, and evaluated for nobody', async () => {
    expect((await app.inject('/admin/v1/alerts')).statusCode).toBe(401);
    const { status, body } = await get('alerts');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      source: 'mine.yml',
      every: 15_000,
      evaluatedAt: timers.now(),
      sampledSince: timers.now(),
      counts: { firing: 1, pending: 0, quiet: 1, unknown: 3 },
      memory: { series: 1 },
    });
    expect(body.alerts[0]).toEqual({
      name: 'Deep',
      severity: 'critical',
      state: 'firing',
      since: timers.now(),
      expression: 'depth > 1',
      for: 0,
      range: 0,
      wholeFrom: timers.now(),
      threshold: { operator: '>', value: 1 },
      runbook: '/docs/runbooks#deep',
      reason: null,
      lastFiredAt: null,
      active: [
        {
          labels: { queue: 'a', instance: 'a:1', job: 'sluice', severity: 'critical' },
          value: 7,
          state: 'firing',
          activeAt: timers.now(),
          firingAt: timers.now(),
          summary: 'a has 7',
        },
      ],
      activeCount: 1,
      readings: [{ labels: { queue: 'a', instance: 'a:1', job: 'sluice' }, value: 7 }],
    });
    await get('alerts');
    expect(readings).toBe(1);
  });

  it('say why they are unknown, and have numbers that JSON can write', async () => {
    const { alerts } = (await get('alerts')).body;
    const texts = alerts.map(
      ({ reason }: { reason: { text: string; from: number } | null }) => reason && [reason.text, reason.from],
    );
    expect(texts).toEqual([
      null,
      null,
      ['There are not enough samples yet.', timers.now() + 15_000],
      ['This instance has no metric other, because it does not run what it is about.', null],
      ['It cannot be evaluated: the function avg is not supported.', null],
    ]);
    expect(alerts[1]).toMatchObject({
      state: 'quiet',
      runbook: 'https://example.com/',
      readings: [{ value: null }],
    });
  });

  it('have the values of the last hour', async () => {
    expect((await get('alerts/Deep/history')).body).toEqual({
      name: 'Deep',
      curves: [
        { labels: { queue: 'a', instance: 'a:1', job: 'sluice' }, points: [{ at: timers.now(), value: 7 }] },
      ],
    });
    expect((await get('alerts/Share/history')).body.curves[0].points).toEqual([
      { at: timers.now(), value: null },
    ]);
    expect((await get('alerts/Nobody/history')).status).toBe(404);
    expect((await get(`alerts/${'x'.repeat(101)}/history`)).status).toBe(414);
  });

  async function setUp(): Promise<void> {
    const alerts = new AlertWatch({
      rules: readRuleFile(RULES),
      source: 'mine.yml',
      metrics: {
        hasMetric: (metric) => metric === 'depth',
        read: async () => {
          readings++;
          return [{ metric: 'depth', labels: { queue: 'a' }, value: 7 }];
        },
      },
      getInstanceName: () => 'a:1',
      timers,
      pause: async () => {},
      onChange: () => {},
      onDefect: (error) => {
        throw error;
      },
    });
    await alerts.start();
    app = await createAdminServer({
      logger: createLogger('silent', { write: () => {} }),
      readiness: [],
      network: null,
      platform,
      limiter: createInProcessLimiter(),
      production: false,
      credential: OPERATOR_CREDENTIAL,
      bounds: DEFAULT_BOUNDS,
      alerts,
    });
    await app.ready();
  }

  async function get(path: string) {
    const answer = await app.inject({ url: `/admin/v1/${path}`, headers: AS_OPERATOR });
    return { status: answer.statusCode, body: answer.json() };
  }
});

const RULES = `
groups:
  - rules:
      - { alert: Deep, expr: 'depth > 1', labels: { severity: critical }, annotations: { summary: '{{ $labels.queue }} has {{ $value }}', runbook: 'docs/runbooks.md#deep' } }
      - { alert: Share, expr: '(depth - depth) / (depth - depth) > 1', annotations: { runbook_url: 'https://example.com/' } }
      - { alert: Fast, expr: 'rate(depth[5m]) > 1' }
      - { alert: Other, expr: 'other > 1' }
      - { alert: Average, expr: 'avg(depth) > 1' }
`;
