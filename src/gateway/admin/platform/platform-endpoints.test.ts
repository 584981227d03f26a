import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestPlatform } from '../../../testing/platform/test-platform.ts';
import { createLogger } from '../../http/log/log.ts';
import { createInProcessLimiter, type RateLimiter } from '../../limits/rate-limiter.ts';
import { closeServer } from '../../server/server.ts';
import { AS_OPERATOR, OPERATOR_CREDENTIAL } from '../../../testing/gateway/admin-credential.ts';
import { createRecordingNetwork } from '../../../testing/gateway/admin-network.ts';
import { createAdminServer } from '../server.ts';
import { DEFAULT_BOUNDS } from '../../../testing/server-bounds.ts';
import { openForEach } from '../../../testing/opened.ts';

const NOW = 1_790_000_000_000;

let app: FastifyInstance;
let limiter: { -readonly [Name in keyof RateLimiter]: RateLimiter[Name] };
let log: string;
const platform = openForEach(() => openTestPlatform(NOW), 'cleanUp');
beforeEach(setUp);
afterEach(tearDown);

describe('the admin interface of the platform', () => {
  it('creates, shows, changes and deletes organisations and teams', async () => {
    await makeTeam();
    expect((await send('GET', O)).body.organisations).toMatchObject([
      { slug: 'acme', plan: 'developer', createdAt: NOW },
      { slug: 'demo', plan: 'pro' },
    ]);
    expect(await send('PATCH', `${O}/acme`, { plan: 'launch' })).toMatchObject({
      status: 200,
      body: {
        slug: 'acme',
        plan: 'launch',
        teams: ['web'],
        usage: {
          main: { current: 0, limit: 3_000 },
          execute: { current: 0, limit: 6_000 },
          submit: { current: 0, limit: 6_000 },
        },
      },
    });
    expect(await send('DELETE', `${O}/acme/teams/web`)).toEqual({ status: 204, body: null });
    expect((await send('GET', `${O}/acme`)).body.teams).toEqual([]);
    expect(await send('DELETE', `${O}/acme`)).toEqual({ status: 204, body: null });
    expect((await send('GET', `${O}/acme`)).status).toBe(404);
  });

  it('shows what an organisation uses of its plan', async () => {
    const known = platform.keys.find('jup_of_the_data_folder', NOW);
    const subject = { kind: 'organisation', id: known?.organisationId ?? '' } as const;
    for (let index = 0; index < 3; index++) limiter.hit(subject, 'main', 9_000, NOW);
    limiter.hit(subject, 'execute', 6_000, NOW);
    expect((await send('GET', `${O}/demo`)).body.usage).toEqual({
      main: { current: 3, limit: 9_000 },
      execute: { current: 1, limit: 6_000 },
      submit: { current: 0, limit: 6_000 },
    });
  });

  it('lists organisations with what they use of their plans, if it is asked to', async () => {
    await makeTeam();
    const known = platform.keys.find('jup_of_the_data_folder', NOW);
    limiter.hit({ kind: 'organisation', id: known?.organisationId ?? '' }, 'main', 9_000, NOW);
    const { organisations } = (await send('GET', `${O}?use=true`)).body;
    expect(organisations).toMatchObject([
      { slug: 'acme', usage: { main: { current: 0, limit: 600 } } },
      { slug: 'demo', usage: { main: { current: 1, limit: 9_000 } } },
    ]);
    expect((await send('GET', O)).body.organisations[1]).not.toHaveProperty('usage');
  });

  it('counts what teams hold', async () => {
    await makeTeam();
    await send('POST', `${O}/acme/teams`, { slug: 'empty' });
    await send('POST', KEYS, { name: 'ci' });
    await send('POST', KEYS, { name: 'app' });
    await send('POST', `${O}/acme/teams/web/rules`, { name: 'none', action: { type: 'deny' } });
    expect((await send('GET', `${O}/acme/teams`)).body.teams).toEqual([
      { slug: 'empty', createdAt: NOW, keys: 0, members: 0, rules: 0 },
      { slug: 'web', createdAt: NOW, keys: 2, members: 0, rules: 1 },
    ]);
  });

  it('lists the keys of all teams, by team and name, in pages', async () => {
    await makeTeam();
    await send('POST', `${O}/acme/teams`, { slug: 'app' });
    for (const name of ['b', 'a', 'c']) await send('POST', KEYS, { name });
    await send('POST', `${O}/acme/teams/app/keys`, { name: 'z' });
    const read = async (cursor: string) => (await send('GET', `${O}/acme/keys?limit=3${cursor}`)).body;
    const first = await read('');
    const second = await read(`&cursor=${first.next}`);
    const names = [...first.keys, ...second.keys].map(({ team, name }) => `${team}/${name}`);
    expect(names).toEqual(['app/z', 'web/a', 'web/b', 'web/c']);
    expect(second.next).toBeNull();
    expect(JSON.stringify(first)).not.toMatch(/hash|jup_[0-9a-f]{10}/);
  });

  it('answers a change even if the usage is unknown', async () => {
    await makeTeam();
    limiter.current = async () => null;
    const { status, body } = await send('PATCH', `${O}/acme`, { plan: 'pro' });
    expect({ status, usage: body.usage.main }).toEqual({
      status: 200,
      usage: { current: null, limit: 9_000 },
    });
  });

  it('shows a new key once, and never logs it', async () => {
    await makeTeam();
    const made = await send('POST', KEYS, { name: 'ci', products: ['swap'], expiresAt: NOW + 60_000 });
    expect(made.body).toMatchObject({ name: 'ci', products: ['swap'], expiresAt: NOW + 60_000 });
    const { key } = made.body;
    expect(platform.keys.find(key, NOW)).toMatchObject({ products: ['swap'] });
    const { key: _, ...rest } = made.body;
    expect((await send('GET', KEYS)).body).toEqual({ keys: [{ ...rest, lastUsedAt: NOW }], next: null });
    expect(log).toContain('"path":"/admin/v1/organisations/acme/teams/web/keys"');
    expect(log).not.toContain(key);
  });

  it('changes only the given fields of a key', async () => {
    await makeTeam();
    const { key } = (await send('POST', KEYS, { name: 'ci', products: ['swap'] })).body;
    expect((await send('PATCH', `${KEYS}/ci`, { expiresAt: NOW + 5 })).body).toMatchObject({
      products: ['swap'],
      expiresAt: NOW + 5,
    });
    expect((await send('PATCH', `${KEYS}/ci`, { products: null })).body).toMatchObject({
      products: null,
      expiresAt: NOW + 5,
    });
    await send('DELETE', `${KEYS}/ci`);
    expect(platform.keys.find(key, NOW)).toBeNull();
  });

  it('records every change with its origin', async () => {
    await makeTeam();
    expect((await send('GET', '/admin/v1/audit?limit=1000')).body.entries).toContainEqual({
      at: NOW,
      actor: 'operator',
      origin: '127.0.0.1',
      action: 'organisation.created',
      subject: 'acme',
      before: null,
      after: { plan: 'developer' },
    });
  });

  it('lists the plans', async () => {
    const { plans } = (await send('GET', '/admin/v1/plans')).body;
    const limits = { main: 600, execute: 6_000, submit: 6_000 };
    expect(plans).toContainEqual({
      name: 'developer',
      ...limits,
      usual: limits,
      changed: false,
      includedCredits: 25_000_000,
    });
  });

  it.each([
    ['POST', O, { slug: 'ACME', plan: 'free' }, 400, 'slug must be'],
    ['POST', O, { slug: 'demo', plan: 'free' }, 409, 'there is an organisation demo already'],
    ['POST', O, { slug: 'x', plan: 'gold' }, 400, 'plan must be one of'],
    ['POST', O, { slug: 'x', plan: 'free', credits: 1 }, 400, 'credits is not known'],
    ['PATCH', `${O}/none`, { plan: 'free' }, 404, 'there is no organisation "none"'],
    ['POST', `${O}/demo/teams/none/keys`, { name: 'a' }, 404, 'demo has no team "none"'],
    ['POST', `${O}/demo/teams/demo/keys`, { name: 'a', products: ['tx'] }, 400, 'products must be'],
    ['POST', `${O}/demo/teams/demo/keys`, { name: 'a', expiresAt: NOW }, 400, 'expiresAt must be later'],
    [
      'DELETE',
      `${O}/demo/teams/demo/keys/%00`,
      undefined,
      400,
      'path parameter key must not hold the character U+0000',
    ],
  ] as const)('refuses %s %s %j', async (method, url, payload, status, message) => {
    const answer = await send(method, url, payload);
    expect(answer).toMatchObject({ status, body: { error: expect.stringContaining(message) } });
  });
});

const O = '/admin/v1/organisations';
const KEYS = `${O}/acme/teams/web/keys`;

async function setUp(): Promise<void> {
  limiter = createInProcessLimiter();
  log = '';
  const write = (line: string) => {
    log += line;
  };
  app = await createAdminServer({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('trace', { write }),
    readiness: [],
    network: createRecordingNetwork(),
    platform,
    limiter,
    production: true,
    credential: OPERATOR_CREDENTIAL,
  });
}

async function tearDown(): Promise<void> {
  await closeServer(app);
}

async function send(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) {
  const headers = { host: '127.0.0.1:8788', ...AS_OPERATOR };
  const answer = await app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
  return { status: answer.statusCode, body: answer.body === '' ? null : answer.json() };
}

async function makeTeam(): Promise<void> {
  await send('POST', O, { slug: 'acme', plan: 'developer' });
  await send('POST', `${O}/acme/teams`, { slug: 'web' });
}
