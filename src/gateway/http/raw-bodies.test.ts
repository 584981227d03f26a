import { Type } from 'typebox';
import { afterEach, describe, expect, it } from 'vitest';
import { defineEndpoint, OtherAnswer } from '../../products/endpoint.ts';
import { defineProduct } from '../../products/product.ts';
import { FileAnswer } from '../../products/raw-body.ts';
import { closeGateways, createSampleGateway, KEY } from '../../testing/gateway/sample-gateway.ts';
import type { OpenApiDocument } from '../docs/openapi.ts';

afterEach(closeGateways);

describe('a body that is a file', () => {
  it('reaches the endpoint as its bytes, whatever its type is', async () => {
    const app = await open();
    const put = async (contentType: string | null, payload: Buffer | string) => {
      const headers = contentType === null ? {} : { 'content-type': contentType };
      return (await app.inject({ method: 'PUT', url: '/files/a.bin', headers, payload })).json();
    };
    expect(await put('Image/PNG; x=y', Buffer.from([0, 255]))).toEqual({ type: 'image/png', hex: '00ff' });
    expect(await put('application/json', '{not json')).toMatchObject({ type: 'application/json' });
    expect(await put(null, 'x')).toEqual({ type: '', hex: '78' });
    expect(await put(null, '')).toEqual({ type: '', hex: '' });
    expect(await put('image/png', '')).toEqual({ type: 'image/png', hex: '' });
  });

  it('has the bound of its endpoint', async () => {
    const app = await open();
    const put = (payload: string) => app.inject({ method: 'PUT', url: '/files/a.bin', payload });
    expect((await put('x'.repeat(100))).statusCode).toBe(200);
    const refused = await put('x'.repeat(101));
    expect([refused.statusCode, refused.json().code]).toEqual([413, 413]);
  });

  it('is not read if the endpoint does not admit it', async () => {
    const app = await open();
    const answer = await app.inject({ method: 'PUT', url: '/files/no.bin', payload: 'x'.repeat(101) });
    expect([answer.statusCode, answer.json()]).toEqual([403, { error: 'no' }]);
  });
});

describe('a body that is a form', () => {
  it('reaches the endpoint as fields and files', async () => {
    const form = new FormData();
    form.append('file', new Blob(['ab'], { type: 'text/x' }), 'f');
    form.append('owner', 'me');
    expect((await postForm(form)).json()).toEqual({ owner: 'me', file: 'text/x ab' });
  });

  it('is refused with the sentence of the endpoint if it cannot be read', async () => {
    const app = await open();
    const headers = { 'content-type': 'multipart/form-data; boundary=a' };
    const answer = await app.inject({ method: 'POST', url: '/files', headers, payload: 'x' });
    expect([answer.statusCode, answer.json().error]).toEqual([
      400,
      'The body is not a complete form of the type multipart/form-data',
    ]);
  });

  it('is refused with 415 if it is of another type, and is empty without a body', async () => {
    const app = await open();
    const post = async (type: string | null, payload: string) => {
      const headers = type === null ? {} : { 'content-type': type };
      const { statusCode, body } = await app.inject({ method: 'POST', url: '/files', headers, payload });
      return [statusCode, JSON.parse(body)];
    };
    const message = 'content-type must be multipart/form-data, got "application/json"';
    expect(await post('application/json', '{}')).toEqual([415, { code: 415, message }]);
    expect(await post(null, '')).toEqual([200, {}]);
  });
});

describe('an answer that is a file', () => {
  it('has the type and the headers of the endpoint, and can come in chunks', async () => {
    const app = await open();
    for (const [url, text] of [
      ['/files/a.bin', 'whole'],
      ['/files/chunks.bin', 'in chunks'],
    ] as const) {
      const { statusCode, headers, body } = await app.inject(url);
      expect([statusCode, body]).toEqual([200, text]);
      expect(headers).toMatchObject({
        'content-type': 'image/png',
        'content-length': String(text.length),
        'cache-control': 'max-age=1',
        'x-content-type-options': 'nosniff',
      });
    }
  });
});

describe('an open endpoint', () => {
  it('answers where keys are required, and every key, and is not counted', async () => {
    const app = await open();
    const { headers } = await app.inject({ url: '/files/a.bin', headers: { 'x-api-key': KEY } });
    expect(headers['x-ratelimit-current']).toBeUndefined();
    const form = new FormData();
    expect((await postForm(form)).headers['x-ratelimit-current']).toBe('1');
    expect((await app.inject({ url: '/files/a.bin', headers: { 'x-api-key': 'other' } })).statusCode).toBe(
      401,
    );
  });
});

describe('the document', () => {
  it('names the media types of bodies and answers', async () => {
    const { paths } = (await (await open()).inject('/openapi.json')).json<OpenApiDocument>();
    const binary = { type: 'string', format: 'binary' };
    expect(paths['/files/{name}.bin']?.put?.requestBody?.content).toEqual({
      'image/png': { schema: binary },
      'image/gif': { schema: binary },
    });
    expect(paths['/files/{name}.bin']?.get?.responses['200']?.content).toEqual({
      'image/png': { schema: binary },
    });
    const { body: page } = await (await open()).inject('/docs/api');
    expect(page).toContain('The body is of the type <code>image/png</code> or <code>image/gif</code>.');
    expect(page).toContain('The body is of the type <code>multipart/form-data</code>.');
    expect(Object.keys(paths['/files']?.post?.requestBody?.content ?? {})).toEqual(['multipart/form-data']);
  });
});

const BINARY = Type.Unsafe<string>({ type: 'string', format: 'binary' });
const described = { summary: 'S', description: 'D.', isOpen: true } as const;
const files = defineProduct({
  name: 'files',
  description: 'A sample.',
  basePaths: ['/files'],
  endpoints: [
    defineEndpoint({
      ...described,
      method: 'PUT',
      path: '/files/:name.bin',
      operationId: 'PutFile',
      params: Type.Object({ name: Type.String() }),
      rawBody: { kind: 'file', contentTypes: ['image/png', 'image/gif'], maxBytes: 100 },
      responses: { 200: Type.Any(), 403: Type.Any() },
      admit: (_services, { params }) =>
        (params as { name: string }).name === 'no' ? new OtherAnswer(403, { error: 'no' }) : null,
      handle: (_services, { body }) => ({ type: body.contentType, hex: body.bytes.toString('hex') }),
    }),
    defineEndpoint({
      ...described,
      method: 'GET',
      path: '/files/:name.bin',
      operationId: 'GetFile',
      params: Type.Object({ name: Type.String() }),
      fileTypes: ['image/png'],
      responses: { 200: BINARY },
      handle: (_services, { params }) =>
        new FileAnswer(
          'image/png',
          params.name === 'chunks' ? { length: 9, chunks: chunksOf('in chunks') } : Buffer.from('whole'),
          { 'cache-control': 'max-age=1' },
        ),
    }),
    defineEndpoint({
      summary: 'S',
      description: 'D.',
      method: 'POST',
      path: '/files',
      operationId: 'PostForm',
      rawBody: {
        kind: 'multipart',
        schema: Type.Object({ owner: Type.String(), file: BINARY }),
        maxBytes: 1_000,
        maxFieldBytes: 100,
      },
      responses: { 200: Type.Any() },
      onUnreadable: (error) => new OtherAnswer(400, { error }),
      handle: (_services, { body }) => {
        const file = body.files.get('file');
        return {
          owner: body.fields.get('owner'),
          ...(file === undefined ? {} : { file: `${file.contentType} ${file.bytes}` }),
        };
      },
    }),
  ],
  open: () => ({ services: null }),
});

async function* chunksOf(text: string): AsyncIterable<Uint8Array> {
  for (const one of text) yield Buffer.from(one);
}

async function open() {
  return createSampleGateway({ products: [await files.open({})] });
}

async function postForm(form: FormData) {
  const app = await open();
  const request = new Request('http://127.0.0.1/', { method: 'POST', body: form });
  const headers = { 'content-type': request.headers.get('content-type') ?? '' };
  return app.inject({
    method: 'POST',
    url: '/files',
    headers,
    payload: Buffer.from(await request.arrayBuffer()),
  });
}
