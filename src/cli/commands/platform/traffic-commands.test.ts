import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR_CREDENTIAL } from '../../../testing/gateway/admin-credential.ts';
import { createRecordingNetwork } from '../../../testing/gateway/admin-network.ts';
import { createAdminServer } from '../../../gateway/admin/server.ts';
import { createGateway } from '../../../gateway/gateway.ts';
import { listen } from '../../../gateway/http/listen.ts';
import { createLogger } from '../../../gateway/http/log/log.ts';
import { createInProcessLimiter } from '../../../gateway/limits/rate-limiter.ts';
import { closeServer } from '../../../gateway/server/server.ts';
import { createRule } from '../../../platform/firewall/rules.ts';
import { createKey, deleteKey } from '../../../platform/accounts/keys.ts';
import { createOrganisation } from '../../../platform/accounts/organisations.ts';
import { openTestPlatform, type TestPlatform } from '../../../testing/platform/test-platform.ts';
import { createTeam } from '../../../platform/accounts/teams.ts';
import { entryWith, openTestTraffic } from '../../../testing/platform/traffic.ts';
import type { TrafficLog } from '../../../platform/traffic/log/traffic-log.ts';
import { getMonth } from '../../../platform/traffic/usage.ts';
import { openTestLog } from '../../../testing/store/test-store.ts';
import { runForTest } from '../../../testing/run-cli.ts';
import { unwrap } from '../../../testing/platform/unwrap.ts';
import { DEFAULT_BOUNDS } from '../../../testing/server-bounds.ts';
import { SYSTEM_TIMERS } from '../../../common/ports/timers.ts';

let now: number;
let gateway: FastifyInstance;
let port: string;
let platform: TestPlatform;
let log: TrafficLog;
let key: string;
let deniedId: string;
/** Sends the requests of a day of a small organisation through a gateway to its log. */
beforeAll(setUp);
afterAll(tearDown);

describe('sluice log', () => {
  it('lists requests, the newest first, without keys and queries', async () => {
    const all = await done('log', 'list');
    expect(linesOf(all)).toHaveLength(7);
    expect(all).toMatch(
      / 200 +admitted +GET \/portfolio\/v1\/positions\/abc +[\d.]+ ms +100 +acme\/web\/ci /,
    );
    expect(all).toMatch(/ 403 +firewall-deny +GET \/tokens\/v2\/recent .* acme\/web\/ci +no tokens: deny /);
    expect(all).toMatch(/ 401 +unauthorised .* 127\.0\.0\.1 /);
    expect(all).not.toContain(key);
    expect(all).not.toContain('x=1');
  });

  it.each([
    [['--of', 'acme'], 5],
    [['--of', 'acme/web', '--key', 'ci', '--status', '2xx'], 3],
    [['--of', 'demo'], 0],
    [['--decision', 'firewall-deny'], 1],
    [['--rule', 'no tokens'], 1],
    [['--status', '404'], 1],
    [['--path', '/tokens', '--method', 'GET'], 1],
    [['--group', 'portfolio', '--of', 'acme'], 3],
    [['--group', 'token'], 0],
    [['--since', '1h', '--until', '30m'], 0],
  ])('selects by %j', async (flags, lines) => {
    expect(linesOf(await done('log', 'list', ...flags))).toHaveLength(lines);
  });

  it('turns pages', async () => {
    const { out, err } = await sluice('log', 'list', '--limit', '4');
    const [, cursor = ''] = /--cursor (\S+)/.exec(err) ?? [];
    const rest = await sluice('log', 'list', '--limit', '4', '--cursor', cursor);
    expect(rest.err).toBe('');
    expect(new Set([...linesOf(out), ...linesOf(rest.out)]).size).toBe(7);
  });

  it('shows one request by the id of its answer', async () => {
    const shown = await done('log', 'show', deniedId);
    expect(shown).toMatch(/^requestId +[0-9a-f-]{36}$/m);
    expect(shown).toMatch(/^host +localhost:80$/m);
    expect(shown).toMatch(/^bytesSent +\d\d$/m);
    expect(shown).toMatch(/^rules that match +no tokens$/m);
    expect(shown).toMatch(/^gateway +\d+ µs$/m);
  });

  it('shows the id of a key that was deleted since', async () => {
    const { id, key: other } = unwrap(await createKey(platform, ACTOR, { ...TEAM, key: 'gone' }, {}));
    await ask('/tokens/v2/recent', other);
    unwrap(await deleteKey(platform, ACTOR, { ...TEAM, key: 'gone' }));
    expect(await done('log', 'list', '--of', 'acme')).toContain(`acme/web/${id}`);
  });

  it.each([
    [['log', 'show', '00000000-0000-4000-8000-000000000000'], 1, 'is in the log'],
    [['log', 'list', '--status', '9'], 1, 'status must be such as 404 or 4xx, got "9"'],
    [['log', 'list', '--key', 'ci'], 1, 'key needs organisation and team'],
    [['log', 'list', '--of', 'acme', '--key', 'ci'], 1, 'key needs team'],
    [['log', 'list', '--of', 'acme/web/ci'], 2, 'must be ORGANISATION or ORGANISATION/TEAM'],
    [['log', 'list', '--of', 'none'], 1, 'there is no organisation "none"'],
    [['log', 'list', '--decision', 'denied'], 1, 'decision must be one of admitted, unauthorised'],
    [['log', 'list', '--since', 'soon'], 2, 'flag --since is "soon"'],
    [['log', 'list', '--since', '1h', '--until', '2h'], 1, 'since must be earlier than until'],
    [
      ['analytics', '--since', '5d', '--per', 'quarter-hour'],
      1,
      'requests are counted by the minute for 3 days; ask for per=hour',
    ],
    [['analytics', '--since', '90d', '--per', 'hour'], 1, 'more than 1441 elements with per=hour'],
    [['log', 'list', '--group', '/swap'], 1, 'group'],
  ])('refuses %j', async (args, code, message) => {
    const refused = await sluice(...args);
    expect(refused.err).toContain(message);
    expect(refused.code).toBe(code);
  });
});

describe('sluice log tail', () => {
  it('shows requests as they are answered, and ends at Ctrl-C with code 0', async () => {
    const main = fileURLToPath(new URL('../../main.ts', import.meta.url));
    const flags = ['--status', '4xx', '--admin-port', port, '--admin-credential', OPERATOR_CREDENTIAL];
    const tail = spawn(process.execPath, ['--import', 'tsx', main, 'log', 'tail', ...flags], {
      env: { PATH: process.env.PATH ?? '' },
    });
    closes.push(async () => void tail.kill('SIGKILL'));
    const ended = once(tail, 'close');
    let [out, err] = ['', ''];
    tail.stdout.on('data', (chunk) => {
      out += chunk;
    });
    tail.stderr.on('data', (chunk) => {
      err += chunk;
    });
    await expect.poll(() => err).toContain('Following the requests to this instance; Ctrl-C ends.\n');
    const shown = entryWith({ status: 404, path: '/swap/v2/none' });
    log.live.publish(entryWith());
    log.live.publish(shown);
    await expect.poll(() => out).toMatch(/\n$/);
    expect(out).toMatch(
      new RegExp(`^\\S+  404  admitted  GET /swap/v2/none  1.0 ms .* ${shown.requestId}\n$`),
    );
    tail.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
  });

  it.each([
    [['--of', 'none'], 1, 'there is no organisation "none"'],
    [['--status', '9'], 1, 'status must be such as 404 or 4xx, got "9"'],
    [['--since', '1h'], 2, '--since is not a flag of sluice log tail'],
    [['--admin-credential', 'x'.repeat(40)], 1, 'does not know the credential'],
  ])('refuses %j', async (flags, code, message) => {
    const credential = flags.includes('--admin-credential')
      ? []
      : ['--admin-credential', OPERATOR_CREDENTIAL];
    const given = [...flags, ...credential];
    const refused = await runForTest(['log', 'tail', '--admin-port', port, ...given]);
    expect(refused.err).toContain(message);
    expect(refused.code).toBe(code);
  });
});

describe('sluice usage, analytics and org show', () => {
  it('show the exact usage', async () => {
    const day = new Date(now).toISOString().slice(0, 10);
    const month = day.slice(0, 7);
    expect(await done('usage', 'acme')).toMatch(
      new RegExp(`^${day} +\\d +\\d +300\n\ncredits in ${month} +300 of 25000000$`, 'm'),
    );
    expect(await done('usage', 'acme', '--by', 'key', '--team', 'web')).toMatch(/^ci +5 +2 +300$/m);
    expect(await done('usage', 'acme', '--by', 'endpoint')).toMatch(
      /^\/portfolio\/v1\/positions\/:address +3 +0 +300$/m,
    );
    expect(await done('org', 'show', 'acme')).toMatch(
      new RegExp(`^credits in ${month} +300 of 25000000$`, 'm'),
    );
  });

  it('show the overage of past months by the plan that was in force then', async () => {
    const { id: organisationId } = unwrap(
      await createOrganisation(platform, ACTOR, {
        slug: 'beta',
        plan: 'developer',
      }),
    );
    const owner = { organisationId, teamId: 't', keyId: 'k' };
    const last = getMonth(getMonth(now).since - 1);
    for (const at of [last.since, last.until - 1]) {
      log.record(entryWith({ at, owner, credits: 12_500_021 }));
    }
    const month = new Date(last.since).toISOString().slice(0, 7);
    const told = await done('usage', 'beta', '--since', new Date(last.since).toISOString());
    expect(told).toMatch(new RegExp(`^credits in ${month} +25000042 of 25000000$`, 'm'));
    expect(told).toMatch(new RegExp(`^beyond the plan developer in ${month} +42$`, 'm'));
  });

  it('show the traffic', async () => {
    const own = await done('analytics', '--of', 'acme/web', '--per', 'day');
    expect(own).toMatch(/^all +\d +\d +0 +300 +[\d.]+ ms/m);
    expect(own).toMatch(/^\/portfolio\/v1\/positions\/:address +3 +0 +0 +300 +[\d.]+ ms/m);
    expect(own).toMatch(/^web\/no tokens +deny +\d$/m);
    expect(own).toMatch(/^ci +5 +2 +0 +300$/m);
    expect(await done('analytics')).toMatch(/^none +\d/m);
  });
});

const ACTOR = { who: 'test', from: 'here' };
const TEAM = { organisation: 'acme', team: 'web' };
const SILENT = createLogger('silent', { write: () => {} });

const closes: (() => Promise<void>)[] = [];

async function setUp(): Promise<void> {
  now = SYSTEM_TIMERS.now();
  platform = await openTestPlatform(now);
  closes.push(platform.cleanUp);
  const database = await openTestLog('sqlite');
  closes.push(database.cleanUp);
  log = await openTestTraffic(database.log, { now: () => now });
  unwrap(await createOrganisation(platform, ACTOR, { slug: 'acme', plan: 'developer' }));
  unwrap(await createTeam(platform, ACTOR, TEAM));
  ({ key } = unwrap(await createKey(platform, ACTOR, { ...TEAM, key: 'ci' }, {})));
  const groups = [[{ type: 'path', values: ['/tokens'] }]];
  unwrap(
    await createRule(platform, ACTOR, { ...TEAM, rule: 'no tokens' }, { groups, action: { type: 'deny' } }),
  );
  gateway = await openGateway();
  closes.push(() => closeServer(gateway));
  const admin = await createAdminServer({
    bounds: DEFAULT_BOUNDS,
    logger: SILENT,
    readiness: [],
    network: createRecordingNetwork(),
    platform,
    limiter: createInProcessLimiter(),
    traffic: log,
    production: false,
    credential: OPERATOR_CREDENTIAL,
  });
  closes.push(() => closeServer(admin));
  port = new URL(await listen(admin, { host: '127.0.0.1', port: 0, setting: 'admin-port' })).port;
  for (let index = 0; index < 3; index++) await ask('/portfolio/v1/positions/abc?x=1', key);
  await ask('/swap/v2/nowhere', key);
  deniedId = await ask('/tokens/v2/recent', key);
  await ask('/portfolio/v1/positions/abc', null);
  await ask('/portfolio/v1/positions/abc', 'jup_unknown');
}

async function tearDown(): Promise<void> {
  for (const close of closes.reverse()) await close();
}

function openGateway(): Promise<FastifyInstance> {
  return createGateway({
    bounds: DEFAULT_BOUNDS,
    logger: SILENT,
    pipeline: {
      findKey: (given) => platform.keys.find(given, now),
      limiter: createInProcessLimiter(),
      countryOf: () => null,
      record: (entry) => log.record(entry),
      now: () => now,
    },
    trustedProxies: [],
    readiness: [],
    examples: { values: {}, wallet: null },
    products: [],
    registerRoutes: (server) => {
      server.get('/portfolio/v1/positions/:address', { config: { credits: 100 } }, async () => ({
        ok: true,
      }));
      server.get('/tokens/v2/recent', async () => ({ ok: true }));
    },
  });
}

/** Returns the id of the request. */
async function ask(url: string, withKey: string | null): Promise<string> {
  const answer = await gateway.inject({ url, headers: withKey === null ? {} : { 'x-api-key': withKey } });
  return String(answer.headers['x-api-gateway-request-id']);
}

async function sluice(...args: string[]) {
  const flags = [`--admin-port=${port}`, `--admin-credential=${OPERATOR_CREDENTIAL}`];
  return runForTest([...args, ...flags]);
}

async function done(...args: string[]): Promise<string> {
  const { code, out, err } = await sluice(...args);
  expect(code, err).toBe(0);
  return out;
}

const linesOf = (table: string) => table.trimEnd().split('\n').slice(1);
