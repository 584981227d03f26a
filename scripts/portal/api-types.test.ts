import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { OpenApiDocument } from '../../src/gateway/docs/openapi.ts';
import { useInstance } from '../../test/e2e/shared-instance.ts';
import { writeApiTypes } from './api-types.ts';

describe("the portal's types of the API", () => {
  const instance = useInstance();

  it.each([
    ['public-api.ts', 'Public'],
    ['admin-api.ts', 'Admin'],
  ] as const)(
    '%s is what the document says: `npm run portal:types` brings it up to date',
    async (file, prefix) => {
      const { restUrl, adminUrl, operatorCredential } = instance;
      const headers: Record<string, string> =
        prefix === 'Admin' ? { authorization: `Bearer ${operatorCredential}` } : {};
      const url = prefix === 'Admin' ? adminUrl : restUrl;
      const document = (await (await fetch(`${url}/openapi.json`, { headers })).json()) as OpenApiDocument;
      const committed = readFileSync(new URL(`../../web/src/api/generated/${file}`, import.meta.url), 'utf8');
      expect(committed === writeApiTypes(document, prefix)).toBe(true);
    },
  );
});

describe('writeApiTypes', () => {
  it('writes parameters, references, unions, lists of unions and free names', () => {
    const text = writeApiTypes(DOCUMENT, 'Public');
    expect(text).toContain('"GET /orders/{id}": {');
    expect(text).toContain('      id: string;');
    expect(text).toContain('      "x-y"?: "a" | "b";');
    expect(text).toContain('    body: undefined;');
    expect(text).toContain('    answer: readonly PublicSchemas["Order"][];');
    expect(text).toContain('    amount: number | null;');
    expect(text).toContain('    tags?: readonly (string | number)[];');
    expect(text).toContain('    rest?: Readonly<Record<string, boolean>>;');
  });

  it('lets no description end its comment', () => {
    expect(writeApiTypes(DOCUMENT, 'Public')).not.toContain('*/ evil');
  });
});

const DOCUMENT = {
  paths: {
    '/orders/{id}': {
      get: {
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'x-y', in: 'query', required: false, schema: { enum: ['a', 'b'] } },
        ],
        responses: {
          200: {
            content: {
              'application/json': {
                schema: { type: 'array', items: { $ref: '#/components/schemas/Order' } },
              },
            },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Order: {
        type: 'object',
        required: ['amount'],
        properties: {
          amount: { anyOf: [{ type: 'integer' }, { type: 'null' }], description: '*/ evil' },
          tags: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
          rest: { type: 'object', additionalProperties: { type: 'boolean' } },
        },
      },
    },
  },
} as unknown as OpenApiDocument;
