import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AS_OPERATOR } from '../../../testing/gateway/admin-credential.ts';
import { openForAll } from '../../../testing/opened.ts';
import { openTestPlatform } from '../../../testing/platform/test-platform.ts';
import { DEFAULT_BOUNDS } from '../../../testing/server-bounds.ts';
import { openTestReports } from '../../../testing/transactions/landing-reports.ts';
import { createOrganisation } from '../../../platform/accounts/organisations.ts';
import { unwrap } from '../../../testing/platform/unwrap.ts';
import { createLogger } from '../../http/log/log.ts';
import { createInProcessLimiter } from '../../limits/rate-limiter.ts';
import { closeServer } from '../../server/server.ts';
import { createPrometheus } from '../../metrics/prometheus.ts';
import { InstanceOperation } from '../../operation/instance-operation.ts';
import { SYSTEM_TIMERS } from '../../../common/ports/timers.ts';
import { createAdminServer } from '../server.ts';

describe('the operation of an instance', () => {
  const platform = openForAll(openTestPlatform, 'cleanUp');
  const test = openForAll(openTestReports, 'cleanUp');
  const reports = openForAll(
    () => test.open({ timers: { now: () => platform.now(), after: SYSTEM_TIMERS.after } }),
    'close',
  );
  let app: FastifyInstance;
  beforeAll(setUp);
  afterAll(() => closeServer(app));

  it('is read by the operator alone, and answers with what the rooms have declared', async () => {
    expect((await get('operation', {})).status).toBe(401);
    const { status, body } = await get('operation');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      instance: { name: 'one', isShared: false },
      works: false,
      parts: [{ name: 'database', works: false, reason: 'it is gone', runbook: 'runbooks' }],
      changes: [{ part: 'database', at: 5, reason: 'it is gone' }],
      queues: [{ name: 'rows', meaning: 'Rows wait.', waiting: 3, limit: 10, lost: 1 }],
      streams: [{ name: 'readers', open: 2, limit: null }],
      wallets: [
        { names: ['sponsor'], lamports: '90071992547409930', budgets: [{ spent: '12', limit: '100' }] },
      ],
      reserves: [{ name: 'house', microDollars: '-5' }],
      landings: { outcomes: [] },
    });
  });

  it('lists landings by pages, with the slugs of organisations', async () => {
    const organisationId = unwrap(
      await createOrganisation(platform, ACTOR, { slug: 'acme', plan: 'developer' }),
    ).id;
    const now = platform.now();
    for (const [index, signature] of ['one', 'two', 'three'].entries())
      reports.note(
        { ...NOTHING_YET, signature, organisationId, requestId: signature, acceptedAt: now - index },
        null,
      );
    const first = await get('landings?limit=2');
    expect(first.body.landings.map((each: { signature: string }) => each.signature)).toEqual(['one', 'two']);
    expect(first.body.landings[0]).toMatchObject({ organisation: 'acme', outcome: null, slot: null });
    const second = await get(`landings?limit=2&cursor=${first.body.next}`);
    expect(second.body).toMatchObject({ landings: [{ signature: 'three' }], next: null, lost: 0 });
    expect((await get('landings?outcome=under-way&organisation=acme')).body.landings).toHaveLength(3);
    expect((await get('landings?outcome=confirmed')).body.landings).toEqual([]);
  });

  it.each([
    ['landings?outcome=lost', 400],
    ['landings?limit=100000', 400],
    ['landings?cursor=x', 400],
    [`landings?cursor=${Buffer.from('[1,"\\u0000"]').toString('base64url')}`, 400],
    ['landings?since=5&until=4', 400],
    ['landings?organisation=nobody', 404],
    ['landings?unknown=1', 400],
  ])('refuses %s', async (path, status) => {
    expect((await get(path)).status).toBe(status);
  });

  async function setUp(): Promise<void> {
    const { metrics, watched } = createPrometheus(() => undefined);
    metrics.queue({ name: 'rows', meaning: 'Rows wait.', read: () => ({ waiting: 3, limit: 10, lost: 1 }) });
    metrics.streams({ name: 'readers', meaning: 'They read.', read: () => ({ open: 2, limit: null }) });
    metrics.wallet({
      name: 'sponsor',
      address: 'w',
      meaning: 'It pays.',
      lamports: () => 90_071_992_547_409_930n,
    });
    metrics.budget({
      name: 'swaps',
      wallet: 'w',
      window: 'hour',
      limit: 100n,
      limitOfOne: null,
      atLimit: 'It stops.',
      readSpent: async () => 12n,
      held: () => null,
    });
    metrics.reserve({ name: 'house', meaning: 'It covers.', microDollars: () => -5n });
    const timers = SYSTEM_TIMERS;
    app = await createAdminServer({
      bounds: DEFAULT_BOUNDS,
      logger: createLogger('silent', { write: () => {} }),
      readiness: [],
      network: null,
      platform,
      limiter: createInProcessLimiter(),
      landingReports: reports,
      production: false,
      credential: AS_OPERATOR.authorization.replace(/^Bearer /, ''),
      operation: new InstanceOperation({
        facts: { name: 'one', version: '1', startedAt: 0, network: 'rpc', isKeeper: false, isShared: false },
        parts: {
          states: [
            {
              name: 'database',
              optional: false,
              runbook: 'runbooks',
              reason: 'it is gone',
              since: 5,
              checkedAt: 6,
              tookMs: 1,
            },
          ],
          changes: [{ part: 'database', at: 5, reason: 'it is gone' }],
          isChecked: true,
        },
        stores: [],
        nodes: [],
        chain: { slot: () => 0n, recentBlockhash: () => ({ fetchedAt: 0 }) as never },
        watched,
        countLandings: async () => new Map(),
        timers,
        stopwatch: () => 0,
      }),
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes.
  async function get(path: string, headers: object = AS_OPERATOR): Promise<{ status: number; body: any }> {
    const response = await app.inject({ url: `/admin/v1/${path}`, headers: { ...headers } });
    return { status: response.statusCode, body: response.json() };
  }
});

const ACTOR = { who: 'test', from: 'here' };
const NOTHING_YET = {
  forwardedAt: null,
  seenAt: null,
  confirmedAt: null,
  endedAt: null,
  outcome: null,
  slot: null,
  error: null,
  sends: 0,
  firstSeenBy: null,
};
