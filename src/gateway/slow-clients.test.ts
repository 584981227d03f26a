import { once } from 'node:events';
import { constants } from 'node:http2';
import { connect } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { REQUEST_ID_HEADER } from './http/log/request-id.ts';
import type { Bounds } from './server/server.ts';
import {
  askHttp2,
  exchange,
  openTlsSocket,
  openHttp2,
  receiveAll,
  Transport,
} from '../testing/gateway/transport.ts';
import { DEFAULT_BOUNDS } from '../testing/server-bounds.ts';
import { PATIENCE_MS } from '../testing/waits.ts';
import { openForEach } from '../testing/opened.ts';

const transport = openForEach(() => new Transport(), 'close');

describe('a slow or greedy client', () => {
  it.each([
    ['headers that never end', 'GET /who HTTP/1.1\r\nhost: a\r\nx: '],
    [
      'a body that never ends',
      'POST /echo HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
    ],
  ])('is disconnected: %s', async (_what, bytes) => {
    const { url } = await transport.serve({ bounds: requestsAreBound });
    expect(await exchange(url, bytes)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('is disconnected over TLS too: endless headers and bodies over HTTP/1.1 and HTTP/2', async () => {
    const { url } = await transport.serve({ bounds: requestsAreBound, secure: true });
    const post =
      'POST /echo HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{';
    for (const bytes of ['GET /who HTTP/1.1\r\nhost: a\r\nx: ', post]) {
      const socket = await openTlsSocket(url, ['http/1.1']);
      expect(await receiveAll(socket, bytes)).toMatch(/^HTTP\/1\.1 408 /);
    }
    const session = openHttp2(url);
    const json = { ':method': 'POST', ':path': '/echo', 'content-type': 'application/json' };
    const stream = session.request(json);
    const drops = setInterval(() => stream.write(' '), 20);
    const closed = once(stream, 'close');
    const [answer] = (await once(stream, 'response')) as [Record<string, string | number>];
    expect(answer[':status']).toBe(408);
    expect(answer[REQUEST_ID_HEADER]).toMatch(/^[0-9a-f-]{36}$/);
    stream.resume();
    await closed;
    clearInterval(drops);
    // The session goes on. Only the test decides when its body arrives, so a slow machine may be answered 408 once more.
    await vi.waitFor(async () => expect((await askHttp2(session, json, '{"text":"a"}')).status).toBe(200));
    session.destroy();
  });

  it('is disconnected if it does not read its answer over HTTP/2', async () => {
    const bounds = { ...requestsAreBound, idleTimeoutMs: 300 };
    const { url } = await transport.serve({ bounds, secure: true, maxAnswerMs: 100 });
    const session = openHttp2(url);
    const stream = session.request({ ':path': '/large' });
    stream.on('error', () => undefined);
    const closed = new Promise((resolve) => stream.once('close', resolve));
    await once(stream, 'response');
    await closed;
    expect(stream.rstCode).toBe(constants.NGHTTP2_CANCEL);
    session.destroy();
  });

  it('may wait on a route whose limit is longer than the limit of silence', async () => {
    const bounds = { ...requestsAreBound, idleTimeoutMs: 300 };
    const { url } = await transport.serve({ bounds, maxAnswerMs: 100 });
    // A slow machine may take longer than the limit of a request until it has read one; then another is sent.
    await vi.waitFor(async () => {
      const text = await exchange(url, 'GET /patient HTTP/1.1\r\nhost: a\r\n\r\n');
      expect(text).toMatch(/^HTTP\/1\.1 200 .*\{"done":true\}$/s);
    });
    const { url: secureUrl } = await transport.serve({ bounds, maxAnswerMs: 100, secure: true });
    await vi.waitFor(async () => {
      const session = openHttp2(secureUrl);
      session.on('error', () => undefined);
      expect((await askHttp2(session, { ':path': '/patient' })).text).toBe('{"done":true}');
      session.destroy();
    });
  });

  it('is disconnected if it is idle or sends nothing', async () => {
    const { url } = await transport.serve({ bounds: silenceIsBound });
    expect(await exchange(url, 'GET /who HTTP/1.1\r\nhost: a\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
    const { url: unasked } = await transport.serve({ bounds: requestsAreBound });
    expect(await exchange(unasked)).toMatch(/^(HTTP\/1\.1 408 |$)/);
  });

  it('is bound by the configured limits', async () => {
    const { url } = await transport.serve({ bounds: patient });
    const header = `GET /who HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(3_000)}\r\n\r\n`;
    expect(await exchange(url, header)).toMatch(/^HTTP\/1\.1 431 /);
    const body = JSON.stringify({ text: 'x'.repeat(2_000) });
    const post = `POST /echo HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    expect(await exchange(url, post)).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('gets no more connections than the maximum', async () => {
    const { app, url } = await transport.serve({ bounds: { ...DEFAULT_BOUNDS, maxConnections: 1 } });
    const begun = once(app.server, 'request');
    const first = connect(Number(url.port), '127.0.0.1');
    first.write('GET /never HTTP/1.1\r\nhost: a\r\n\r\n');
    await begun;
    expect(await exchange(url)).toBe('');
    first.destroy();
  });

  const patient: Bounds = {
    ...DEFAULT_BOUNDS,
    requestTimeoutMs: PATIENCE_MS,
    idleTimeoutMs: PATIENCE_MS,
    maxBodyBytes: 1_024,
    maxHeaderBytes: 2_048,
  };
  /** Each test has the one limit that it waits for, so that a slow machine reaches no other. */
  const requestsAreBound: Bounds = { ...patient, requestTimeoutMs: 300 };
  const silenceIsBound: Bounds = { ...patient, idleTimeoutMs: 300 };
});
