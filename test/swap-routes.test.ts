import fc from 'fast-check';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { assertProperty, countCases } from '../src/testing/random.ts';
import { answerError } from '../src/gateway/http/errors.ts';
import { compileValidator } from '../src/gateway/http/validation.ts';
import { EventStreams } from '../src/gateway/streams/event-streams.ts';
import { NO_METRICS } from '../src/common/ports/metrics.ts';
import { getEndpointCaller, getWork } from '../src/gateway/pipeline/request/request-context.ts';
import { registerProduct } from '../src/gateway/product-routes.ts';
import { createSwapServices, swap as product } from '../src/products/swap/index.ts';
import { openTestSwap } from '../src/testing/genesis-market/swap.ts';

let app: FastifyInstance;
beforeAll(setUp);
afterAll(() => app?.close());

describe('/swap/v2/order', () => {
  it('answers 200 or states the problem, for any request', async () => {
    const query = fc.record({
      inputMint: mostly(SOL, USDC, SOL),
      outputMint: mostly(USDC, JUP),
      amount: mostly('1', '1000000', '18446744073709551615'),
      taker: perhaps(swap.wallet.address, OTHER),
      receiver: perhaps(OTHER),
      slippageBps: perhaps('0', '50', '10000'),
      referralAccount: perhaps(OTHER),
      referralFee: perhaps('50', '255'),
      payer: perhaps(swap.wallet.address, OTHER),
      priorityFeeLamports: perhaps('1', '10000000000'),
      jitoTipLamports: perhaps('1000'),
      broadcastFeeType: perhaps('maxCap', 'exactFee'),
      excludeRouters: perhaps('jupiterz', 'metis'),
      excludeDexes: perhaps('Raydium CP', 'Whirlpool'),
    });
    const seen = new Map<number, number>();
    const property = fc.asyncProperty(query, async (given) => {
      const named = Object.entries(given).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      );
      const response = await app.inject(`/swap/v2/order?${new URLSearchParams(named)}`);
      const body = response.json();
      seen.set(response.statusCode, (seen.get(response.statusCode) ?? 0) + 1);
      if (response.statusCode === 200)
        expect(body).toMatchObject({ requestId: expect.any(String), router: 'metis' });
      else expect(body).toMatchObject({ error: expect.stringMatching(/\S/) });
    });
    await assertProperty(property, SUITE);
    expect([...seen.keys()].sort()).toEqual([200, 400]);
    expect(seen.get(200)).toBeGreaterThan(countCases(SUITE) / 20);
  });
});

describe('/swap/v2/execute', () => {
  it('answers 400 for anything that is not an order, and moves nothing', async () => {
    const before = swap.market.chain.sent;
    const { requestId } = await swap.order({ inputMint: SOL, outputMint: USDC, amount: '1000000' });
    const base64 = fc.uint8Array({ maxLength: 1_500 }).map((bytes) => Buffer.from(bytes).toString('base64'));
    const body = fc.oneof(
      fc.record({ signedTransaction: fc.oneof(base64, odd), requestId: mostly(requestId) }),
      fc.record({ signedTransaction: fc.anything(), requestId: fc.anything() }),
      fc.anything(),
    );
    const property = fc.asyncProperty(body, async (given) => {
      const payload = JSON.stringify(given) ?? '';
      const headers = { 'content-type': 'application/json' };
      const response = await app.inject({ method: 'POST', url: '/swap/v2/execute', payload, headers });
      expect(response.statusCode, payload).toBe(400);
    });
    await assertProperty(property, SUITE);
    expect(swap.market.chain.sent).toBe(before);
  });

  it.each([
    [{ signedTransaction: 'AA==', requestId: 'none' }, -1, 'Order not found, it might have expired'],
    [{ signedTransaction: 'AA==' }, -4, 'body field requestId is missing'],
    [{}, -4, 'body field'],
    [{ requestId: 'none' }, -5, 'body field signedTransaction is missing'],
    [{ signedTransaction: 1, requestId: 'none' }, undefined, 'body field signedTransaction must be'],
    [null, undefined, 'the body must be an object'],
  ])('gives the documented code with its refusal: %j', async (payload, code, sentence) => {
    const headers = { 'content-type': 'application/json' };
    const request = {
      method: 'POST',
      url: '/swap/v2/execute',
      payload: JSON.stringify(payload),
      headers,
    } as const;
    const response = await app.inject(request);
    expect(response.statusCode).toBe(400);
    const { error, ...rest } = response.json();
    expect(error).toContain(sentence);
    const details = code === -1 ? { details: expect.stringMatching(/^there is no order "none"/) } : {};
    const pairs = { code, errorCode: code, errorMessage: error, ...details };
    expect(rest).toEqual(code === undefined ? {} : pairs);
  });
});

describe('/swap/v2/program-id-to-label', () => {
  it('lists every venue by its program', async () => {
    const response = await app.inject('/swap/v2/program-id-to-label');
    expect(response.json()).toEqual(swap.composed.venueLabels);
    expect(Object.values(response.json())).toContain('Raydium CP');
  });
});

describe('/_cache/reference-fees', () => {
  it('says what the slots of late paid for a compute unit, in the form of the public cache', async () => {
    const ask = async () => (await app.inject('/_cache/reference-fees')).json();
    const none = { m: 0, h: 0, vh: 0 };
    const free = { claim: 0, jup: none, jup2: none, loAndDCA: 0, referral: 0, perps: none };
    expect(await ask()).toEqual(free);
    const paid = [40n, 10n, 30n, 20n].map((microLamports, index) => ({ slot: BigInt(index), microLamports }));
    const samples = vi.spyOn(swap.composed.chain, 'recentPriorityFees').mockReturnValue(paid);
    const levels = { m: 10, h: 20, vh: 30 };
    const usual = { claim: 20, loAndDCA: 20, referral: 20 };
    expect(await ask()).toEqual({ ...usual, jup: levels, jup2: levels, perps: levels });
    expect(samples).toHaveBeenCalledWith([]);
    samples.mockRestore();
  });

  it('names no price that costs a transaction more than 0.005 SOL, whatever somebody paid', async () => {
    const paid = [{ slot: 1n, microLamports: 1_000_000_000_000n }];
    const samples = vi.spyOn(swap.composed.chain, 'recentPriorityFees').mockReturnValue(paid);
    expect((await app.inject('/_cache/reference-fees')).json()).toMatchObject({
      referral: 3_571_428,
      jup: { m: 3_571_428, h: 3_571_428, vh: 3_571_428 },
    });
    samples.mockRestore();
  });
});

it('/swap/v2/execute counts requests for one order as repeats of one request', async () => {
  let keyOf: ((body: unknown) => string | null) | undefined;
  const watched = fastify();
  watched.addHook('onRoute', ({ url, config }) => {
    if (url === '/swap/v2/execute') keyOf = (config as { repeatKey?: typeof keyOf }).repeatKey;
  });
  registerProduct(
    watched,
    product.run(createSwapServices(swap.composed)),
    new EventStreams({ metrics: NO_METRICS }),
  );
  expect(['a', 1, null, undefined].map((requestId) => keyOf?.({ requestId }))).toEqual([
    'a',
    null,
    null,
    null,
  ]);
  expect([null, undefined, 'a', [], {}].map((body) => keyOf?.(body))).toEqual([null, null, null, null, null]);
  await watched.close();
});

const SEED = 20_261_125;
const SUITE = { cases: 400, short: 150, seed: SEED };
const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const JUP = 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN';
const OTHER = '2MFoS3MPtvyQ4Wh4M9pdfPjz6UhVoNbFbGJAskCPCj3h';

const swap = await openTestSwap();

function setUp(): void {
  app = fastify();
  app.setValidatorCompiler(compileValidator);
  app.setErrorHandler(answerError);
  app.decorateRequest('requestContext', null);
  app.decorateRequest('caller', { getter: getEndpointCaller });
  app.decorateRequest('work', { getter: getWork });
  registerProduct(
    app,
    product.run(createSwapServices(swap.composed)),
    new EventStreams({ metrics: NO_METRICS }),
  );
}

const odd = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1e9',
    '18446744073709551616',
    'null',
    '[object Object]',
    'x'.repeat(2_000),
    '\u0000',
  ),
  fc.string(),
);
const mostly = (...good: string[]) =>
  fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...good) }, { weight: 1, arbitrary: odd });
const perhaps = (...good: string[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: mostly(...good) });
