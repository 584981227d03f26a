import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { NO_FAULTS } from '../../chain/embedded/blocks/faults.ts';
import { listAudit } from '../../platform/audit/audit-log.ts';
import { unwrap } from '../../testing/platform/unwrap.ts';
import { openTestPlatform } from '../../testing/platform/test-platform.ts';
import { createLogger } from '../http/log/log.ts';
import { createInProcessLimiter } from '../limits/rate-limiter.ts';
import { closeServer } from '../server/server.ts';
import { AS_OPERATOR, OPERATOR_CREDENTIAL } from '../../testing/gateway/admin-credential.ts';
import { createRecordingNetwork } from '../../testing/gateway/admin-network.ts';
import { createAdminServer } from './server.ts';
import { DEFAULT_BOUNDS } from '../../testing/server-bounds.ts';
import { now } from '../../testing/waits.ts';
import { writeOut } from '../../testing/documented.ts';
import { openForEach } from '../../testing/opened.ts';

let app: FastifyInstance | undefined;
const platform = openForEach(openTestPlatform, 'cleanUp');
afterEach(tearDown);

describe('the network’s prices', () => {
  it('are read, set, moved at random and stopped', async () => {
    const { network, send } = await admin();
    const { body } = await send('GET', `${N}/prices`);
    expect(body.prices).toMatchObject([{ symbol: 'SOL', price: '200', slot: '7', walk: null }]);
    expect((await send('PUT', `${N}/prices/SOL`, { price: '120.5' })).body.price).toBe('120.5');
    const walk = { deviation: 2.5, drift: -0.01, seconds: 5, seed: '7' };
    const moved = await send('PUT', `${N}/prices/SOL/walk`, walk);
    expect(moved.body.walk).toEqual({ ...walk, steps: '0' });
    await send('PUT', `${N}/prices/SOL/walk`, { deviation: 1 });
    expect((await send('DELETE', `${N}/prices/SOL/walk`)).body.walk).toBeNull();
    expect(network.calls).toEqual([
      ['SOL', '120.5'],
      ['SOL', { deviation: 25_000, drift: -100, seconds: 5, seed: 7n }],
      ['SOL', { deviation: 10_000, drift: 0, seconds: 10, seed: 1n }],
      ['SOL', null],
    ]);
  });

  it.each([
    ['PUT', 'prices/mSOL', { price: '1' }],
    ['PUT', 'prices/SOL', { price: '1e3' }],
    ['PUT', 'prices/SOL', { price: 5 }],
    ['PUT', 'prices/SOL/walk', {}],
    ['PUT', 'prices/SOL/walk', { deviation: 101 }],
    ['PUT', 'prices/SOL/walk', { deviation: 1, seconds: 0 }],
    ['PUT', 'prices/SOL/walk', { deviation: 1, seed: '18446744073709551616' }],
  ] as const)('%s %s with %j is refused', async (method, path, body) => {
    const { send } = await admin();
    expect((await send(method, `${N}/${path}`, body)).status).toBe(400);
  });

  it('are followed by the pools, or not', async () => {
    const { network, send } = await admin();
    const on = await send('PUT', `${N}/price-follower`, { following: true });
    expect(on.body).toEqual({ following: true, trades: 3 });
    expect((await send('GET', `${N}/price-follower`)).body).toEqual({ following: true });
    await send('PUT', `${N}/price-follower`, { following: false });
    expect((await send('GET', `${N}/price-follower`)).body).toEqual({ following: false });
    expect(network.calls).toEqual([true, false]);
  });

  it('cannot be touched with production', async () => {
    const { network, send } = await admin(true);
    expect((await send('PUT', `${N}/prices/SOL`, { price: '1' })).status).toBe(403);
    expect(network.calls).toEqual([]);
  });
});

describe('the network’s clock', () => {
  it('is answered with a notice when makers can no longer take part', async () => {
    const { network, send } = await admin();
    const seconds = Math.floor(now() / 1_000);
    network.warp = async () => ({ slot: 5n, unixTimestamp: BigInt(seconds) });
    expect((await send('POST', `${N}/clock`, { slots: 1 })).body).toEqual({
      slot: '5',
      unixTimestamp: String(seconds),
    });
    network.warp = async () => ({ slot: 5n, unixTimestamp: BigInt(seconds + 86_400) });
    const { body } = await send('POST', `${N}/clock`, { seconds: 86_400 });
    expect(body.notice).toMatch(/^the network's clock is 86\d{3} s from .*: makers take no part in orders/);
  });
});

describe('the network’s controls', () => {
  it('pass their arguments on', async () => {
    const { network, send } = await admin();
    expect(await send('POST', `${N}/faucet`, { wallet: WALLET, mint: SOL, amount: '1000' })).toEqual({
      status: 200,
      body: { signature: 'sig', account: WALLET },
    });
    expect(await send('POST', `${N}/clock`, { seconds: 60 })).toMatchObject({
      status: 200,
      body: { slot: '5', unixTimestamp: '1700000000' },
    });
    expect(
      (
        await send('POST', `${N}/accounts`, {
          accounts: [
            { address: WALLET, account: { lamports: '18446744073709551615', owner: SOL, data: 'AQI=' } },
            { address: SOL, account: null },
          ],
        })
      ).body,
    ).toEqual({ slot: '6' });
    expect(network.calls).toEqual([
      [WALLET, SOL, 1_000n],
      { slots: 0, seconds: 60 },
      [
        {
          address: WALLET,
          account: {
            lamports: 2n ** 64n - 1n,
            owner: SOL,
            data: Uint8Array.of(1, 2),
            executable: false,
            rentEpoch: 2n ** 64n - 1n,
          },
        },
        { address: SOL, account: null },
      ],
    ]);
  });

  it('have entries of the audit log when they succeed, with short details, and the faucet has none', async () => {
    const { send } = await admin();
    const account = { lamports: '1', owner: ADDRESS, data: Buffer.alloc(5_000).toString('base64') };
    const accounts = Array.from({ length: 30 }, () => ({ address: ADDRESS, account }));
    await send('POST', `${N}/faucet`, { wallet: ADDRESS, mint: ADDRESS, amount: '1' });
    await send('PUT', `${N}/prices/mSOL`, { price: '1' });
    await send('PUT', `${N}/prices/SOL`, { price: '120.5' });
    await send('POST', `${N}/accounts`, { accounts });
    await send('PUT', `${N}/snapshots/ready/content`, { content: 'YWJj' });
    await send('POST', `${N}/faults/requests`, { path: '/x', status: 500 });
    await send('POST', `${N}/reset`);
    const { items } = unwrap(await listAudit(platform, { action: 'network' }));
    expect(items.map(({ action, subject, after }) => [action, subject, after]).reverse()).toEqual([
      ['network.price_set', 'SOL', { price: '120.5' }],
      [
        'network.accounts_written',
        'the network',
        { accounts: 30, addresses: Array.from({ length: 10 }, () => ADDRESS) },
      ],
      ['network.snapshot_imported', 'ready', { base64Characters: 4 }],
      ['network.request_fault_added', 'the network', { path: '/x', status: 500 }],
      ['network.reset', 'the network', null],
    ]);
    expect(items[0]).toMatchObject({ actor: 'operator', before: null });
  });

  it('save and restore snapshots by name', async () => {
    const { send } = await admin();
    const kept = { snapshots: [{ name: 'before-swap', slot: '7' }] };
    expect((await send('POST', `${N}/snapshots`, { name: 'before-swap' })).body).toEqual(kept);
    expect((await send('POST', `${N}/snapshots/before-swap/restore`)).body).toEqual(kept);
    expect(await send('POST', `${N}/snapshots/other/restore`)).toEqual({
      status: 400,
      body: { error: 'there is no snapshot other' },
    });
    const content = Buffer.from('before-swap').toString('base64');
    expect((await send('GET', `${N}/snapshots/before-swap/content`)).body).toEqual({ content });
    expect((await send('DELETE', `${N}/snapshots/before-swap`)).body).toEqual({ snapshots: [] });
    expect((await send('PUT', `${N}/snapshots/other/content`, { content })).body).toEqual({
      snapshots: [{ name: 'other', slot: '9' }],
    });
    await send('DELETE', `${N}/snapshots/other`);
    expect((await send('GET', `${N}/snapshots`)).body).toEqual({ snapshots: [] });
  });

  it('strike the next transactions', async () => {
    const { network, send } = await admin();
    const struck = [{ effect: 'drop', signature: 'sig', slot: '5' }];
    const answer = await send('POST', `${N}/faults/next`, { effect: 'fail', wallet: WALLET, code: 6_001 });
    expect(answer).toEqual({ status: 200, body: { waiting: [], struck } });
    expect((await send('DELETE', `${N}/faults/next`)).status).toBe(200);
    expect(network.calls).toEqual([
      { effect: 'fail', count: 1, wallet: WALLET, program: null, slots: 10, code: 6_001 },
      'cleared',
    ]);
    expect((await send('POST', `${N}/faults/next`, { effect: 'explode' })).status).toBe(400);
  });

  it('switch off every fault that is left out', async () => {
    const { send } = await admin();
    await send('PUT', `${N}/faults`, { drop: 0.5, congestion: '10000' });
    expect((await send('GET', `${N}/faults`)).body).toEqual({ ...NO_FAULTS, drop: 0.5, congestion: '10000' });
    expect((await send('PUT', `${N}/faults`, {})).body).toEqual({ ...NO_FAULTS, congestion: '0' });
  });

  it.each([
    [
      'POST',
      'faucet',
      { wallet: 'x'.repeat(40), mint: SOL, amount: '1' },
      /^wallet must be an address of 32 bytes/,
    ],
    [
      'POST',
      'faucet',
      { wallet: WALLET, mint: SOL, amount: '18446744073709551616' },
      /^amount must be at most 18446744073709551615/,
    ],
    ['POST', 'faucet', { wallet: WALLET, mint: SOL, amount: '-1' }, /^body field amount must have the form/],
    ['POST', 'faucet', { wallet: WALLET, mint: SOL, amount: 1 }, /^body field amount must be a text, got 1$/],
    ['POST', 'faucet', { wallet: WALLET, mint: SOL, amount: '1001' }, /^at most 1000 at a time$/],
    ['POST', 'clock', { minutes: 1 }, /^body field minutes is not known; known are slots, seconds$/],
    [
      'PUT',
      'faults',
      { dorp: 1 },
      /^body field dorp is not known; did you mean drop\?; known are seed, drop, /,
    ],
    ['POST', 'clock', { slots: -1 }, /^body field slots must be >= 0, got -1$/],
    ['POST', 'snapshots', { name: '../etc' }, /^body field name must have the form/],
    ['PUT', 'snapshots/a/content', { content: '***' }, /^content must be base64/],
    ['PUT', 'snapshots/a/content', { contents: 'aaaa' }, /field content is missing/],
    ['PUT', 'faults', { drop: 1.5 }, /^body field drop must be <= 1, got 1.5$/],
    ['PUT', 'faults', { congestion: '18446744073709551616' }, /^congestion must be at most/],
    [
      'POST',
      'accounts',
      { accounts: [{ address: SOL, account: { lamports: '1', owner: SOL, data: '!' } }] },
      /^accounts\[0\]\.account\.data must be base64/,
    ],
  ] as const)('refuse %s %s %j', async (method, path, body, sentence) => {
    const { network, send } = await admin();
    const answer = await send(method, `${N}/${path}`, body);
    expect(answer).toEqual({ status: 400, body: { error: expect.stringMatching(sentence) } });
    if (path !== 'faucet') expect(network.calls).toEqual([]);
  });

  it('are all refused in production', async () => {
    const { network, send } = await admin(true);
    const requests = [
      ['POST', 'faucet'],
      ['POST', 'clock'],
      ['POST', 'accounts'],
      ['GET', 'snapshots'],
      ['POST', 'snapshots'],
      ['POST', 'snapshots/a/restore'],
      ['DELETE', 'snapshots/a'],
      ['GET', 'snapshots/a/content'],
      ['PUT', 'snapshots/a/content'],
      ['GET', 'faults'],
      ['PUT', 'faults'],
    ] as const;
    for (const [method, path] of requests) {
      expect(await send(method, `${N}/${path}`), path).toEqual({
        status: 403,
        body: { code: 403, message: expect.stringContaining('production=true') },
      });
    }
    expect(network.calls).toEqual([]);
    expect((await send('GET', '/healthz')).status).toBe(200);
  });
});

it('every body of the admin interface refuses fields that it does not know', async () => {
  const { send } = await admin();
  const { body } = await send('GET', '/openapi.json');
  const { paths } = writeOut(body);
  const bodies = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) =>
      requestBody === undefined ? [] : [[`${method} ${path}`, requestBody.content] as const],
    ),
  );
  expect(bodies.length).toBeGreaterThan(15);
  for (const [where, content] of bodies) {
    const { schema } = content['application/json'] as { schema: { additionalProperties?: unknown } };
    expect(schema.additionalProperties, where).toBe(false);
  }
});

describe('the loopback check', () => {
  it.each([
    { host: 'localhost:8788' },
    { host: '[::1]:8788' },
    { host: '127.0.0.5:8788' },
    { host: '127.0.0.1:8788', origin: 'http://localhost:3000' },
  ])('accepts %j', async (headers) => {
    expect((await (await admin()).send('GET', '/healthz', undefined, headers)).status).toBe(200);
  });

  it.each([
    { host: 'attacker.example' },
    { host: '127.0.0.1.attacker.example:8788' },
    { host: '127.0.0.1.9:8788' },
    { host: '127.example:8788' },
    { host: '127.0.0.1:8788', origin: 'https://attacker.example' },
    { host: '127.0.0.1:8788', origin: 'null' },
    { host: '127.0.0.1:8788', origin: 'http://localhost.attacker.example' },
  ])('refuses %j', async (headers) => {
    const { network, send } = await admin();
    const answer = await send('POST', `${N}/clock`, {}, headers);
    expect(answer.status).toBe(403);
    expect(network.calls).toEqual([]);
  });
});

const SOL = 'So11111111111111111111111111111111111111112';
const WALLET = 'GGztQqQ6pCPaJQnNpXBgELr5cs3WwDakRbh1iEMzjgSJ';

async function tearDown(): Promise<void> {
  if (app !== undefined) await closeServer(app);
}

async function admin(production = false) {
  const network = createRecordingNetwork();
  const server = await createAdminServer({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('silent', { write: () => {} }),
    readiness: [],
    network,
    follower: network.follower,
    platform: platform,
    limiter: createInProcessLimiter(),
    production,
    credential: OPERATOR_CREDENTIAL,
  });
  app = server;
  const send = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    payload?: object,
    headers = {},
  ) => {
    const answer = await server.inject({
      method,
      url: path,
      headers: { host: '127.0.0.1:8788', ...AS_OPERATOR, ...headers },
      ...(payload === undefined ? {} : { payload }),
    });
    return { status: answer.statusCode, body: answer.json() };
  };
  return { network, send };
}

const N = '/admin/v1/network';
const ADDRESS = 'So11111111111111111111111111111111111111112';
