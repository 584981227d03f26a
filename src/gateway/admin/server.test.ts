import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_FAULTS } from '../../chain/embedded/blocks/faults.ts';
import { openTestPlatform } from '../../platform/platform-for-tests.ts';
import { createLogger } from '../http/log.ts';
import { inProcessLimiter } from '../limits/rate-limiter.ts';
import { closeServer } from '../server/server.ts';
import { AS_OPERATOR, OPERATOR_CREDENTIAL } from './credential-for-tests.ts';
import { recordingNetwork } from './network-for-tests.ts';
import { createAdminServer } from './server.ts';

const SOL = 'So11111111111111111111111111111111111111112';
const WALLET = 'GGztQqQ6pCPaJQnNpXBgELr5cs3WwDakRbh1iEMzjgSJ';

let app: FastifyInstance | undefined;
let platform: Awaited<ReturnType<typeof openTestPlatform>>;
beforeEach(async () => {
  platform = await openTestPlatform();
});
afterEach(async () => {
  if (app !== undefined) await closeServer(app);
  await platform.cleanUp();
});

async function admin(production = false) {
  const network = recordingNetwork();
  const server = await createAdminServer({
    logger: createLogger('silent', { write: () => {} }),
    parts: [],
    network,
    platform: { parts: platform.parts, limiter: inProcessLimiter() },
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

describe('the network’s controls', () => {
  it('hand on what they are told', async () => {
    const { network, send } = await admin();
    expect(await send('POST', `${N}/faucet`, { wallet: WALLET, mint: SOL, amount: '1000' })).toEqual({
      status: 200,
      body: { signature: 'sig', account: WALLET },
    });
    expect(await send('POST', `${N}/clock`, { seconds: 60 })).toEqual({
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

  it('keep states by name', async () => {
    const { send } = await admin();
    const kept = { snapshots: [{ name: 'before-swap', slot: '7' }] };
    expect((await send('POST', `${N}/snapshots`, { name: 'before-swap' })).body).toEqual(kept);
    expect((await send('POST', `${N}/snapshots/before-swap/restore`)).body).toEqual(kept);
    expect(await send('POST', `${N}/snapshots/other/restore`)).toEqual({
      status: 400,
      body: { error: 'there is no snapshot other' },
    });
    expect((await send('DELETE', `${N}/snapshots/before-swap`)).body).toEqual({ snapshots: [] });
    expect((await send('GET', `${N}/snapshots`)).body).toEqual({ snapshots: [] });
  });

  it('switch off every fault that is not named', async () => {
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
    ['POST', 'clock', { slots: -1 }, /^body field slots must be >= 0, got -1$/],
    ['POST', 'snapshots', { name: '../etc' }, /^body field name must have the form/],
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

describe('the loopback check', () => {
  it.each([
    { host: 'localhost:8788' },
    { host: '[::1]:8788' },
    { host: '127.0.0.5:8788' },
    { host: '127.0.0.1:8788', origin: 'http://localhost:3000' },
  ])('lets %j through', async (headers) => {
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
