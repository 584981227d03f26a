import type { TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';
import { PRODUCTS } from '../src/app/products.ts';
import { compileValidator } from '../src/gateway/http/validation.ts';
import { openStubGateway, REACHED, SERVED_PATHS } from './stub-products.ts';
import { openForAll } from '../src/testing/opened.ts';

// What every endpoint of every product takes, whichever product is added.

const ENDPOINTS = PRODUCTS.flatMap(({ endpoints }) => endpoints);

const propertiesOf = (schema: TSchema) =>
  ('properties' in schema ? schema.properties : {}) as Readonly<Record<string, TSchema>>;

const OPTIONAL_FIELDS = ENDPOINTS.flatMap(({ path, body }) =>
  body === null ? [] : optionalFields(body).map((field) => ({ path, schema: body, ...field })),
);

describe('an optional field of a body', () => {
  it('stands in many bodies', () => {
    const names = OPTIONAL_FIELDS.map(({ path, name }) => `${path} ${name}`);
    expect(names).toContain('/lend/v1/borrow/operate positionOwner');
    expect(names).toContain('/tokens/v2/verify/express/execute tokenMetadata');
    expect(names).toContain('/swap/v1/swap quoteResponse.routePlan[0].swapInfo.label');
  });

  it.each(OPTIONAL_FIELDS)('may be null: $name of $path', ({ schema, body }) => {
    expect(read(withoutRequired(schema), 'body', body).message).toBeUndefined();
  });
});

/** Returns a schema of which no part needs a field, so that a body with one field is valid. */
function withoutRequired(schema: TSchema): TSchema {
  return JSON.parse(JSON.stringify(schema, (key, value) => (key === 'required' ? undefined : value)));
}

/** How a parameter that is a list is described, or named. */
const LIST_TEXT = /separated by commas|commas between|^Up to \d+ |^As for `\/tokens/;
const LIST_NAMES = ['addresses', 'dexes', 'excludeDexes', 'ids', 'mints', 'platforms', 'positions', 'users'];

const LISTS = ENDPOINTS.flatMap(({ path, query }) =>
  Object.entries(query === null ? {} : propertiesOf(query))
    .filter(([name, schema]) => {
      const { description = '', type } = schema as { description?: string; type?: string };
      return LIST_NAMES.includes(name) || type === 'array' || LIST_TEXT.test(description);
    })
    .map(([name]) => ({ path, name, schema: query as TSchema })),
);

describe('a list in a query', () => {
  it('is a parameter of many endpoints', () => {
    const found = LISTS.map(({ path, name }) => `${path} ${name}`);
    expect(found).toEqual(
      expect.arrayContaining([
        '/price/v3 ids',
        '/price/v3/stream ids',
        '/price/v2 ids',
        '/tokens/v2/search query',
        '/_datapi/v1/assets/search query',
        '/_datapi/v1/txs/users addresses',
        '/swap/v2/order dexes',
      ]),
    );
  });

  it.each(LISTS)('may have any form: $name of $path', ({ name, schema }) => {
    const alone = withoutRequired(schema);
    const joined = read(alone, 'querystring', { [name]: 'a,b,c' });
    expect(joined).toHaveProperty('value');
    for (const given of [
      { [name]: ['a', 'b', 'c'] },
      { [`${name}[]`]: ['a', 'b', 'c'] },
      { [`${name}[0]`]: 'a', [`${name}[1]`]: 'b', [`${name}[2]`]: 'c' },
      { [name]: 'a, b', [`${name}[]`]: 'c' },
      { [`${name}[]`]: 'a,b', [name]: ['', 'c'] },
    ]) {
      expect(read(alone, 'querystring', given), JSON.stringify(given)).toEqual(joined);
    }
  });
});

describe('a path', () => {
  const app = openForAll(
    () => openStubGateway({ keyless: () => ({ main: 10_000, execute: 10_000, submit: 10_000 }) }),
    'close',
  );

  it.each(SERVED_PATHS)('has no slash at its end, and no empty segment: $method $path', async (served) => {
    const { method, path, url } = served;
    expect((await app.inject({ method, url })).statusCode).toBe(REACHED);
    const others = [
      `${url}/`,
      `${url}/?a=1`,
      `${url}//`,
      `/${url}`,
      url.replace(/\/(?=[^/]+$)/, '//'),
      ...Array.from(path.matchAll(/:\w+/g), ([name]) => path.replace(name, '').replace(/:\w+/g, 'x')),
    ];
    for (const other of others.filter((each) => !KNOWN.has(each.split('?')[0] ?? ''))) {
      for (const one of METHODS) {
        const answer = await app.inject({ method: one, url: other });
        expect(answer.statusCode, `${one} ${other}`).toBe(404);
        if (one !== 'HEAD') expect(answer.json()).toMatchObject({ code: 404, message: 'Not Found' });
      }
    }
  });

  const METHODS = ['GET', 'POST', 'HEAD'] as const;
  const KNOWN = new Set(SERVED_PATHS.map(({ path }) => path));
});

/** Validates a part of a request as the gateway does. */
function read(schema: TSchema, httpPart: string, given: unknown): { value?: unknown; message?: string } {
  const result = compileValidator({ schema, httpPart, method: 'POST', url: '/' })(given);
  const { value, error } = result as { value?: unknown; error?: Error };
  return error === undefined ? { value } : { message: error.message };
}

interface Field {
  readonly name: string;
  /** A body with null in this field, and nothing that it does not need. */
  readonly body: unknown;
}

/** All optional fields of a body at any depth. Of unions, the only member with fields. */
function optionalFields(schema: TSchema): readonly Field[] {
  const members = 'anyOf' in schema ? (schema.anyOf as readonly TSchema[]) : [schema];
  return members.flatMap((member): readonly Field[] => {
    if ('items' in member) {
      const inner = optionalFields(member.items as TSchema);
      return inner.map(({ name, body }) => ({ name: `[0].${name}`, body: [body] }));
    }
    const required = 'required' in member ? (member.required as readonly string[]) : [];
    return Object.entries(propertiesOf(member)).flatMap(([name, property]) => [
      ...(required.includes(name) ? [] : [{ name, body: { [name]: null } }]),
      ...optionalFields(property).map((field) => ({
        name: `${name}${field.name.startsWith('[') ? '' : '.'}${field.name}`,
        body: { [name]: field.body },
      })),
    ]);
  });
}
