import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestPlatform } from '../../../testing/platform/test-platform.ts';
import {
  type CheckRuns,
  type Report,
  SITUATIONS,
  WEBHOOK_SITUATIONS,
} from '../../../rfq/conformance/index.ts';
import { createTestDesk } from '../../../testing/rfq/test-desk.ts';
import { openTestRfq } from '../../../testing/rfq/test-rfq.ts';
import { createLogger } from '../../http/log/log.ts';
import { createInProcessLimiter } from '../../limits/rate-limiter.ts';
import { closeServer } from '../../server/server.ts';
import { AS_OPERATOR, OPERATOR_CREDENTIAL } from '../../../testing/gateway/admin-credential.ts';
import { createRecordingNetwork } from '../../../testing/gateway/admin-network.ts';
import { createAdminServer } from '../server.ts';
import { DEFAULT_BOUNDS } from '../../../testing/server-bounds.ts';
import { openForEach } from '../../../testing/opened.ts';

let app: FastifyInstance | undefined;
let begun: [string, number][];
let busy: boolean;
let report: Report;
const platform = openForEach(openTestPlatform, 'cleanUp');
beforeEach(setUp);
afterEach(tearDown);

describe('the conformance check of a maker', () => {
  it('begins with the longest wait unless a shorter one is given, and can be read', async () => {
    const send = await admin();
    const running = { maker: 'maker-1', running: true, passed: false, findings: [], endedAt: null };
    expect(await send('POST', CHECK, {})).toMatchObject({ status: 200, body: running });
    await send('POST', CHECK, { waitSeconds: 3 });
    expect(begun).toEqual([
      ['maker-1', 10],
      ['maker-1', 3],
    ]);
    const { findings } = OVER;
    expect(await send('GET', CHECK)).toMatchObject({
      status: 200,
      body: {
        maker: 'maker-1',
        running: false,
        passed: false,
        findings,
        startedAt: STARTED,
        endedAt: STARTED + 9,
      },
    });
  });

  it('lists every situation with what it means, those that run now and those that wait', async () => {
    const send = await admin();
    const { streams, webhook, running, checked } = (await send('GET', CHECKS)).body;
    expect([running, checked]).toEqual([null, ['maker-1']]);
    for (const [listed, names] of [
      [streams, SITUATIONS],
      [webhook, WEBHOOK_SITUATIONS],
    ]) {
      expect(listed.map(({ situation }: { situation: string }) => situation)).toEqual(names);
      for (const { meaning } of listed) expect(meaning).toMatch(/^[A-Z].*\.$/);
    }
    const outcomes = async (findings: Report['findings'], isRunning = true) => {
      report = { ...BEGUN, findings, running: isRunning };
      const { situations } = (await send('GET', CHECK)).body;
      return situations.map(({ outcome }: { outcome: string }) => outcome);
    };
    const passed = (count: number) =>
      SITUATIONS.slice(0, count).map((situation) => ({ situation, outcome: 'passed', detail: 'x' }) as const);
    const [done, rest] = [Array(3).fill('passed'), Array(3).fill('waiting')];
    expect(await outcomes([])).toEqual(['running', ...Array(12).fill('waiting')]);
    expect(await outcomes(passed(3))).toEqual([...done, ...Array(7).fill('running'), ...rest]);
    expect(await outcomes(passed(3), false)).toEqual([...done, ...Array(10).fill('missing')]);
    expect(await outcomes(passed(13), false)).toEqual(Array(13).fill('passed'));
  });

  it('does not show a maker the check of another one that had its id and was removed', async () => {
    const send = await admin();
    report = { ...OVER, startedAt: -2, endedAt: -1 };
    expect((await send('GET', CHECK)).status).toBe(404);
    expect((await send('GET', CHECKS)).body.checked).toEqual([]);
  });

  it.each([
    [{ waitSeconds: 0 }],
    [{ waitSeconds: 11 }],
    [{ waitSeconds: 1.5 }],
    [{ wait: 1 }],
    [{ kind: 'post' }],
  ])('refuses %j', async (body) => {
    const send = await admin();
    expect((await send('POST', CHECK, body)).status).toBe(400);
    expect(begun).toEqual([]);
  });

  it('is refused for an unknown maker, without an earlier check, and while another one runs', async () => {
    const send = await admin();
    const unknown = CHECK.replace('maker-1', 'nobody');
    expect(await send('POST', unknown, {})).toMatchObject({
      status: 404,
      body: { error: expect.stringContaining('nobody') },
    });
    expect((await send('GET', unknown)).status).toBe(404);
    expect(begun).toEqual([]);
    busy = true;
    expect(await send('POST', CHECK, {})).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('the maker "maker-9"') },
    });
  });

  it.each([
    ['in production', { production: true }, {}],
    ['over an outside RPC', { outside: true }, {}],
    ['from another machine', { exposed: true }, { host: 'sluice.example' }],
  ])('is refused %s', async (_, options, headers) => {
    const send = await admin(options);
    expect((await send('POST', CHECK, {}, headers)).status).toBe(403);
    expect((await send('GET', CHECK, undefined, headers)).status).toBe(403);
    expect(begun).toEqual([]);
  });

  it('is open to the operator only', async () => {
    const send = await admin();
    const stranger = { authorization: 'Bearer nobody' };
    expect((await send('POST', CHECK, {}, stranger)).status).toBe(401);
    expect(begun).toEqual([]);
  });
});

const CHECK = '/admin/v1/network/makers/maker-1/check';
const CHECKS = '/admin/v1/network/makers/checks';
/** After the registration of every maker of these tests. */
const STARTED = 4_000_000_000_000;
const BEGUN: Report = {
  makerId: 'maker-1',
  kind: 'streams',
  startedAt: STARTED,
  endedAt: null,
  running: true,
  passed: false,
  findings: [],
};
const OVER: Report = {
  ...BEGUN,
  running: false,
  endedAt: STARTED + 9,
  findings: [{ situation: 'fill', outcome: 'failed', detail: 'it did not sign' }],
};

function setUp(): void {
  begun = [];
  busy = false;
  report = OVER;
}

async function tearDown(): Promise<void> {
  if (app !== undefined) await closeServer(app);
}

async function admin({ production = false, outside = false, exposed = false } = {}) {
  const test = await openTestRfq();
  const { rfq } = test;
  const checks: CheckRuns = {
    kindOf: () => 'streams',
    begin: (makerId, seconds) => {
      begun.push([makerId, seconds]);
      return busy ? null : BEGUN;
    },
    report: (makerId) => (makerId === 'maker-1' ? report : null),
    findRunning: () => (busy ? 'maker-9' : null),
    listChecked: () => ['maker-1'],
  };
  const server = await createAdminServer({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('silent', { write: () => {} }),
    readiness: [],
    network: outside ? null : createRecordingNetwork(),
    platform: platform,
    limiter: createInProcessLimiter(),
    makers: {
      platform: platform,
      makers: rfq.makers,
      clusterMakers: rfq.clusterMakers,
      refresh: async () => {},
      webhooks: { all: () => [], find: () => null, note: async () => {} },
      books: rfq.allBooks,
      desk: createTestDesk(test),
      allowsPrivate: true,
    },
    makerChecks: checks,
    production,
    exposed,
    credential: OPERATOR_CREDENTIAL,
  });
  app = server;
  return async (method: 'GET' | 'POST', url: string, payload?: object, headers = {}) => {
    const answer = await server.inject({
      method,
      url,
      headers: { host: '127.0.0.1:8788', ...AS_OPERATOR, ...headers },
      ...(payload === undefined ? {} : { payload }),
    });
    return { status: answer.statusCode, body: answer.json() };
  };
}
