import { Type } from 'typebox';
import { afterEach, expect, it } from 'vitest';
import { defineEndpoint } from '../../products/endpoint.ts';
import { createProductWithoutEndpoints } from '../../testing/products/opened-product.ts';
import { closeGateways, createSampleGateway } from '../../testing/gateway/sample-gateway.ts';
import { UNKNOWN_PARAMETERS_HEADER } from './unknown-parameters.ts';

afterEach(closeGateways);

it.each([
  ['amount=1&slippageBps=2&dexes[]=a&dexes=b', undefined],
  ['amount=1&slipageBps=2', 'slipageBps (did you mean slippageBps?)'],
  // The answer is a 400, because `amount` is missing.
  ['amout=1', 'amout (did you mean amount?)'],
  ['amount=1&referral=x', 'referral'],
  // Only lists have a form with brackets.
  ['amount=1&slippageBps[]=2', 'slippageBps[] (did you mean slippageBps?)'],
  ['amount=1&amount[0]=2', 'amount[0] (did you mean amount?)'],
  ['amount=1&a=&b=&c=&d=&e=&f=&g=', 'a, b, c, d, e, and 2 more'],
  [`amount=1&${encodeURIComponent('x\r\nset-cookie: é,')}=1`, 'x??set-cookie????'],
  [`amount=1&${'y'.repeat(1_000)}=1`, 'y'.repeat(64)],
])('names the unknown parameters of %s', async (query, header) => {
  expect(await headerOf(query)).toBe(header);
});

it('names nothing where it is switched off, as in production', async () => {
  expect(await headerOf('amount=1&slipageBps=2', false)).toBeUndefined();
});

const swap = defineEndpoint({
  method: 'GET',
  path: '/swap',
  operationId: 'GetSwap',
  summary: '',
  description: '',
  query: Type.Object({
    amount: Type.String(),
    slippageBps: Type.Optional(Type.String()),
    dexes: Type.Optional(Type.Array(Type.String())),
  }),
  responses: { 200: Type.Object({}) },
  handle: () => ({}),
});

async function headerOf(query: string, namesUnknownParameters = true): Promise<unknown> {
  const product = {
    ...createProductWithoutEndpoints('swap', '/swap'),
    endpoints: [{ endpoint: swap, handle: () => ({}) }],
  };
  const app = await createSampleGateway({ products: [product], namesUnknownParameters });
  return (await app.inject(`/swap?${query}`)).headers[UNKNOWN_PARAMETERS_HEADER];
}
