import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { RequestRefused } from '../../../common/request-refused.ts';
import { address } from '../../../solana/address.ts';
import { openForAll } from '../../../testing/opened.ts';
import {
  authorizeWallet,
  createTestSignIn,
  openTestVaults,
  openTriggerGateway,
} from '../../../testing/products/trigger-gateway.ts';
import { openTestStore } from '../../../testing/store/test-store.ts';
import { OrderRefused } from '../../../waiting-orders/order-refused.ts';
import type { TriggerServices } from './services.ts';
import { trigger } from '../index.ts';
import { defineWalletEndpoint } from './trigger-endpoint.ts';
import { refuseField, TriggerError } from './trigger-errors.ts';

/** What needs no token: to sign in, and orders in programs, whose transactions the wallet signs itself. */
const OPEN = ['/trigger/v2/auth/challenge', '/trigger/v2/auth/verify'];
const isOpen = (path: string) => OPEN.includes(path) || path.startsWith('/trigger/v1/');

describe('every endpoint of the product', () => {
  const test = openForAll(openSampleAndProduct, 'close');

  it.each(trigger.endpoints.filter(({ path }) => !isOpen(path)).map(({ method, path }) => [method, path]))(
    '%s %s answers 401 without a token, before it looks at the request',
    async (method, path) => {
      for (const authorization of HEADERS) {
        for (const payload of method === 'GET' ? [undefined] : [undefined, {}, { amount: [] }]) {
          const { statusCode, body } = await test.product.inject({
            method: method as 'GET',
            url: `${path.replace(/:\w+/g, 'x')}?limit=x`,
            headers: authorization === null ? {} : { authorization },
            ...(payload === undefined ? {} : { payload }),
          });
          expect([statusCode, body]).toEqual([401, '{"error":"Unauthorized"}']);
        }
      }
    },
  );

  it('is listed as one that needs a token, or signs in', () => {
    const open = trigger
      .run({ services: test.services })
      .endpoints.filter(({ authorize }) => authorize === undefined);
    const paths = open.map(({ endpoint }) => endpoint.path);
    expect(paths).toEqual(trigger.endpoints.map(({ path }) => path).filter(isOpen));
    expect(paths).toEqual(expect.arrayContaining(OPEN));
  });
});

describe('defineWalletEndpoint', () => {
  const test = openForAll(openSampleAndProduct, 'close');

  it('calls the handler with the wallet of the token, with a key or without', async () => {
    expect(await ask({ amount: '5' })).toEqual({ status: 200, body: { wallet: WALLET, amount: '5' } });
  });

  it.each([
    [
      {},
      {
        amount: 'Invalid input: expected string, received undefined',
        side: 'Invalid option: expected one of "buy"|"sell"',
      },
    ],
    [{ amount: 5 }, { amount: 'Invalid input: expected string, received number' }],
    [{ amount: '5', count: 1 }, { count: 'Too small: expected number to be >=2' }],
    [{ amount: '5', count: 9 }, { count: 'Too big: expected number to be <=3' }],
    [{ amount: '5', kind: 'c' }, { kind: 'Invalid option: expected one of "a"|"b"' }],
    [
      { amount: 1, count: 1 },
      {
        amount: 'Invalid input: expected string, received number',
        count: 'Too small: expected number to be >=2',
      },
    ],
    [[], { body: 'Invalid input: expected object, received array' }],
    [{ amount: 'a field' }, { amount: 'it is wrong' }],
  ])('answers %j with what is wrong with each field', async (body, details) => {
    expect(await ask(body)).toEqual({ status: 400, body: { error: 'Request validation failed', details } });
  });

  it('asks for the token before it says what is wrong', async () => {
    const { statusCode, body } = await test.sample.inject({
      method: 'POST',
      url: '/trigger/v2/sample',
      payload: {},
    });
    expect([statusCode, body]).toEqual([401, '{"error":"Unauthorized"}']);
  });

  it('answers a body that is not JSON in the same form', async () => {
    const { status, body } = await ask('{');
    expect([status, body.error, Object.keys(body.details)]).toEqual([
      400,
      'Request validation failed',
      ['body'],
    ]);
  });

  it.each([
    [
      'invalid',
      400,
      { error: 'Order must be at least 10 USD', details: { amount: 'Order must be at least 10 USD' } },
    ],
    ['not the owner', 403, { error: 'Forbidden' }],
    ['not found', 404, { error: 'Order not found' }],
    ['exists', 409, { error: 'duplicate deposit' }],
    ['refused', 400, { error: 'a sentence' }],
  ])('answers a refusal of the kind %s with %i', async (amount, status, body) => {
    expect(await ask({ amount })).toEqual({ status, body });
  });

  it('answers a defect with 500 and the id of the request', async () => {
    const { status, body } = await ask({ amount: 'defect' });
    expect(status).toBe(500);
    expect(body).toEqual({ error: expect.stringMatching(/^Internal server error; the request id is \S+$/) });
  });

  async function ask(payload: string | object) {
    const answer = await test.sample.inject({
      method: 'POST',
      url: '/trigger/v2/sample',
      headers: { authorization: await authorizeWallet(WALLET), 'content-type': 'application/json' },
      payload: typeof payload === 'string' ? payload : JSON.stringify(withSide(payload)),
    });
    return { status: answer.statusCode, body: answer.json() };
  }
});

const WALLET = address('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM');
/** What is no token. */
const HEADERS = [
  null,
  '',
  'Bearer',
  'Bearer x',
  'Basic YTpi',
  `Bearer ${'a'.repeat(16)}.${'b'.repeat(16)}.${'c'.repeat(16)}`,
];

const THROWN: Readonly<Record<string, () => never>> = {
  invalid: () => refuse(new OrderRefused('invalid', 'Order must be at least 10 USD', 'amount')),
  'not the owner': () => refuse(new OrderRefused('not the owner', 'Forbidden')),
  'not found': () => refuse(new OrderRefused('not found', 'Order not found')),
  exists: () => refuse(new OrderRefused('exists', 'duplicate deposit')),
  refused: () => refuse(new RequestRefused('a sentence')),
  'a field': () => refuseField('amount', 'it is wrong'),
  defect: () => refuse(new Error('a defect')),
};

function refuse(error: Error): never {
  throw error;
}

/** What is sent in most tests names the side that the sample asks for. */
const withSide = (payload: object) =>
  Object.keys(payload).length === 0 ? payload : { side: 'buy', ...payload };

const sample = defineWalletEndpoint({
  method: 'POST',
  path: '/trigger/v2/sample',
  operationId: 'PostSample',
  summary: 'A sample',
  description: 'Answers with the wallet.',
  body: Type.Object({
    amount: Type.String(),
    side: Type.Enum(['buy', 'sell']),
    count: Type.Optional(Type.Number({ minimum: 2, maximum: 3 })),
    kind: Type.Optional(Type.Enum(['a', 'b'])),
  }),
  responses: { 200: Type.Object({ wallet: Type.String(), amount: Type.String() }), 400: TriggerError },
  handle: async (_services, { body: { amount } }, wallet) => THROWN[amount]?.() ?? { wallet, amount },
});

async function openSampleAndProduct() {
  const test = await openTestStore('sqlite');
  const vaults = await openTestVaults(test.store);
  // No request comes as far as deposits and withdrawals.
  const services = { signIn: createTestSignIn(test.store), vaults } as unknown as TriggerServices;
  const apps = [await openTriggerGateway(services, [sample]), await openTriggerGateway(services)] as const;
  return {
    services,
    sample: apps[0],
    product: apps[1],
    close: async () => {
      for (const app of apps) await app.close();
      await test.cleanUp();
    },
  };
}
