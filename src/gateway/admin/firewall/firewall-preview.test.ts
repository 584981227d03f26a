import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeKey, createKey, deleteKey } from '../../../platform/accounts/keys.ts';
import { createOrganisation } from '../../../platform/accounts/organisations.ts';
import { createTeam } from '../../../platform/accounts/teams.ts';
import type { RequestEntry } from '../../../platform/traffic/log/request-entry.ts';
import type { TrafficLog } from '../../../platform/traffic/log/traffic-log.ts';
import { AS_OPERATOR, OPERATOR_CREDENTIAL } from '../../../testing/gateway/admin-credential.ts';
import { openForEach } from '../../../testing/opened.ts';
import { openTestPlatform } from '../../../testing/platform/test-platform.ts';
import { entryWith, NOW, openTestTraffic } from '../../../testing/platform/traffic.ts';
import { unwrap } from '../../../testing/platform/unwrap.ts';
import { DEFAULT_BOUNDS } from '../../../testing/server-bounds.ts';
import { openTestLog } from '../../../testing/store/test-store.ts';
import { createLogger } from '../../http/log/log.ts';
import { createInProcessLimiter } from '../../limits/rate-limiter.ts';
import { closeServer } from '../../server/server.ts';
import { createAdminServer } from '../server.ts';

const platform = openForEach(() => openTestPlatform(NOW), 'cleanUp');
const database = openForEach(() => openTestLog('sqlite'), 'cleanUp');
beforeEach(setUp);
afterEach(() => closeServer(app));

describe('the preview of a firewall', () => {
  it('says which requests of the team a rule would have stopped, and of nobody else', async () => {
    record('web', 'app', { path: '/swap/v2/order', endpoint: '/swap/v2/order' });
    record('web', 'app', { path: '/price/v3', endpoint: '/price/v3', client: '127.0.0.1' });
    record('api', 'app', { path: '/swap/v2/order', endpoint: '/swap/v2/order' });
    record('web', 'app', { owner: { organisationId: 'other', teamId: 'other', keyId: 'other' } });
    const { status, body } = await preview({ rule: DENY_SWAPS });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      considered: 2,
      stopped: { requests: 1, byRule: 1 },
      unchanged: 1,
      unknown: { requests: 0 },
      own: { client: '127.0.0.1', considered: 1, stopped: 0 },
      isCut: false,
      rules: [{ name: '', isTried: true, matched: 1, decided: 1, stopped: 1 }],
      top: { paths: [{ name: '/swap/v2/order', requests: 1 }], keys: [{ name: 'app', requests: 1 }] },
      samples: [{ path: '/swap/v2/order', key: 'app', change: 'stopped', effect: 'deny', rule: '' }],
    });
    expect((await preview({ rule: DENY_SWAPS }, 'api')).body).toMatchObject({ considered: 1 });
  });

  it('judges with the other rules, and can take the place of one or leave it out', async () => {
    await addRule('ours', {
      groups: [[{ type: 'ip', values: ['203.0.113.0/24'] }]],
      action: { type: 'bypass' },
    });
    await addRule('off', { enabled: false, action: { type: 'deny' } });
    record('web', 'app');
    record('web', 'app', { client: '198.51.100.1', decision: 'firewall-deny', status: 403 });
    expect((await preview({ rule: DENY_SWAPS })).body).toMatchObject({
      stopped: { requests: 0 },
      stillStopped: 1,
      rules: [
        { name: 'ours', matched: 1, decided: 1 },
        { isTried: true, matched: 2, decided: 1 },
      ],
    });
    expect((await preview({ rule: DENY_SWAPS, replaces: 'ours' })).body).toMatchObject({
      stopped: { requests: 1, byRule: 1 },
      rules: [{ name: 'ours', isTried: true }],
    });
    expect((await preview({ replaces: 'ours' })).body).toMatchObject({ rules: [], letThrough: 1 });
    expect((await preview({})).body).toMatchObject({ rules: [{ name: 'ours', isTried: false }] });
  });

  it('replays rate limits over the times of the log, without what the plan refused', async () => {
    const times = [0, 1_000, 2_000, 3_000, 11_500];
    for (const [index, time] of times.entries())
      record('web', 'app', { at: NOW - 60_000 + time, ...(index === 0 ? PLAN_REFUSED : {}) });
    const rule = { action: { type: 'rate-limit', limit: 2, window: '10s', per: 'team' } };
    const { body } = await preview({ rule });
    expect(body).toMatchObject({ considered: 5, stopped: { requests: 1, byLimit: 1 } });
    expect(body.samples[0]).toMatchObject({ at: NOW - 57_000, effect: 'limit' });
  });

  it('counts requests before the range in the windows of rate limits, and says from when on it knows them', async () => {
    for (const time of [0, 1_000, 2_000]) record('web', 'app', { at: NOW - 10_000 + time });
    const rule = { action: { type: 'rate-limit', limit: 2, window: '60s', per: 'key' } };
    const since = NOW - 8_500;
    expect((await preview({ rule, since })).body).toMatchObject({
      considered: 1,
      stopped: { requests: 1 },
      limitsOpenUntil: null,
    });
    expect((await preview({ rule, since, limit: 1 })).body).toMatchObject({
      considered: 1,
      stopped: { requests: 0 },
      limitsOpenUntil: NOW - 8_000 + 60_000,
    });
  });

  it('says what the log cannot tell', async () => {
    const { id } = unwrap(await createKey(platform, ACTOR, { ...WEB, key: 'gone' }, {}));
    keyIds.set('web/gone', id);
    record('web', 'gone');
    unwrap(await deleteKey(platform, ACTOR, { ...WEB, key: 'gone' }));
    record('web', 'app', { client: '2001:db8:1:2::/64' });
    const reasonsOf = async (group: readonly object[]) => {
      const { body } = await preview({ rule: { groups: [group], action: { type: 'deny' } } });
      return body.unknown;
    };
    expect(await reasonsOf([{ type: 'key', values: ['app'] }])).toEqual({
      requests: 1,
      reasons: [{ reason: 'key', requests: 1 }],
      rules: [''],
    });
    expect(await reasonsOf([{ type: 'ip', values: ['2001:db8:1:2::/96'] }])).toMatchObject({
      reasons: [{ reason: 'ip', requests: 1 }],
    });
    expect(await reasonsOf([{ type: 'ip', values: ['2001:db8:1::/48', '2001:db8:1:2::/96'] }])).toMatchObject(
      {
        requests: 0,
      },
    );
    expect(await reasonsOf([{ type: 'header', name: 'x-app', values: ['ios'] }])).toMatchObject({
      requests: 2,
      reasons: [{ reason: 'header', requests: 2 }],
    });
    expect(await reasonsOf([{ type: 'header', name: 'user-agent', values: ['test/1.0'] }])).toMatchObject({
      requests: 0,
    });
  });

  it('knows a renamed key by its name of now', async () => {
    record('web', 'app');
    unwrap(await changeKey(platform, ACTOR, { ...WEB, key: 'app' }, { name: 'phone' }));
    const rule = { groups: [[{ type: 'key', values: ['phone'] }]], action: { type: 'deny' } };
    expect((await preview({ rule })).body).toMatchObject({
      stopped: { requests: 1 },
      samples: [{ key: 'phone' }],
    });
  });

  it('looks at the newest requests up to the limit, and leaves out those that never came to the firewall', async () => {
    for (let index = 0; index < 30; index++) record('web', 'app', { at: NOW - index });
    record('web', 'app', { decision: 'no-access', status: 403 });
    expect((await preview({ rule: DENY_SWAPS, limit: 11 })).body).toMatchObject({
      considered: 10,
      refusedBefore: 1,
      isCut: true,
    });
  });

  it('answers from when on it has looked at requests: at most 31 days ago', async () => {
    const { since, until } = (await preview({ since: 0 })).body;
    expect(until - since).toBe(31 * 86_400_000);
    expect((await preview({ since: NOW - 1 })).body).toMatchObject({ since: NOW - 1 });
  });

  it.each([
    [{ rule: { action: { type: 'deny' }, groups: [[{ type: 'ip', values: ['10.0.0.1/8'] }]] } }, 400],
    [{ rule: { action: { type: 'bypass' } } }, 400],
    [{ rule: { action: { type: 'deny' }, groups: [[{ type: 'key', values: ['nobody'] }]] } }, 400],
    [{ replaces: 'nothing' }, 404],
    [{ limit: 5_001 }, 400],
    [{ rule: { action: { type: 'deny' }, name: 'x' } }, 400],
  ])('refuses %j', async (body, status) => expect((await preview(body)).status).toBe(status));

  it('refuses a team that does not exist, and more previews of an organisation than may wait', async () => {
    expect((await preview({}, 'nobody')).status).toBe(404);
    record('web', 'app');
    const answers = await Promise.all(Array.from({ length: 6 }, () => preview({ rule: DENY_SWAPS })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 503, 503]);
    expect((await preview({ rule: DENY_SWAPS })).status).toBe(200);
  });
});

const ACTOR = { who: 'test', from: 'here' };
const WEB = { organisation: 'acme', team: 'web' };
const DENY_SWAPS = { groups: [[{ type: 'path', values: ['/swap'] }]], action: { type: 'deny' } };
const PLAN_REFUSED = { decision: 'plan-limit', status: 429 } as const;

let app: FastifyInstance;
let log: TrafficLog;
let organisationId: string;
const teamIds = new Map<string, string>();
const keyIds = new Map<string, string>();

async function setUp(): Promise<void> {
  log = await openTestTraffic(database.log);
  organisationId = unwrap(await createOrganisation(platform, ACTOR, { slug: 'acme', plan: 'developer' })).id;
  for (const team of ['web', 'api']) {
    teamIds.set(team, unwrap(await createTeam(platform, ACTOR, { organisation: 'acme', team })).id);
    const key = unwrap(await createKey(platform, ACTOR, { organisation: 'acme', team, key: 'app' }, {}));
    keyIds.set(`${team}/app`, key.id);
  }
  app = await createAdminServer({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('silent', { write: () => {} }),
    readiness: [],
    network: null,
    platform,
    limiter: createInProcessLimiter(),
    traffic: log,
    production: true,
    credential: OPERATOR_CREDENTIAL,
  });
}

function record(team: string, key: string, fields: Partial<RequestEntry> = {}): void {
  const owner = {
    organisationId,
    teamId: teamIds.get(team) ?? '',
    keyId: keyIds.get(`${team}/${key}`) ?? '',
  };
  log.record(entryWith({ owner, gatewayUs: 0, handlerUs: 0, sendUs: 0, ...fields }));
}

async function preview(payload: object, team = 'web') {
  const answer = await app.inject({
    method: 'POST',
    url: `/admin/v1/organisations/acme/teams/${team}/firewall-preview`,
    headers: AS_OPERATOR,
    payload,
  });
  return { status: answer.statusCode, body: answer.json() };
}

async function addRule(name: string, terms: object): Promise<void> {
  const answer = await app.inject({
    method: 'POST',
    url: '/admin/v1/organisations/acme/teams/web/rules',
    headers: AS_OPERATOR,
    payload: { name, ...terms },
  });
  expect(answer.statusCode).toBe(200);
}
