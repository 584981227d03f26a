import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OPERATOR_CREDENTIAL } from '../../../testing/gateway/admin-credential.ts';
import { createRecordingNetwork } from '../../../testing/gateway/admin-network.ts';
import { createAdminServer } from '../../../gateway/admin/server.ts';
import { listen } from '../../../gateway/http/listen.ts';
import { createLogger } from '../../../gateway/http/log/log.ts';
import { createInProcessLimiter } from '../../../gateway/limits/rate-limiter.ts';
import { closeServer } from '../../../gateway/server/server.ts';
import { openTestPlatform } from '../../../testing/platform/test-platform.ts';
import type { Report } from '../../../rfq/conformance/index.ts';
import { createTestDesk } from '../../../testing/rfq/test-desk.ts';
import { openTestRfq } from '../../../testing/rfq/test-rfq.ts';
import { runForTest } from '../../../testing/run-cli.ts';
import { DEFAULT_BOUNDS } from '../../../testing/server-bounds.ts';

let server: FastifyInstance;
let port: string;
let cleanUp: () => Promise<void>;
let reports: Report[];
let waits: number[];
let kinds: string[];
beforeAll(setUp);
afterAll(tearDown);
beforeEach(setUpEach);

describe('sluice maker check', () => {
  it('waits for the end, and prints a line for each situation', async () => {
    const { code, out } = await check('maker-1');
    expect(code).toBe(1);
    expect(out).toMatch(/^connection +passed +status prod$/m);
    expect(out).toMatch(/^fill +failed +it did not sign within 10 s$/m);
    expect(out).toContain('The maker maker-1 did not pass: 1 passed, 1 failed, 0 skipped.');
    expect([waits, reports]).toEqual([[10], []]);
  });

  it('prints JSON, and exits with 0 when everything passed', async () => {
    const findings = FINDINGS.slice(0, 1);
    reports = [report({ findings, passed: true })];
    const { code, out } = await check('maker-1', '--format=json', '--wait=3');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ maker: 'maker-1', running: false, passed: true, findings });
    expect(waits).toEqual([3]);
  });

  it.each([
    [['http://127.0.0.1:4000'], 'must be the id of a maker'],
    [['maker.example:4000'], 'must be the id of a maker'],
    [['maker-1', '--wait=0'], 'seconds from 1 to 10'],
    [['maker-1', '--wait=11'], 'seconds from 1 to 10'],
    [['maker-1', '--format=xml'], 'table or json'],
    [['maker-1', '--by=post'], 'streams or webhook'],
  ])('does not take %j', async (args, why) => {
    const { code, err } = await check(...args);
    expect(code).not.toBe(0);
    expect(err).toContain(why);
    expect(waits).toEqual([]);
  });

  it('checks what is asked for, and refuses a webhook that the maker does not have', async () => {
    await check('maker-1', '--by=streams');
    expect(kinds).toEqual(['streams']);
    expect((await check('maker-1', '--by=webhook')).err).toContain('has no webhook to check');
    expect(kinds).toEqual(['streams']);
  });

  it('reports an unknown maker, and another check that is running', async () => {
    expect((await check('nobody')).err).toContain('there is no maker "nobody"');
    reports = [];
    expect((await check('maker-1')).err).toContain('a check of the maker "maker-2" is under way');
  });
});

const FINDINGS = [
  { situation: 'connection', outcome: 'passed', detail: 'status prod' },
  { situation: 'fill', outcome: 'failed', detail: 'it did not sign within 10 s' },
] as const;

async function setUp(): Promise<void> {
  const platform = await openTestPlatform();
  const test = await openTestRfq();
  const { rfq } = test;
  server = await createAdminServer({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('silent', { write: () => {} }),
    readiness: [],
    network: createRecordingNetwork(),
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
    makerChecks: {
      kindOf: () => 'streams',
      begin: (_, seconds, kind) => {
        waits.push(seconds);
        kinds.push(kind);
        return reports.shift() ?? null;
      },
      report: () => reports.shift() ?? null,
      findRunning: () => 'maker-2',
      listChecked: () => [],
    },
    production: false,
    credential: OPERATOR_CREDENTIAL,
  });
  cleanUp = platform.cleanUp;
  port = new URL(await listen(server, { host: '127.0.0.1', port: 0, setting: 'admin-port' })).port;
}

async function tearDown(): Promise<void> {
  if (server !== undefined) await closeServer(server);
  await cleanUp();
}

function setUpEach(): void {
  waits = [];
  kinds = [];
  reports = [report({ running: true, findings: [] }), report({ running: true }), report({})];
}

function report(over: Partial<Report>): Report {
  return {
    makerId: 'maker-1',
    kind: 'streams',
    startedAt: 5,
    endedAt: over.running === true ? null : 9,
    running: false,
    passed: false,
    findings: FINDINGS,
    ...over,
  };
}

async function check(...args: string[]) {
  const flags = [`--admin-port=${port}`, `--admin-credential=${OPERATOR_CREDENTIAL}`];
  return runForTest(['maker', 'check', ...args, ...flags]);
}
