import { describe, expect, it } from 'vitest';
import { ExactNumber } from '../../base/exact-json.ts';
import type { ServedDocument } from '../model/api-document.ts';
import { buildApiModel } from '../model/api-model.ts';
import { buildApiRequest, createPlaceholders, getExampleValues, getRequestTarget } from './api-request.ts';

describe('buildApiModel', () => {
  it('groups operations in the order of the document, and leaves out empty groups', () => {
    expect(model.groups.map(({ name, operations }) => [name, operations.map(({ id }) => id)])).toEqual([
      ['swap', ['GetQuote', 'PostOrder']],
      ['other', ['Upload']],
    ]);
  });

  it('tells which credential is required, and how it is sent', () => {
    expect(find('GetQuote').credentials).toEqual([
      { name: 'ApiKey', header: 'x-api-key', prefix: '', isRequired: false },
    ]);
    expect(find('PostOrder').credentials).toEqual([
      { name: 'ApiKey', header: 'x-api-key', prefix: '', isRequired: false },
      { name: 'Bearer', header: 'authorization', prefix: 'Bearer ', isRequired: true },
    ]);
  });

  it('knows streams, forms and files', () => {
    expect(find('GetQuote')).toMatchObject({ stream: 'events', body: null });
    expect(find('PostOrder')).toMatchObject({
      stream: null,
      body: { kind: 'json' },
      bucket: 'execute',
      credits: 0,
    });
    expect(find('Upload').body).toMatchObject({ kind: 'file', types: ['image/png', 'image/gif'] });
  });
});

describe('createPlaceholders', () => {
  it('puts names in the place of credentials', () => {
    const credentials = createPlaceholders(['ApiKey', 'Bearer', 'Other']);
    expect([...credentials.values()]).toEqual(['YOUR_API_KEY', 'YOUR_TOKEN', 'YOUR_CREDENTIAL']);
    const values = { ...getExampleValues(find('PostOrder')), body: undefined, origin: '', credentials };
    expect(buildApiRequest(find('PostOrder'), values).headers).toContainEqual({
      name: 'authorization',
      value: 'Bearer YOUR_TOKEN',
    });
  });
});

describe('buildApiRequest', () => {
  it('sends the example of an operation', () => {
    const request = build('GetQuote', getExampleValues(find('GetQuote')).parameters);
    expect(getRequestTarget(request)).toBe('/quote/So1?amount=100');
  });

  it('keeps every value in its place', () => {
    const values = new Map([
      ['path.mint', 'a/b?c#d'],
      ['query.amount', 'x&y=1+2 '],
      ['header.x-trace', 'id'],
    ]);
    const request = build('GetQuote', values);
    expect(getRequestTarget(request)).toBe('/quote/a%2Fb%3Fc%23d?amount=x%26y%3D1%2B2%20');
    expect(request.headers).toEqual([
      { name: 'x-api-key', value: 'jup_1' },
      { name: 'x-trace', value: 'id' },
    ]);
    const climbing = build('GetQuote', new Map([['path.mint', '..']]));
    expect(new URL(getRequestTarget(climbing), 'http://a').pathname).toMatch(/^\/quote\/./);
    expect(build('GetQuote', new Map([['path.mint', '\uD800']])).path).toBe('/quote/%EF%BF%BD');
  });

  it('leaves out empty values, and keeps the braces of a missing one', () => {
    expect(getRequestTarget(build('GetQuote', new Map([['query.amount', '']])))).toBe('/quote/{mint}');
  });

  it('joins lists with commas, and writes numbers as they were typed', () => {
    const values = new Map([['query.amount', ['a', new ExactNumber('18446744073709551615')]]]);
    expect(getRequestTarget(build('GetQuote', values))).toBe('/quote/{mint}?amount=a,18446744073709551615');
  });

  const build = (id: string, parameters: Parameters<typeof buildApiRequest>[1]['parameters']) =>
    buildApiRequest(find(id), {
      origin: 'http://127.0.0.1:8787',
      parameters,
      credentials: new Map([['ApiKey', 'jup_1']]),
    });
});

const answers = (type: string) => ({ 200: { content: { [type]: { schema: { type: 'string' } } } } });

const DOCUMENT: ServedDocument = {
  info: { title: 'Sluice', version: '1' },
  security: [{}, { ApiKey: [] }],
  components: {
    securitySchemes: {
      ApiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
      Bearer: { type: 'http', scheme: 'bearer' },
    },
  },
  tags: [{ name: 'swap', description: 'Swaps.' }, { name: 'empty' }],
  paths: {
    '/image': {
      put: {
        operationId: 'Upload',
        requestBody: { required: true, content: { 'image/png': {}, 'image/gif': {} } },
        responses: answers('application/json'),
      },
    },
    '/quote/{mint}': {
      get: {
        operationId: 'GetQuote',
        tags: ['swap'],
        parameters: [
          { name: 'mint', in: 'path', required: true, example: 'So1' },
          { name: 'amount', in: 'query', example: '100' },
          { name: 'x-trace', in: 'header' },
          { name: 'session', in: 'cookie' },
        ],
        responses: answers('text/event-stream'),
      },
    },
    '/order': {
      post: {
        operationId: 'PostOrder',
        tags: ['swap'],
        'x-bucket': 'execute',
        'x-credits': 0,
        security: [{ Bearer: [] }, { ApiKey: [], Bearer: [] }],
        requestBody: { content: { 'application/json': {} } },
        responses: answers('application/json'),
      },
    },
  },
};

const model = buildApiModel(DOCUMENT);

function find(id: string) {
  const operation = model.operations.get(id);
  if (operation === undefined) throw new Error(`no operation ${id}`);
  return operation;
}
