import { describe, expect, it } from 'vitest';
import { renderApiLinks, renderApiMarkdown } from './api-markdown.ts';
import { type OpenApiDocument, STATUS_TEXT } from '../openapi.ts';

describe('renderApiMarkdown', () => {
  it('lists all operations by their tags, and links to the page of each tag', () => {
    const { index, groups } = renderApiMarkdown(DOCUMENT, '/docs/api');
    expect(index).toContain('# Sluice 1.2.3: API reference');
    expect(index).toContain('An API key is sent in the header `x-api-key`.');
    expect(index).toContain('## token lists\n\nLists of tokens.');
    expect(index).toContain('[token lists](/docs/api/token-lists.md)');
    expect(index).toContain('| `POST /lists/{id}` | Change a list |');
    expect([...groups.keys()]).toEqual(['token-lists']);
  });

  it('writes the parameters, the body, the answers and the errors of an operation', () => {
    const page = renderApiMarkdown(DOCUMENT, '/docs/api').groups.get('token-lists') ?? '';
    expect(page).toContain('## POST /lists/{id}\n\n**Change a list**');
    expect(page).toContain('Needs a token');
    expect(page).toContain('Right: `lists.write`.');
    expect(page).toContain('| `id` | path | `"a" \\| "b"` | yes | One of two lists. Example: `a`. |');
    expect(page).toContain('Body, `application/json`:\n\n```ts\n{\n  name: string  // Its name.\n}\n```');
    expect(page).toContain('Example:\n\n```json\n{\n  "name": "x"\n}\n```');
    expect(page).toContain('Answer 200, `application/json`. Success:\n\n```ts\ninteger\n```');
    expect(page).toContain('Answer 204: Nothing.');
    expect(page).toContain('| 404 | There is no such list. | `ListError` or `GatewayError` |');
    expect(page).toContain('Errors of the gateway, described below: 500.');
    expect(page).toContain(`| 500 | ${STATUS_TEXT[500]} | \`GatewayError\` |`);
    expect(page).toContain('type ListError = {\n  error: string\n};');
  });

  it('writes operations once that are the same under several paths', () => {
    const [[, operation]] = Object.entries(DOCUMENT.paths) as [[string, (typeof DOCUMENT)['paths'][string]]];
    const paths = { ...DOCUMENT.paths, '/v1/lists/{id}': operation };
    const page = renderApiMarkdown({ ...DOCUMENT, paths }, '/docs/api').groups.get('token-lists') ?? '';
    expect(page).toContain('## POST /lists/{id}\n\nThe same as `POST /v1/lists/{id}`.');
    expect(page.match(/\*\*Change a list\*\*/g)).toHaveLength(1);
  });
});

describe('renderApiLinks', () => {
  it('links to the list, the document and each tag', () => {
    const links = renderApiLinks(DOCUMENT, '/docs/api');
    expect(links).toContain('- [API reference](/docs/api.md): ');
    expect(links).toContain('- [OpenAPI document](/openapi.json): ');
    expect(links).toContain('- [token lists](/docs/api/token-lists.md): Lists of tokens.');
  });
});

const GATEWAY_ERROR = { $ref: '#/components/schemas/GatewayError' };

const DOCUMENT: OpenApiDocument = {
  openapi: '3.1.1',
  info: { title: 'Sluice', version: '1.2.3', description: 'A gateway.' },
  tags: [{ name: 'token lists', description: 'Lists of tokens.' }],
  components: {
    securitySchemes: { ApiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
    schemas: {
      GatewayError: { type: 'object', required: ['code'], properties: { code: { type: 'integer' } } },
      ListError: { type: 'object', required: ['error'], properties: { error: { type: 'string' } } },
    },
  },
  paths: {
    '/lists/{id}': {
      post: {
        operationId: 'changeList',
        summary: 'Change a list',
        tags: ['token lists'],
        security: [{ Bearer: [] }],
        'x-right': 'lists.write',
        parameters: [
          {
            name: 'id',
            in: 'path',
            required: true,
            description: 'One of two\nlists.',
            schema: { enum: ['a', 'b'] },
            example: 'a',
          },
        ],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['name'],
                properties: { name: { type: 'string', description: 'Its name.' } },
              },
              example: { name: 'x' },
            },
          },
        },
        responses: {
          200: { description: 'Success.', content: { 'application/json': { schema: { type: 'integer' } } } },
          204: { description: 'Nothing.' },
          404: {
            description: 'There is no such list.',
            content: {
              'application/json': {
                schema: { anyOf: [{ $ref: '#/components/schemas/ListError' }, GATEWAY_ERROR] },
              },
            },
          },
          500: {
            description: STATUS_TEXT[500] ?? '',
            content: { 'application/json': { schema: GATEWAY_ERROR } },
          },
        },
      },
    },
  },
};
