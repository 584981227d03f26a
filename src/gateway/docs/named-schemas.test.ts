import { expect, it } from 'vitest';
import { nameSchemas } from './named-schemas.ts';

it('gives an object its title as its name, and refers to it wherever it stands', () => {
  const coin = { title: 'Coin', type: 'object', properties: { mint: text } };
  const { schemas, schemaOf } = name({
    get: answering('GetCoins', { type: 'array', items: coin }),
    post: answering('PostCoin', { ...coin, description: 'The new one.' }),
  });
  expect(schemas).toEqual({ Coin: { type: 'object', properties: { mint: text } } });
  expect(schemaOf('get')).toEqual({ type: 'array', items: ref('Coin') });
  expect(schemaOf('post')).toEqual({ ...ref('Coin'), description: 'The new one.' });
});

it('names an object without a title after its place, in whatever it stands', () => {
  const fee = { type: 'object', properties: { bps: text } };
  const { schemas } = name({
    get: answering('GetOrder', {
      type: 'object',
      properties: {
        platform_fee: { anyOf: [fee, { type: 'null' }] },
        steps: { type: 'array', items: { type: 'object', properties: { amm: text } } },
        byMint: { type: 'object', additionalProperties: { type: 'object', properties: { price: text } } },
        kind: {
          anyOf: [
            { type: 'object', properties: { a: text } },
            { type: 'object', properties: { b: text } },
          ],
        },
      },
    }),
  });
  expect(Object.keys(schemas)).toEqual([
    'GetOrderResponse',
    'GetOrderResponseByMintValue',
    'GetOrderResponseKind1',
    'GetOrderResponseKind2',
    'GetOrderResponsePlatformFee',
    'GetOrderResponseStepsItem',
  ]);
});

it('gives equal objects without titles one name, and refuses one name for two objects', () => {
  const plain = (member: string) => ({ type: 'object', properties: { [member]: text } });
  const { schemas } = name({ get: answering('GetA', plain('a')), post: answering('PostA', plain('a')) });
  expect(Object.keys(schemas)).toEqual(['GetAResponse']);
  expect(() =>
    name({
      get: answering('GetA', { title: 'A', ...plain('a') }),
      post: answering('PostA', { title: 'A', ...plain('b') }),
    }),
  ).toThrow('two schemas that are not equal have the name A');
});

type Json = Record<string, unknown>;

const text = { type: 'string' };
const answering = (operationId: string, schema: Json) => ({
  operationId,
  responses: { 200: { content: { 'application/json': { schema } } } },
});
const name = (operations: Record<string, ReturnType<typeof answering>>) => {
  const { document, schemas } = nameSchemas({ paths: { '/x': operations } });
  const schemaOf = (method: string) => {
    const content = document.paths['/x']?.[method]?.responses[200]?.content as Record<
      string,
      { schema: Json }
    >;
    return content['application/json']?.schema;
  };
  return { schemas, schemaOf };
};
const ref = (schema: string) => ({ $ref: `#/components/schemas/${schema}` });
