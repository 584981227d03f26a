import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acceptInvitation, invite } from '../../platform/accounts/invitations.ts';
import { createOrganisation } from '../../platform/accounts/organisations.ts';
import { openTestPlatform } from '../../testing/platform/test-platform.ts';
import { type AdminAction, may, ROLES, type MemberRole } from '../../platform/accounts/roles.ts';
import { openTestTraffic } from '../../testing/platform/traffic.ts';
import type { LogDatabase } from '../../store/log/log-database.ts';
import { openLogDatabase } from '../../store/log/open-log-database.ts';
import { SOLE_OWNER } from '../../rfq/makers/maker-owners.ts';
import { Makers } from '../../rfq/makers/makers.ts';
import { createTestDesk } from '../../testing/rfq/test-desk.ts';
import { openTestRfq } from '../../testing/rfq/test-rfq.ts';
import { createClusterMakers } from '../../rfq/cluster/cluster-makers.ts';
import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';
import { createLogger } from '../http/log/log.ts';
import { createPrometheus } from '../metrics/prometheus.ts';
import type { OpenApiDocument } from '../docs/openapi.ts';
import { createInProcessLimiter } from '../limits/rate-limiter.ts';
import { closeServer } from '../server/server.ts';
import { DEFAULT_RIGHT } from './access/access.ts';
import { AS_OPERATOR, OPERATOR_CREDENTIAL } from '../../testing/gateway/admin-credential.ts';
import { createRecordingNetwork } from '../../testing/gateway/admin-network.ts';
import { Backups } from './backup/backups.ts';
import { createAdminServer } from './server.ts';
import { unwrap } from '../../testing/platform/unwrap.ts';
import { DEFAULT_BOUNDS } from '../../testing/server-bounds.ts';
import { openForAll } from '../../testing/opened.ts';

const WAYS = ['Bearer', 'session'] as const;
const PARTIES = ROLES.flatMap((role) => WAYS.map((by) => [role, by] as const));
let app: FastifyInstance;
let tokens: Record<MemberRole, string>;
let stranger: string;
let folder: string;
let database: LogDatabase;
let calls: readonly Call[];
const platform = openForAll(openTestPlatform, 'cleanUp');
beforeAll(setUp);
afterAll(tearDown);

describe('every route of the admin interface', () => {
  it('is listed here', () => {
    expect(calls.length).toBeGreaterThan(30);
    expect(calls.filter(({ right }) => right === 'open').map(({ name }) => name)).toEqual(CALLS.open);
  });

  it('requires the right that is listed, or the operator’s otherwise', () => {
    const rightOf = new Map(calls.map(({ name, right }) => [name, right]));
    for (const [right, names] of Object.entries(CALLS)) {
      for (const name of names) expect(rightOf.get(name), name).toBe(right);
    }
    const named = Object.values(CALLS).flat();
    for (const [name, right] of rightOf) {
      if (!named.includes(name)) expect([name, right]).toEqual([name, 'instance.write']);
    }
  });

  it('is refused without a credential, and with an invalid one', async () => {
    const wrong: Record<string, string>[] = [
      {},
      bearer(''),
      bearer(OPERATOR_CREDENTIAL.slice(0, -1)),
      bearer(`${OPERATOR_CREDENTIAL}0`),
      bearer(tokens.owner.toUpperCase()),
      bearer('jup_of_the_data_folder'),
      { authorization: OPERATOR_CREDENTIAL },
      { authorization: `Basic ${OPERATOR_CREDENTIAL}` },
      { 'x-api-key': OPERATOR_CREDENTIAL },
      { cookie: `authorization=Bearer ${OPERATOR_CREDENTIAL}` },
    ];
    for (const call of calls.filter(({ right }) => right !== 'open')) {
      for (const headers of wrong) {
        expect(await statusOf(call, headers), `${call.name} ${JSON.stringify(headers)}`).toBe(401);
      }
    }
  });

  it.each(PARTIES)('is refused to the role %s without the right, by %s', async (role, by) => {
    let refused = 0;
    const headers = await authenticate(by, tokens[role]);
    for (const call of calls) {
      const allowed = call.right === 'open' || may(role, call.right);
      // If it were admitted, it would change something.
      if (allowed && call.method !== 'GET') continue;
      const status = await statusOf(call, headers);
      // The live log alone refuses what is too many at once: its answers have no end.
      const mayBeFull = call.name.endsWith('/live');
      if (allowed) expect(mayBeFull ? [200, 503] : [200, 404], call.name).toContain(status);
      else {
        expect(status, call.name).toBe(403);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(10);
  });

  it.each(WAYS)('refuses one organisation to the owner of another, by %s', async (by) => {
    const headers = await authenticate(by, stranger);
    for (const call of calls) {
      if (call.right === 'open' || call.right === 'account.read') continue;
      expect(await statusOf(call, headers), call.name).toBe(403);
    }
  });

  it.each(WAYS)('is open to the operator, by %s', async (by) => {
    const headers = await authenticate(by, OPERATOR_CREDENTIAL);
    for (const call of calls.filter(({ method }) => method === 'GET')) {
      expect([200, 404], call.name).toContain(await statusOf(call, headers));
    }
  });

  it('is refused with half of a session, and after it was signed out', async () => {
    const whole = await authenticate('session', OPERATOR_CREDENTIAL);
    const { cookie = '', 'x-sluice-session': pageToken = '' } = whole;
    const ended = await authenticate('session', OPERATOR_CREDENTIAL);
    const gone = await app.inject({
      method: 'DELETE',
      url: '/admin/v1/session',
      headers: { ...HOST, ...ended },
    });
    expect(gone.statusCode).toBe(204);
    for (const call of calls.filter(({ right }) => right !== 'open')) {
      for (const headers of [{ cookie }, { 'x-sluice-session': pageToken }, ended]) {
        expect(await statusOf(call, headers), `${call.name} ${JSON.stringify(headers)}`).toBe(401);
      }
    }
    expect(await statusOf({ method: 'GET', url: '/admin/v1/audit' }, whole)).toBe(200);
  });

  it('is refused to pages of another origin, whatever they send, and cannot be framed or stored', async () => {
    const whole = await authenticate('session', OPERATOR_CREDENTIAL);
    for (const call of calls) {
      for (const page of FOREIGN) {
        const answer = await answerOf(call, { ...whole, ...page });
        expect(answer.statusCode, `${call.name} ${JSON.stringify(page)}`).toBe(403);
        expect(answer.headers['access-control-allow-origin']).toBeUndefined();
        expect(answer.headers['content-security-policy'], call.name).toContain("frame-ancestors 'none'");
        expect(answer.headers['cache-control'], call.name).toBe('no-store');
      }
    }
  });

  it('is authorised again in its transaction: of two owners who remove each other, one succeeds', async () => {
    const slug = 'rivals';
    unwrap(await createOrganisation(platform, { who: 'test', from: 'test' }, { slug, plan: 'free' }));
    const names = ['ann', 'ben'];
    await tokenOf(slug, 'owner', 'olga');
    const owners = [await tokenOf(slug, 'owner', 'ann'), await tokenOf(slug, 'owner', 'ben')];
    const answers = await Promise.all(
      owners.map((token, index) =>
        app.inject({
          method: 'PATCH',
          url: `/admin/v1/organisations/${slug}/members/${names[1 - index]}`,
          headers: { ...HOST, ...bearer(token) },
          payload: { role: 'admin' },
        }),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 403]);
  });

  it('is not reached by other spellings of its path', async () => {
    const spellings = [
      '/admin/v1/organisations/%64emo/audit',
      '/ADMIN/v1/audit',
      '/admin/v1/../v1/audit',
      '/admin//v1/audit',
      '/admin/v1/audit/',
      '/admin/v1/organisations/other%2f..%2fdemo/audit',
      '/healthz/../admin/v1/audit',
      '/admin/v1/audit;free=true',
    ];
    for (const url of spellings) {
      const answer = await app.inject({ url, headers: { ...HOST, ...bearer(stranger) } });
      expect([403, 404], url).toContain(answer.statusCode);
    }
  });
});

it('shows health and documentation to anybody on this machine, and the metrics to the operator only', async () => {
  for (const url of ['/healthz', '/readyz', '/docs', '/openapi.json']) {
    expect((await app.inject({ url, headers: HOST })).statusCode, url).toBe(200);
  }
  expect((await app.inject({ url: '/metrics', headers: HOST })).statusCode).toBe(401);
  expect((await app.inject({ url: '/metrics', headers: { ...HOST, ...AS_OPERATOR } })).statusCode).toBe(200);
});

describe('on an exposed address', () => {
  it('the interface accepts a credential, and the network’s controls are refused', async () => {
    const exposed = await createAdminServer({
      bounds: DEFAULT_BOUNDS,
      logger: createLogger('silent', { write: () => {} }),
      readiness: [],
      network: createRecordingNetwork(),
      platform: platform,
      limiter: createInProcessLimiter(),
      production: false,
      credential: OPERATOR_CREDENTIAL,
      exposed: true,
    });
    const ask = async (url: string, headers: object, remoteAddress: string) =>
      (await exposed.inject({ url, remoteAddress, headers: { ...AS_OPERATOR, ...headers } })).statusCode;
    const there = { host: 'sluice.example:8788' };
    expect(await ask('/admin/v1/audit', there, '10.0.0.9')).toBe(200);
    expect(await ask('/admin/v1/audit', { ...there, authorization: '' }, '10.0.0.9')).toBe(401);
    expect(await ask('/admin/v1/network/faults', there, '10.0.0.9')).toBe(403);
    expect(await ask('/admin/v1/network/faults', HOST, '10.0.0.9')).toBe(403);
    expect(await ask('/admin/v1/network/faults', there, '127.0.0.1')).toBe(403);
    expect(await ask('/admin/v1/network/faults', HOST, '127.0.0.1')).toBe(200);
    expect(await ask('/admin/v1/network/faults', HOST, '::ffff:127.0.0.1')).toBe(200);
    await closeServer(exposed);
  });
});

const HOST = { host: '127.0.0.1:8788' };
/** What a browser says of pages on another port of this machine, of a form, and of a page of another host. */
const FOREIGN: readonly Record<string, string>[] = [
  { origin: 'http://127.0.0.1:3000' },
  { origin: 'http://localhost:8788' },
  { 'sec-fetch-site': 'same-site' },
  { origin: 'null', 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' },
  { origin: 'http://attacker.example:8788', host: 'attacker.example:8788' },
];
const OPERATOR = { standing: 'operator', memberId: null } as const;

const ORGANISATION = '/admin/v1/organisations/{organisation}';
const TEAM = `${ORGANISATION}/teams/{team}`;
/**
 * The right that each route needs, apart from those of the operator alone. Stated here a second time, so that a
 * mistake is noticed.
 */
const CALLS: Readonly<Partial<Record<AdminAction | 'open', readonly string[]>>> = {
  open: ['post /admin/v1/session', 'post /admin/v1/invitations/accept'],
  'account.read': [
    ...['get /admin/v1/me', 'get /admin/v1/plans'],
    ...['get /admin/v1/session', 'delete /admin/v1/session', 'delete /admin/v1/sessions'],
  ],
  'organisation.read': [
    ...[
      `get ${ORGANISATION}`,
      `get ${ORGANISATION}/teams`,
      `get ${ORGANISATION}/members`,
      `get ${TEAM}/keys`,
    ],
    ...[`get ${ORGANISATION}/keys`, `get ${TEAM}/members`, `delete ${TEAM}/members/{member}`],
    ...[`get ${ORGANISATION}/log`, `get ${ORGANISATION}/log/live`],
    ...[`get ${ORGANISATION}/usage`, `get ${ORGANISATION}/analytics`],
    ...[`get ${TEAM}/rules`, `post ${TEAM}/firewall-test`, `post ${TEAM}/firewall-preview`],
    // `removeMember` and `renewToken` check whose membership it is.
    ...[`delete ${ORGANISATION}/members/{member}`, `post ${ORGANISATION}/members/{member}/token`],
  ],
  'key.write': [`post ${TEAM}/keys`, `patch ${TEAM}/keys/{key}`, `delete ${TEAM}/keys/{key}`],
  'team.write': [`post ${ORGANISATION}/teams`, `delete ${TEAM}`, `put ${TEAM}/members/{member}`],
  'rule.write': [`post ${TEAM}/rules`, `patch ${TEAM}/rules/{rule}`, `delete ${TEAM}/rules/{rule}`],
  'audit.read': [`get ${ORGANISATION}/audit`],
  'member.write': [
    ...[`patch ${ORGANISATION}/members/{member}`, `get ${ORGANISATION}/invitations`],
    ...[`post ${ORGANISATION}/invitations`, `delete ${ORGANISATION}/invitations/{name}`],
  ],
  'plan.write': [`patch ${ORGANISATION}`],
  'organisation.delete': [`delete ${ORGANISATION}`],
  'organisation.write': [...['get /admin/v1/organisations', 'post /admin/v1/organisations']],
};

/** One method of one path, with its parameters filled in, and the right that it needs. */
interface Call {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT';
  readonly url: string;
  readonly right: AdminAction | 'open';
}

async function setUp(): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'sluice-access-'));
  database = await openLogDatabase({ url: null, folder });
  const traffic = await openTestTraffic(database);
  const store = {
    load: async () => [],
    read: async () => null,
    acquire: async () => ({ epoch: 1, stored: null }),
    save: async () => ({ moved: [], removed: [] }),
  };
  const makers = await Makers.open({
    store,
    owners: SOLE_OWNER,
    timers: SYSTEM_TIMERS,
    breaker: { enabled: false, windowMs: 1, minimumSwaps: 1, thresholdPercent: 1, suspensionMs: 1 },
    hasStream: () => false,
    recall: async () => {},
    onLost: () => {},
    onDefect: () => {},
  });
  app = await createAdminServer({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('silent', { write: () => {} }),
    readiness: [],
    network: createRecordingNetwork(),
    wallets: [],
    platform: platform,
    limiter: createInProcessLimiter(),
    traffic,
    backup: {
      backups: new Backups({
        open: async () => ({
          archive: Readable.from([]),
          contents: { files: 0, bytes: 0, databases: [] },
        }),
        record: async () => {},
        now: platform.now,
      }),
      facts: { dataFolder: '/data', ephemeral: false, database: true, masterKey: false },
    },
    makers: {
      platform: platform,
      makers,
      refresh: async () => {},
      webhooks: { all: () => [], find: () => null, note: async () => {} },
      books: { all: () => [] },
      desk: createTestDesk(await openTestRfq()),
      allowsPrivate: true,
      clusterMakers: createClusterMakers({ makers, owners: SOLE_OWNER, store }),
    },
    production: false,
    credential: OPERATOR_CREDENTIAL,
    metrics: createPrometheus(() => {}),
  });
  unwrap(await createOrganisation(platform, { who: 'test', from: 'test' }, { slug: 'other', plan: 'free' }));
  tokens = { owner: await tokenOf('demo', 'owner'), admin: '', member: '' };
  for (const role of ['admin', 'member'] as const) tokens[role] = await tokenOf('demo', role);
  stranger = await tokenOf('other', 'owner');
  calls = await callsOf(app);
}

async function tearDown(): Promise<void> {
  if (app !== undefined) await closeServer(app);
  await database?.close();
  rmSync(folder, { recursive: true });
}

async function tokenOf(organisation: string, role: MemberRole, name: string = role): Promise<string> {
  const invitation = { organisation, name, role };
  const { token } = unwrap(await invite(platform, { who: 'test', from: 'test' }, OPERATOR, invitation));
  return unwrap(await acceptInvitation(platform, 'test', token)).token;
}

/** All routes of the interface's own documentation, so that an added route is tested, too. */
async function callsOf(server: FastifyInstance): Promise<Call[]> {
  const document: OpenApiDocument = (
    await server.inject({ url: '/openapi.json', headers: { ...HOST, ...AS_OPERATOR } })
  ).json();
  return Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/admin/'))
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        name: `${method} ${path}`,
        method: method.toUpperCase() as Call['method'],
        url: path.replace('{organisation}', 'demo').replaceAll(/\{\w+\}/g, 'x'),
        right: (operation['x-right'] ?? DEFAULT_RIGHT) as Call['right'],
      })),
    );
}

async function statusOf(
  call: Pick<Call, 'method' | 'url'>,
  headers: Record<string, string>,
): Promise<number> {
  return (await answerOf(call, headers)).statusCode;
}

async function answerOf({ method, url }: Pick<Call, 'method' | 'url'>, headers: Record<string, string>) {
  // The answer of a route that follows the log has no end.
  const answer = await app.inject({
    method,
    url,
    headers: { ...HOST, ...headers },
    payloadAsStream: true,
  });
  answer.stream().destroy();
  return answer;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Returns the headers of a request that somebody makes with a credential, or in a session that it began. */
async function authenticate(by: (typeof WAYS)[number], credential: string): Promise<Record<string, string>> {
  if (by === 'Bearer') return bearer(credential);
  const answer = await app.inject({
    method: 'POST',
    url: '/admin/v1/session',
    headers: HOST,
    payload: { credential },
  });
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
  return { cookie, 'x-sluice-session': answer.json().pageToken };
}
