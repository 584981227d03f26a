import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NetworkRefused } from '../../../chain/embedded/ledger/bank.ts';
import { address, toAddress } from '../../../solana/address.ts';
import { createFixturePortal } from '../../../testing/gateway/portal-fixture.ts';
import { closeGateways, createSampleGateway } from '../../../testing/gateway/sample-gateway.ts';
import { createInProcessLimiter } from '../../limits/rate-limiter.ts';
import type { PortalOptions } from '../portal.ts';
import type { PortalNetwork } from './portal-network.ts';

describe('the RPC of the portal', () => {
  it('passes one call on, and its answer as the network wrote it', async () => {
    const answer = await post('rpc', {
      jsonrpc: '2.0',
      id: 7,
      method: 'getBalance',
      params: [WALLET],
      more: 1,
    });
    expect([answer.statusCode, answer.body]).toEqual([200, ANSWER]);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    expect(asked.map((text) => JSON.parse(text))).toEqual([
      { jsonrpc: '2.0', id: 7, method: 'getBalance', params: [WALLET] },
    ]);
  });

  it.each([
    ...['surfnet_setAccount', 'surfnet_timeTravel', 'surfnet_resetNetwork', 'requestAirdrop', 'setLogFilter'],
    ...['getClusterNodes', 'accountSubscribe', 'GETSLOT', 'getSlot ', '__proto__', 'constructor', ''],
    ...[null, 5, ['getSlot'], { toString: 'getSlot' }],
  ])('refuses the method %j', async (method) => {
    const answer = await post('rpc', { jsonrpc: '2.0', id: 1, method });
    expect([answer.statusCode, answer.json().error]).toEqual([
      400,
      expect.stringMatching(/^method must be /),
    ]);
    expect(asked).toEqual([]);
  });

  it.each([
    ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'getSlot' }], 400],
    ['a batch of none', [], 400],
    ['a text', '"getSlot"', 400],
    ['nothing', 'null', 400],
    ['another version', { jsonrpc: '1.0', id: 1, method: 'getSlot' }, 400],
    ['an id that is an object', { jsonrpc: '2.0', id: {}, method: 'getSlot' }, 400],
    ['JSON that ends early', '{"jsonrpc":"2.0"', 400],
    [
      'two methods in one call',
      '{"jsonrpc":"2.0","id":1,"method":"getSlot","__proto__":{"method":"x"}}',
      400,
    ],
    ['a large call', { jsonrpc: '2.0', id: 1, method: 'getSlot', params: ['x'.repeat(60_000)] }, 413],
    ['a call that is nested without end', `${'['.repeat(5_000)}${']'.repeat(5_000)}`, 400],
  ])('refuses %s', async (_, body, status) => {
    expect((await post('rpc', body)).statusCode).toBe(status);
    expect(asked).toEqual([]);
  });

  it('gives each client a share of the places, so that one that asks without end does not keep others out', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await open({
      callRpc: async (text) => {
        asked.push(text);
        await released;
        return Buffer.from(ANSWER);
      },
    });
    const flood = Array.from({ length: 100 }, () => post('rpc', SLOT));
    // A quarter of the 32 places, and a quarter of the 64 that may wait for one.
    await expect.poll(() => asked.length).toBe(8);
    const other = post('rpc', SLOT, {}, '203.0.113.7');
    await expect.poll(() => asked.length).toBe(9);
    release();
    expect((await other).statusCode).toBe(200);
    const answers = await Promise.all(flood);
    const answered = answers.filter(({ statusCode }) => statusCode === 200).length;
    // Those that wait are refused after two seconds, which pass here on a slow machine.
    expect(answered).toBeGreaterThanOrEqual(8);
    expect(answered).toBeLessThanOrEqual(8 + 16);
    const refused = answers.find(({ statusCode }) => statusCode !== 200);
    expect([refused?.statusCode, refused?.headers['retry-after']]).toEqual([503, '1']);
    expect((await post('rpc', SLOT)).statusCode).toBe(200);
  });
});

describe('the faucet of the portal', () => {
  it('says what it gave', async () => {
    const answer = await post('faucet', { address: WALLET });
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        signatures: ['SIGNATURE'],
        lamports: '10000000000',
        tokenAmounts: [{ mint: WALLET, amount: '1000000000' }],
      },
    ]);
  });

  it.each([
    {},
    { address: '' },
    { address: 5 },
    { address: [WALLET] },
    { address: `${WALLET}1` },
    { address: '../x' },
    [],
    'null',
  ])('gives nothing to %j', async (body) => {
    expect((await post('faucet', body)).statusCode).toBe(400);
    expect(funded).toBe(0);
  });

  it('gives three times a minute to one wallet, and again when a minute has passed', async () => {
    const statuses = [];
    for (let count = 0; count < 4; count++)
      statuses.push((await post('faucet', { address: WALLET })).statusCode);
    expect(statuses).toEqual([200, 200, 200, 429]);
    now += 60_001;
    expect((await post('faucet', { address: WALLET })).statusCode).toBe(200);
  });

  it('gives twenty times a minute to one caller and thirty to all, and says when it gives again', async () => {
    for (let index = 0; index < 100; index++) await post('faucet', { address: createWallet(index) });
    expect(funded).toBe(20);
    for (let index = 100; index < 200; index++)
      await post('faucet', { address: createWallet(index) }, {}, '203.0.113.7');
    expect(funded).toBe(30);
    const refused = await post('faucet', { address: createWallet(201) }, {}, '198.51.100.7');
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60']);
    now += 60_001;
    expect((await post('faucet', { address: createWallet(201) })).statusCode).toBe(200);
  });

  it('says why it has nothing to give', async () => {
    await open({ fundWallet: () => Promise.reject(new NetworkRefused('request', 'the faucet is empty')) });
    const answer = await post('faucet', { address: WALLET });
    expect([answer.statusCode, answer.json()]).toEqual([400, { error: 'the faucet is empty' }]);
  });
});

describe.each(['rpc', 'faucet'])('POST /portal/data/%s', (name) => {
  it.each([
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a page of another port', { 'sec-fetch-site': 'same-site' }],
    ['a form that the user was made to send', { 'sec-fetch-site': 'none' }],
    ['another site, in an old browser', { origin: 'https://evil.example' }],
    ['a page in a sandbox', { origin: 'null' }],
    ['a name that was pointed to this machine', { host: 'evil.example' }],
    ['such a name, whose page is the same', { host: 'evil.example', 'sec-fetch-site': 'same-origin' }],
  ])('refuses %s', async (_, headers) => {
    const answer = await post(name, name === 'rpc' ? SLOT : { address: WALLET }, headers);
    expect(answer.statusCode).toBe(403);
    expect([asked.length, funded]).toEqual([0, 0]);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/json',
  ])('refuses a body of the type %s, which a page of another site could send unasked', async (type) => {
    expect((await post(name, JSON.stringify(SLOT), { 'content-type': type })).statusCode).toBe(415);
  });

  it('does not allow a page of another origin to send by a preflight', async () => {
    const answer = await app.inject({
      method: 'OPTIONS',
      url: `/portal/data/${name}`,
      headers: {
        host: 'localhost:8787',
        origin: 'https://evil.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
    expect(Object.keys(answer.headers).filter((header) => header.startsWith('access-control'))).toEqual([]);
  });

  it('says where there is no embedded network, or it is used in production', async () => {
    await open(null);
    const answer = await post(name, SLOT);
    expect([answer.statusCode, answer.json().message]).toEqual([404, expect.stringMatching(/embedded/)]);
  });
});

const WALLET = address('So11111111111111111111111111111111111111112');
const SLOT = { jsonrpc: '2.0', id: 1, method: 'getSlot' };
/** An integer that a double does not hold. */
const ANSWER = '{"jsonrpc":"2.0","result":18446744073709551615,"id":7}';

let shared: FastifyInstance;
let app: FastifyInstance;
let asked: string[] = [];
let funded = 0;
let now = 1_800_000_000_000;
beforeAll(async () => {
  shared = await open();
});
beforeEach(() => {
  app = shared;
  asked = [];
  funded = 0;
  // What the faucet counted in the test before is forgotten.
  now += 120_000;
});
afterAll(closeGateways);

async function open(network: Partial<PortalNetwork> | null = {}): Promise<FastifyInstance> {
  const own: PortalOptions['network'] = network === null ? null : { ...NETWORK, ...network };
  app = await createSampleGateway({
    portal: createFixturePortal('/nonexistent', { network: own }),
    pipeline: {
      findKey: () => null,
      limiter: { ...createInProcessLimiter(), hit: () => ADMITTED },
      countryOf: () => null,
      now: () => 0,
    },
  });
  return app;
}

function post(name: string, body: unknown, headers: Record<string, string> = {}, from = '127.0.0.1') {
  return app.inject({
    method: 'POST',
    url: `/portal/data/${name}`,
    headers: { host: 'localhost:8787', 'content-type': 'application/json', ...headers },
    remoteAddress: from,
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

function createWallet(index: number) {
  return toAddress(Uint8Array.from({ length: 32 }, (_, place) => (place === 0 ? index : 1)));
}

const ADMITTED = { admitted: true, current: 1, limit: 1_000_000, freesAt: 0 };
const NETWORK: PortalNetwork = {
  now: () => now,
  callRpc: async (text) => {
    asked.push(text);
    return Buffer.from(ANSWER);
  },
  fundWallet: async () => {
    funded += 1;
    return {
      signatures: ['SIGNATURE'],
      lamports: 10_000_000_000n,
      tokenAmounts: [{ mint: WALLET, amount: 1_000_000_000n }],
    };
  },
};
