import type { FastifyInstance } from 'fastify';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { ChainUnavailable } from '../../../chain/chain.ts';
import { createFixturePortal } from '../../../testing/gateway/portal-fixture.ts';
import { closeGateways, createSampleGateway } from '../../../testing/gateway/sample-gateway.ts';
import { createInProcessLimiter } from '../../limits/rate-limiter.ts';
import { findOutsideRefusal } from './outside-methods.ts';
import type { PortalOutside } from './outside-rpc.ts';

describe('the pages of a gateway over an outside RPC', () => {
  beforeEach(() => open());

  it('read a single thing, in the words of the RPC', async () => {
    const answer = await post({ method: 'getBalance', params: ['A'] });
    expect([answer.statusCode, answer.body]).toEqual([200, ANSWER]);
    expect(asked).toEqual([['getBalance', ['A']]]);
  });

  it('are told which method they may not call, and why, without a call', async () => {
    const answer = await post({ method: 'getProgramAccounts', params: ['A'] });
    expect([answer.statusCode, answer.json().error]).toEqual([
      400,
      'Pages do not call "getProgramAccounts" of an outside RPC: it reads all accounts of a program, which RPCs refuse or charge for',
    ]);
    expect(asked).toEqual([]);
  });

  it('may use a third of the calls of a minute each, and clients without a key two thirds', async () => {
    const statuses = async (from: string) => {
      const answers = [];
      for (let count = 0; count < 30; count++) answers.push((await post(SLOT, from)).statusCode);
      return answers.filter((status) => status === 200).length;
    };
    expect(await statuses('203.0.113.7')).toBe(10);
    expect(await statuses('198.51.100.7')).toBe(10);
    expect(await statuses('192.0.2.7')).toBe(0);
    const refused = await post(SLOT, '203.0.113.7');
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60']);
    expect(refused.json().message).toMatch(/^You have used your part of what pages may read/);
    expect((await post(SLOT, '192.0.2.7')).json().message).toMatch(/^Callers without a key have used/);
    expect(asked).toHaveLength(20);
    now += 60_001;
    expect((await post(SLOT, '203.0.113.7')).statusCode).toBe(200);
  });

  it('count what they decode as well', async () => {
    const decode = () =>
      app.inject({ ...POST, url: '/portal/data/decode', payload: { signature: '1'.repeat(64) } });
    const answers = [];
    for (let count = 0; count < 8; count++) answers.push((await decode()).statusCode);
    // Each takes three calls of the ten.
    expect(answers).toEqual([404, 404, 404, 429, 429, 429, 429, 429]);
    await open();
    const nonsense = { ...POST, url: '/portal/data/decode', payload: { signature: 'x' } };
    for (let count = 0; count < 8; count++) expect((await app.inject(nonsense)).statusCode).toBe(400);
    expect((await decode()).statusCode).toBe(404);
  });

  it('take all calls of a request or none, so that what is refused costs a caller nothing', async () => {
    const read = () => app.inject({ ...GET, url: `/portal/data/accounts/${'1'.repeat(32)}` });
    const answers = [];
    for (let count = 0; count < 6; count++) answers.push((await read()).statusCode);
    // Each takes three calls of the ten, so that one is left.
    expect(answers).toEqual([200, 200, 200, 429, 429, 429]);
    expect((await post(SLOT)).statusCode).toBe(200);
    expect((await post(SLOT)).statusCode).toBe(429);
  });

  it('show accounts also where the operator allows few calls, and say so where these are too few', async () => {
    const read = () => app.inject({ ...GET, url: `/portal/data/accounts/${'1'.repeat(32)}` });
    await open({ callsPerMinute: 3 });
    expect((await read()).statusCode).toBe(200);
    await open({ callsPerMinute: 2 });
    const refused = await read();
    expect([refused.statusCode, refused.json().message]).toEqual([
      403,
      expect.stringMatching(/rpc-portal-calls is 2/),
    ]);
    expect((await post(SLOT)).statusCode).toBe(200);
  });

  it('read nothing in production, or where the operator has turned it off', async () => {
    await open({ production: true });
    const inProduction = await post(SLOT);
    expect([inProduction.statusCode, inProduction.json().message]).toEqual([
      403,
      expect.stringMatching(/^In production, only pages of the admin port/),
    ]);
    await open({ callsPerMinute: 0 });
    const turnedOff = await post(SLOT);
    expect([turnedOff.statusCode, turnedOff.json().message]).toEqual([
      403,
      expect.stringMatching(/rpc-portal-calls is 0/),
    ]);
    expect(asked).toEqual([]);
  });

  it('are told that an RPC does not answer', async () => {
    await open({ call: () => Promise.reject(new ChainUnavailable('no answer within 10000 ms')) });
    const answer = await post(SLOT);
    expect([answer.statusCode, answer.json().message]).toEqual([
      503,
      expect.stringMatching(/no answer within/),
    ]);
  });
});

describe('findOutsideRefusal', () => {
  it.each([
    ['getBlock', [5, { transactionDetails: 'signatures', rewards: false }]],
    ['getSignaturesForAddress', ['A', { limit: 20 }]],
    ['getMultipleAccounts', [['A', 'B']]],
    ['getSlot', []],
  ])('allows %s %j', (method, params) => {
    expect(findOutsideRefusal(method, params)).toBeNull();
  });

  it('refuses more than 100 accounts at once', () => {
    const addresses = Array.from({ length: 101 }, () => 'A');
    expect(findOutsideRefusal('getMultipleAccounts', [addresses])).toMatch(/at most 100/);
  });

  it.each([
    ['getBlock', [5]],
    ['getBlock', [5, { transactionDetails: 'full', rewards: false }]],
    ['getBlock', [5, { transactionDetails: 'signatures' }]],
    ['getSignaturesForAddress', ['A']],
    ['getSignaturesForAddress', ['A', { limit: 1_000 }]],
    ['getSignaturesForAddress', ['A', { limit: '5' }]],
    ['getMultipleAccounts', ['A']],
    ['getAccountInfo', { 0: 'A' }],
    ['getAccountInfo', ['A', {}, {}, {}]],
    ['sendTransaction', ['A']],
    ['getLargestAccounts', []],
    ['surfnet_setAccount', []],
    ['constructor', []],
  ])('refuses %s %j', (method, params) => {
    expect(findOutsideRefusal(method, params)).toEqual(expect.any(String));
  });
});

const POST = {
  method: 'POST',
  headers: { host: 'localhost:8787', 'content-type': 'application/json' },
} as const;
const GET = { method: 'GET', headers: { host: 'localhost:8787' } } as const;
const SLOT = { method: 'getSlot', params: [] };
/** An integer that a double does not hold. */
const ANSWER = '{"jsonrpc":"2.0","id":1,"result":18446744073709551615}';
const ADMITTED = { admitted: true, current: 1, limit: 1_000_000, freesAt: 0 };

let app: FastifyInstance;
let asked: unknown[] = [];
let now = 1_800_000_000_000;
afterAll(closeGateways);

async function open(overrides: Partial<PortalOutside> = {}): Promise<void> {
  asked = [];
  const outside: PortalOutside = {
    call: async (...call) => {
      asked.push(call);
      return ANSWER;
    },
    callsPerMinute: 30,
    production: false,
    now: () => now,
    ...overrides,
  };
  app = await createSampleGateway({
    portal: createFixturePortal('/nonexistent', { outside }),
    pipeline: {
      findKey: () => null,
      limiter: { ...createInProcessLimiter(), hit: () => ADMITTED },
      countryOf: () => null,
      now: () => 0,
    },
  });
}

function post(call: object, from = '127.0.0.1') {
  const payload = JSON.stringify({ jsonrpc: '2.0', id: 1, ...call });
  return app.inject({ ...POST, url: '/portal/data/rpc', remoteAddress: from, payload });
}
