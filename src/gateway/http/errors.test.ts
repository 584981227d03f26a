import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { listen } from './listen.ts';
import { REQUEST_ID_HEADER } from './log/request-id.ts';
import { closeGateways, createSampleGateway } from '../../testing/gateway/sample-gateway.ts';
import { DEFAULT_BOUNDS } from '../../testing/server-bounds.ts';

afterEach(closeGateways);

describe('error bodies', () => {
  it.each([
    ['/sample/a?limit=9', 'query parameter limit must be <= 5, got 9'],
    ['/sample/a?limit=1.5', 'query parameter limit must be a whole number, got "1.5"'],
    ['/sample/a', 'query parameter limit is missing'],
    ['/sample/a?limit=1&limit=2', 'query parameter limit is given 2 times; give it once'],
    [
      '/sample/a?limit=1&limt=2',
      'query parameter limt is not known; did you mean limit?; known are limit, flag',
    ],
    ['/sample/a?limit=1&flag=yes', 'query parameter flag must be true or false, got "yes"'],
    ['/refuses', 'amount must be more'],
  ])('answers %s with: %s', async (url, error) => {
    const answer = await (await createSampleGateway()).inject(url);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({ error });
  });

  it('reads typed values from the query, and converts nothing in a body', async () => {
    const app = await createSampleGateway();
    expect((await app.inject('/sample/a?limit=2&flag=true')).json()).toEqual({ limit: 2, flag: true });
    const answer = await app.inject({ method: 'POST', url: '/sample', payload: { count: '5' } });
    expect(answer.json()).toEqual({ error: 'body field count must be a whole number, got "5"' });
  });

  it('have the gateway’s shape if the gateway refuses', async () => {
    const app = await createSampleGateway();
    const json = { 'content-type': 'application/json' };
    const cases = [
      [{ method: 'DELETE', url: '/sample/a' }, 405, 'DELETE is not allowed here; allowed are GET'],
      [{ method: 'POST', url: '/sample', headers: json, payload: '{' }, 400, /JSON/],
      [
        { method: 'POST', url: '/sample', headers: json, payload: '{"__proto__":{"a":1}}' },
        400,
        /JSON|proto/,
      ],
      [
        { method: 'POST', url: '/sample', headers: json, payload: `{"a":"${'x'.repeat(70_000)}"}` },
        413,
        /large/,
      ],
      [
        { method: 'POST', url: '/sample', headers: { 'content-type': 'text/plain' }, payload: 'a' },
        415,
        /text\/plain/,
      ],
      [{ url: '/offline' }, 503, /network does not answer/],
      [
        { url: '/undecodable' },
        503,
        /^The Solana network does not answer: it returned an account that cannot be decoded: mint ends/,
      ],
      [{ url: '/wrapped' }, 503, /^The database does not answer$/],
    ] as const;
    for (const [request, code, message] of cases) {
      const answer = await app.inject(request);
      expect(answer.statusCode, JSON.stringify(request).slice(0, 200)).toBe(code);
      expect(answer.json()).toEqual({ code, message: expect.stringMatching(message) });
    }
  });

  it.each([
    ['/nowhere?a=b', '/nowhere is not a path of this server'],
    ['/sample/a/?limit=2', '/sample/a/ is not a path of this server; paths do not end with a slash'],
    ['/healthz/', '/healthz/ is not a path of this server; paths do not end with a slash'],
  ])('say `Not Found` for %s, and describe the request in `details`', async (url, details) => {
    const answer = await (await createSampleGateway()).inject(url);
    expect([answer.statusCode, answer.json()]).toEqual([404, { code: 404, message: 'Not Found', details }]);
  });

  it('names the allowed methods of a path', async () => {
    const app = await createSampleGateway();
    expect((await app.inject({ method: 'PUT', url: '/sample' })).headers.allow).toBe('POST');
    const options = await app.inject({ method: 'OPTIONS', url: '/sample' });
    expect(options.statusCode).toBe(204);
    expect(options.headers.allow).toBe('POST');
  });

  it.each([
    ['HEAD', '/sample/a', 'GET'],
    ['HEAD', '/sample/a?limit=2', 'GET'],
    ['HEAD', '/sample', 'POST'],
    ['TRACE', '/sample/a', 'GET'],
    ['QUERY', '/sample/a', 'GET'],
    ['PROPFIND', '/sample/a', 'GET'],
    ['SEARCH', '/sample?limit=2', 'POST'],
    ['DELETE', '/healthz', 'GET, HEAD'],
  ])('is 405 with `allow` for %s %s', async (method, url, allow) => {
    const { hostname, port } = new URL(await listen(await createSampleGateway(), LISTEN));
    const answer = await new Promise<IncomingMessage>((resolve) =>
      request({ hostname, port, method, path: url, agent: false }, resolve).end(),
    );
    answer.resume();
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, allow]);
  });

  it('is 404 for a path that does not exist, whatever the method', async () => {
    const app = await createSampleGateway();
    for (const method of ['HEAD', 'TRACE', 'POST', 'OPTIONS'] as const) {
      expect((await app.inject({ method, url: '/sample/a/b' })).statusCode, method).toBe(404);
    }
    const { hostname, port } = new URL(await listen(app, LISTEN));
    const status = new Promise((resolve) =>
      request({ hostname, port, method: 'PROPFIND', path: '/sample/a/b', agent: false }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      }).end(),
    );
    expect(await status).toBe(404);
  });

  it('has a status and no body for HEAD, which monitors use', async () => {
    const answer = await (await createSampleGateway()).inject({ method: 'HEAD', url: '/healthz' });
    expect([answer.statusCode, answer.body]).toEqual([200, '']);
  });

  it('is 400 for a body that is nested too deeply', async () => {
    const app = await createSampleGateway();
    const post = (payload: string) =>
      app.inject({
        method: 'POST',
        url: '/sample',
        headers: { 'content-type': 'application/json' },
        payload,
      });
    const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    const message = expect.stringMatching(/^JSON may be nested 64 levels deep, got more at character \d+$/);
    for (const payload of [
      deep(65),
      deep(30_000),
      '['.repeat(60_000),
      `{"count":1,"other":${deep(30_000)}}`,
      `{"a":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`,
      `["]]]]",${deep(64)}]`,
      `["\\"]",${deep(64)}]`,
    ]) {
      const answer = await post(payload);
      expect(answer.json(), payload.slice(0, 80)).toEqual({ code: 400, message });
    }
    for (const payload of [deep(64), `{"count":"${'['.repeat(100)}"}`, `{"count":"\\"${'['.repeat(100)}"}`]) {
      const answer = await post(payload);
      expect(answer.json().error, payload.slice(0, 80)).toMatch(/body/);
    }
    expect((await post(`{"count":1,"other":"${'['.repeat(100)}"}`)).statusCode).toBe(200);
    expect((await post('')).json()).toEqual({ code: 400, message: expect.stringMatching(/empty/) });
  });

  it('have the endpoint’s form for a defect, if it has one', async () => {
    const answer = await (await createSampleGateway()).inject('/breaks-in-its-form');
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({
      error: `Internal server error; the request id is ${answer.headers[REQUEST_ID_HEADER]}`,
      code: -1,
    });
  });

  it('shows only the request id of a defect, and logs the error', async () => {
    const log: string[] = [];
    const app = await createSampleGateway({}, log);
    const answer = await app.inject('/breaks');
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({
      code: 500,
      message: `Internal server error; the request id is ${answer.headers[REQUEST_ID_HEADER]}`,
    });
    expect(log.join('')).toContain('hunter2');
  });
});

describe('on a socket', () => {
  it.each([
    ['GARBAGE\r\n\r\n', 400, 'Bad Request'],
    [
      `GET /healthz HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(DEFAULT_BOUNDS.maxHeaderBytes)}\r\n\r\n`,
      431,
      'Request Header Fields Too Large',
    ],
  ])('answers malformed bytes with an id and the gateway’s body', async (bytes, code, message) => {
    const text = await exchange(await createSampleGateway(), bytes);
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${code} `));
    expect(text).toMatch(new RegExp(`${REQUEST_ID_HEADER}: [0-9a-f-]{36}`));
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toEqual({ code, message });
  });

  it.each([
    ['GET /healthz HTTP/1.1\r\n\r\n', 400, '"message":"header host is missing, which HTTP/1.1 needs"'],
    ['GET /healthz HTTP/1.1\r\nhost: a\r\nexpect: much\r\n\r\n', 200, '{"status":"ok"}'],
    ['GET /healthz HTTP/1.0\r\n\r\n', 200, '{"status":"ok"}'],
  ])('answers %j with an id and a body, whether or not Node answers it', async (bytes, code, body) => {
    const text = await exchange(await createSampleGateway(), bytes);
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${code} `));
    expect(text).toMatch(new RegExp(`${REQUEST_ID_HEADER}: [0-9a-f-]{36}`));
    expect(text).toContain(body);
  });

  async function exchange(app: FastifyInstance, bytes: string): Promise<string> {
    await app.listen({ port: 0, host: '127.0.0.1' });
    const address = app.server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      connect(address.port, '127.0.0.1')
        .on('data', (chunk) => chunks.push(chunk))
        .on('error', reject)
        .on('close', () => resolve(Buffer.concat(chunks).toString()))
        .end(bytes);
    });
  }
});

const LISTEN = { host: '127.0.0.1', port: 0, setting: 'rest-port' };
