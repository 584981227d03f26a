import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../http/log/log.ts';
import { createInProcessLimiter } from '../../limits/rate-limiter.ts';
import { closeServer } from '../../server/server.ts';
import { OPERATOR_CREDENTIAL } from '../../../testing/gateway/admin-credential.ts';
import { openTestPlatform } from '../../../testing/platform/test-platform.ts';
import { openForEach } from '../../../testing/opened.ts';
import { DEFAULT_BOUNDS } from '../../../testing/server-bounds.ts';
import { Backups } from '../backup/backups.ts';
import { createAdminServer } from '../server.ts';

const platform = openForEach(() => openTestPlatform(4_000_000_000_000), 'cleanUp');
let app: FastifyInstance;
let lines: string[];
let archive: Readable;
let checks: (() => void)[];
beforeEach(setUp);
afterEach(() => closeServer(app, 50));

describe('signing in', () => {
  it('answers who it is, and sets a cookie that no script and no other site may use', async () => {
    const answer = await signIn({ credential: OPERATOR_CREDENTIAL, name: 'ann' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      who: 'operator (ann)',
      standing: 'operator',
      organisation: null,
      teams: [],
    });
    expect(answer.headers['set-cookie']).toMatch(
      /^sluice-session-8788=[\w-]{43}; Path=\/admin\/v1; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    );
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body).not.toContain(OPERATOR_CREDENTIAL);
  });

  it('takes the cookie for TLS only where a proxy has ended it', async () => {
    await reopen({ exposed: true });
    const headers = { host: 'admin.example', origin: 'https://admin.example' };
    const answer = await signIn({ credential: OPERATOR_CREDENTIAL }, headers);
    expect(answer.headers['set-cookie']).toMatch(/^__Secure-sluice-session=.*; Secure$/);
    const cookie = toCookie(answer);
    const session = { host: 'admin.example', cookie, 'x-sluice-session': answer.json().pageToken };
    expect((await send('GET', session)).statusCode).toBe(200);
  });

  it.each([
    [{ credential: 'x' }, 401],
    [{ credential: `${OPERATOR_CREDENTIAL}0` }, 401],
    [{ credential: OPERATOR_CREDENTIAL.slice(0, -1) }, 401],
    [{ credential: 'é'.repeat(200) }, 401],
    [{ credential: 'x'.repeat(201) }, 400],
    [{ credential: '' }, 400],
    [{}, 400],
    [{ credential: OPERATOR_CREDENTIAL, name: '<b>ann</b>' }, 400],
    [{ credential: OPERATOR_CREDENTIAL, name: 'a'.repeat(65) }, 400],
    [{ credential: OPERATOR_CREDENTIAL, name: 'ann\u202e' }, 400],
    [{ credential: OPERATOR_CREDENTIAL, admin: true }, 400],
  ])('refuses %j with %d, and sets no cookie', async (body, status) => {
    const answer = await signIn(body);
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([status, undefined]);
  });

  it.each([
    { origin: 'http://127.0.0.1:3000' },
    { origin: 'http://localhost:8788' },
    { origin: 'null' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { host: 'attacker.example:8788', origin: 'http://attacker.example:8788' },
  ])('is refused to the page %j, so that nobody is signed in as somebody else', async (headers) => {
    const answer = await signIn({ credential: OPERATOR_CREDENTIAL }, headers);
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([403, undefined]);
  });

  it('is refused to a form, which sends no JSON', async () => {
    const answer = await app.inject({
      method: 'POST',
      url: PATH,
      headers: { ...HOST, 'content-type': 'text/plain' },
      payload: JSON.stringify({ credential: OPERATOR_CREDENTIAL }),
    });
    expect(answer.statusCode).toBe(415);
  });

  it('refuses wrong credentials of a network that has tried too often, and never the right one', async () => {
    await reopen({ exposed: true });
    const tryFrom = async (remoteAddress: string, credential: string) =>
      (await signIn({ credential }, { host: 'sluice.example:8788' }, remoteAddress)).statusCode;
    const tries = await Promise.all(Array.from({ length: 20 }, () => tryFrom('2001:db8::1', 'wrong')));
    expect(new Set(tries)).toEqual(new Set([401]));
    expect(await tryFrom('2001:db8::2', 'wrong')).toBe(429);
    expect(await tryFrom('2001:db8::2', OPERATOR_CREDENTIAL)).toBe(200);
    expect(await tryFrom('2001:db8::2', `${OPERATOR_CREDENTIAL}0`)).toBe(429);
    expect(await tryFrom('2001:db8:1::1', 'wrong')).toBe(401);
    expect(await tryFrom('2001:db8:1::1', OPERATOR_CREDENTIAL)).toBe(200);
    for (let index = 0; index < 25; index++) expect(await tryFrom('127.0.0.1', 'wrong')).toBe(401);
    expect(await tryFrom('127.0.0.1', OPERATOR_CREDENTIAL)).toBe(200);
  });

  it('refuses wrong credentials of all behind a proxy of this machine together, and never the right one', async () => {
    const proxied = { 'x-forwarded-for': '203.0.113.7' };
    const tryWith = async (credential: string, headers = {}) =>
      (await signIn({ credential }, headers)).statusCode;
    for (let index = 0; index < 20; index++) expect(await tryWith('wrong', proxied)).toBe(401);
    const others = { 'x-forwarded-for': '203.0.113.8' };
    expect(await tryWith('wrong', others)).toBe(429);
    expect(await tryWith(OPERATOR_CREDENTIAL, others)).toBe(200);
    expect(await tryWith('wrong')).toBe(401);
    expect(await tryWith(OPERATOR_CREDENTIAL)).toBe(200);
  });

  it('begins only so many sessions of one person in a minute, each of which is an audit entry', async () => {
    const statuses: number[] = [];
    for (let index = 0; index < 61; index++)
      statuses.push((await signIn({ credential: OPERATOR_CREDENTIAL })).statusCode);
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('a session', () => {
  it('is read and ended, and its cookie forgotten', async () => {
    const session = await begin();
    expect((await send('GET', session)).json()).toMatchObject({
      who: 'operator',
      expiresAt: expect.any(Number),
    });
    const out = await send('DELETE', session);
    expect(out.statusCode).toBe(204);
    expect(String(out.headers['set-cookie'])).toMatch(/sluice-session-8788=; Path=\/admin\/v1; Max-Age=0/);
    expect((await send('GET', session)).statusCode).toBe(401);
  });

  it('is found in cookies that are many, strange, or of other ports', async () => {
    const session = await begin();
    const own = session.cookie;
    const with8787 = own.replace('8788', '8787');
    for (const [cookie, status] of [
      [`a=b; ${own}; c="d;e"`, 200],
      [`sluice-session-8788=${'x'.repeat(43)}; ${own}`, 200],
      [`${own};;=;;${own}`, 200],
      [with8787, 401],
      [`sluice-session=${own.split('=')[1]}`, 401],
      [`${own}x`, 401],
      [`sluice-session-8788=${'x'.repeat(4_000)}`, 401],
      [own.toUpperCase(), 401],
      [
        `${Array.from({ length: 4 }, (_, index) => `sluice-session-8788=${String(index).repeat(43)}`).join('; ')}; ${own}`,
        401,
      ],
    ] as const) {
      expect((await send('GET', { ...session, cookie })).statusCode, cookie.slice(0, 80)).toBe(status);
    }
  });

  it('comes after a credential in the same request, also if that one is wrong', async () => {
    const session = await begin();
    const wrong = { ...session, authorization: 'Bearer wrong' };
    expect((await send('GET', wrong)).statusCode).toBe(401);
    const right = { ...session, authorization: `Bearer ${OPERATOR_CREDENTIAL}` };
    expect((await send('GET', right)).json()).toMatchObject({ expiresAt: null });
    expect((await send('DELETE', right)).statusCode).toBe(400);
  });

  it('is of another instance with the same credential, too, and of none with another', async () => {
    const session = await begin();
    const { cookie, 'x-sluice-session': pageToken } = session;
    await reopen({});
    expect((await send('GET', session)).statusCode).toBe(200);
    await reopen({ credential: 'another-credential-of-the-operator-1' });
    expect((await send('GET', { cookie, 'x-sluice-session': pageToken })).statusCode).toBe(401);
  });

  it('ends everywhere', async () => {
    const [first, second] = [await begin(), await begin()];
    const out = await app.inject({
      method: 'DELETE',
      url: '/admin/v1/sessions',
      headers: { ...HOST, ...first },
    });
    expect(out.json()).toEqual({ ended: 2 });
    for (const session of [first, second]) expect((await send('GET', session)).statusCode).toBe(401);
  });

  it('cuts off a backup when it ends', async () => {
    const session = await begin();
    const headers = { ...HOST, ...session };
    const answered = Promise.resolve(app.inject({ method: 'POST', url: '/admin/v1/backup', headers }));
    await expect.poll(() => checks.length).toBe(1);
    await send('DELETE', session);
    for (const check of checks) check();
    await answered;
    expect(archive.destroyed).toBe(true);
  });

  it('is in no line of the log', async () => {
    const session = await begin();
    await send('GET', session);
    await send('GET', { ...session, 'x-sluice-session': 'x'.repeat(43) });
    await signIn({ credential: `${OPERATOR_CREDENTIAL}0` });
    const text = lines.join('');
    expect(text).toContain('/admin/v1/session');
    for (const secret of [
      OPERATOR_CREDENTIAL,
      session['x-sluice-session'],
      session.cookie.split('=')[1] ?? '?',
    ])
      expect(text).not.toContain(secret);
  });
});

const PATH = '/admin/v1/session';
const HOST = { host: '127.0.0.1:8788' };

async function setUp(): Promise<void> {
  lines = [];
  checks = [];
  await open({});
}

async function reopen(options: Partial<Parameters<typeof createAdminServer>[0]>): Promise<void> {
  await closeServer(app, 50);
  await open(options);
}

async function open(options: Partial<Parameters<typeof createAdminServer>[0]>): Promise<void> {
  archive = new Readable({ read: () => {} });
  app = await createAdminServer({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('trace', { write: (line) => lines.push(line) }),
    readiness: [],
    network: null,
    platform,
    limiter: createInProcessLimiter(),
    production: false,
    credential: OPERATOR_CREDENTIAL,
    backup: {
      backups: new Backups({
        open: async () => ({ archive, contents: { files: 1, bytes: 1, databases: [] } }),
        record: async () => {},
        now: platform.now,
      }),
      facts: { dataFolder: '/x', ephemeral: false, database: true, masterKey: false },
    },
    every: (_, work) => {
      checks.push(work);
      return () => {};
    },
    ...options,
  });
}

function signIn(payload: object, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') {
  return app.inject({ method: 'POST', url: PATH, headers: { ...HOST, ...headers }, payload, remoteAddress });
}

function send(method: 'GET' | 'DELETE', headers: Record<string, string>) {
  return app.inject({ method, url: PATH, headers: { ...HOST, ...headers } });
}

async function begin() {
  const answer = await signIn({ credential: OPERATOR_CREDENTIAL });
  return { cookie: toCookie(answer), 'x-sluice-session': String(answer.json().pageToken) };
}

function toCookie({ headers }: { readonly headers: Record<string, unknown> }): string {
  return String(headers['set-cookie']).split(';')[0] ?? '';
}
