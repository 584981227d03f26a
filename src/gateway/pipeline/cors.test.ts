import { Type } from 'typebox';
import { afterEach, describe, expect, it } from 'vitest';
import { defineEndpoint } from '../../products/endpoint.ts';
import { defineProduct } from '../../products/product.ts';
import { createInProcessLimiter } from '../limits/rate-limiter.ts';
import { closeGateways, createSampleGateway, KEY } from '../../testing/gateway/sample-gateway.ts';

afterEach(closeGateways);

describe('an endpoint that allows cookies', () => {
  it('names the origin of the page, because browsers refuse `*` for requests with cookies', async () => {
    const named = { origin: PAGE, credentials: 'true', vary: 'origin' };
    expect(await corsHeaders('/lists/public', { origin: PAGE })).toEqual(named);
    expect(await corsHeaders('/lists/public', { origin: PAGE, cookie: 'a=b' })).toEqual(named);
    // A refusal can be read by the page, too.
    expect(await corsHeaders('/lists/public', { origin: PAGE, 'x-api-key': `${KEY}0` })).toEqual(named);
    expect(await corsHeaders('/lists/public', {})).toEqual({
      origin: '*',
      credentials: undefined,
      vary: 'origin',
    });
  });

  it('allows only named origins where some are named', async () => {
    const allowed = { origin: PAGE, credentials: 'true', vary: 'origin' };
    expect(await corsHeaders('/lists/public', { origin: PAGE }, [PAGE])).toEqual(allowed);
    const refused = { origin: undefined, credentials: undefined, vary: 'origin' };
    expect(await corsHeaders('/lists/public', { origin: 'https://evil.example' }, [PAGE])).toEqual(refused);
    expect(await corsHeaders('/lists/public', {}, [PAGE])).toEqual(refused);
  });
});

describe('any other path', () => {
  it('lets no page read an answer to a request with cookies', async () => {
    const open = { origin: '*', credentials: undefined, vary: undefined };
    for (const url of ['/lists/other', '/lists/nowhere', '/healthz']) {
      expect(await corsHeaders(url, { origin: PAGE, cookie: 'a=b' }), url).toEqual(open);
    }
    const named = { origin: PAGE, credentials: undefined, vary: 'origin' };
    expect(await corsHeaders('/lists/other', { origin: PAGE }, [PAGE])).toEqual(named);
  });
});

describe('an endpoint that is open to everybody', () => {
  it('can be read by pages of all origins, also where some are named', async () => {
    const all = { origin: '*', credentials: undefined, vary: undefined };
    for (const origins of [null, [PAGE]]) {
      expect(await corsHeaders('/lists/open', { origin: 'https://other.example' }, origins)).toEqual(all);
      expect(await corsHeaders('/lists/open', {}, origins)).toEqual(all);
    }
  });
});

const PAGE = 'https://wallet.example';
const text = {
  method: 'GET',
  summary: 'Sample',
  description: 'Sample.',
  responses: { 200: Type.Object({}) },
} as const;
const lists = defineProduct({
  name: 'lists',
  description: 'A sample.',
  basePaths: ['/lists'],
  endpoints: [
    defineEndpoint({
      ...text,
      path: '/lists/public',
      operationId: 'a',
      allowsCookies: true,
      handle: () => ({}),
    }),
    defineEndpoint({ ...text, path: '/lists/other', operationId: 'b', handle: () => ({}) }),
    defineEndpoint({ ...text, path: '/lists/open', operationId: 'c', isOpen: true, handle: () => ({}) }),
  ],
  open: () => ({ services: null }),
});

async function corsHeaders(
  url: string,
  headers: Record<string, string>,
  corsOrigins: string[] | null = null,
) {
  const app = await createSampleGateway({
    products: [await lists.open({})],
    pipeline: {
      findKey: () => null,
      limiter: createInProcessLimiter(),
      countryOf: () => null,
      now: () => 0,
      corsOrigins,
    },
  });
  const answer = await app.inject({ url, headers });
  return {
    origin: answer.headers['access-control-allow-origin'],
    credentials: answer.headers['access-control-allow-credentials'],
    vary: answer.headers.vary,
  };
}
