import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { TEST_CERTIFICATES } from '../../testing/gateway/certificates.ts';
import { REQUEST_ID_HEADER } from '../http/log/request-id.ts';
import { closeServer } from './server.ts';
import { askHttp2, exchange, openTlsSocket, openHttp2, Transport } from '../../testing/gateway/transport.ts';
import { openForEach } from '../../testing/opened.ts';

const transport = openForEach(() => new Transport(), 'close');

describe('with a certificate', () => {
  it('serves HTTP/2 or HTTP/1.1, as the client chooses', async () => {
    const { url } = await transport.serve({ secure: true });
    expect(url.protocol).toBe('https:');
    const session = openHttp2(url);
    const answer = await askHttp2(session, {});
    expect(answer).toMatchObject({ status: 200, text: JSON.stringify({ version: '2.0', host: null }) });
    expect(answer.headers[REQUEST_ID_HEADER]).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    session.close();
    const socket = await openTlsSocket(url, ['http/1.1']);
    expect(socket.alpnProtocol).toBe('http/1.1');
    socket.write('GET /who HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    let text = '';
    socket.on('data', (chunk) => {
      text += String(chunk);
    });
    await once(socket, 'close');
    expect(text).toContain('{"version":"1.1","host":"a"}');
  });

  it('enforces the same bounds over HTTP/2', async () => {
    const { url } = await transport.serve({ secure: true });
    const session = openHttp2(url);
    const json = { ':method': 'POST', ':path': '/echo', 'content-type': 'application/json' };
    expect((await askHttp2(session, json, '{"text":"a"}')).status).toBe(200);
    expect((await askHttp2(session, json, JSON.stringify({ text: 'x'.repeat(70_000) }))).status).toBe(413);
    expect((await askHttp2(session, { ':path': '/nowhere' })).status).toBe(404);
    const large = session.request({ ':path': '/who', 'x-large': 'y'.repeat(30_000) });
    const end = await new Promise((resolve) => {
      large.on('response', (headers) => resolve(headers[':status']));
      large.on('error', () => resolve('refused'));
      large.on('close', () => resolve('refused'));
    });
    expect([431, 'refused']).toContain(end);
    session.destroy();
  });

  it('switches to a new certificate without closing connections, and keeps the previous one if the new one is broken', async () => {
    const { url } = await transport.serve({ secure: true });
    const nameOf = async () => {
      const socket = await openTlsSocket(url, ['h2']);
      const subject = socket.getPeerX509Certificate()?.subject;
      socket.destroy();
      return subject;
    };
    const session = openHttp2(url);
    expect(await nameOf()).toBe('CN=sluice test 1');
    transport.writeCertificate(1);
    transport.reload();
    expect(await nameOf()).toBe('CN=sluice test 2');
    writeFileSync(transport.files().certificate, TEST_CERTIFICATES[0].certificate);
    transport.reload();
    expect(transport.defects).toHaveLength(1);
    expect(await nameOf()).toBe('CN=sluice test 2');
    expect((await askHttp2(session, {})).status).toBe(200);
    session.close();
  });

  it('refuses TLS versions older than 1.2', async () => {
    const { url } = await transport.serve({ secure: true });
    const speaking = async (version: 'TLSv1.1' | 'TLSv1.2') => {
      const socket = connectTls({
        port: Number(url.port),
        host: '127.0.0.1',
        rejectUnauthorized: false,
        ciphers: 'DEFAULT@SECLEVEL=0',
        minVersion: version,
        maxVersion: version,
      });
      const spoken = await Promise.race([
        once(socket, 'secureConnect').then(() => socket.getProtocol()),
        once(socket, 'close').then(() => null),
      ]).catch((error: NodeJS.ErrnoException) => error.code);
      socket.destroy();
      return spoken;
    };
    expect(await speaking('TLSv1.2')).toBe('TLSv1.2');
    expect(await speaking('TLSv1.1')).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
  });

  it('does not start with invalid files', async () => {
    writeFileSync(transport.files().key, 'none');
    await expect(transport.serve({ secure: true })).rejects.toThrow(/cannot be used as certificate and key/);
    rmSync(transport.files().key);
    await expect(transport.serve({ secure: true })).rejects.toThrow(/key\.pem cannot be read/);
  });

  it('closes although clients keep their connections open', async () => {
    const { app, url } = await transport.serve({ secure: true });
    const session = openHttp2(url);
    await askHttp2(session, {});
    const idle = await openTlsSocket(url, ['http/1.1']);
    const gone = Promise.all([once(session, 'close'), once(idle, 'close')]);
    await closeServer(app, 100);
    await gone;
  });
});

async function plainConnection(url: URL) {
  const socket = connect(Number(url.port), '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

describe('a server that closes', () => {
  it.each([
    ['over HTTP', false],
    ['over TLS', true],
  ])('does not wait for connections that never send a whole request, %s', async (_, secure) => {
    const { app, url } = await transport.serve({ secure });
    const open = () => (secure ? openTlsSocket(url, ['http/1.1']) : plainConnection(url));
    const [silent, halfSent] = await Promise.all([open(), open()]);
    halfSent.write('POST /who HTTP/1.1\r\nhost:');
    const closed = (socket: Socket) =>
      new Promise((resolve) => socket.on('error', resolve).on('close', resolve));
    const gone = Promise.all([closed(silent), closed(halfSent)]);
    // Far longer than the test may take.
    await closeServer(app, 600_000);
    await gone;
  });
});

describe('headers', () => {
  it.each([
    [128, 200],
    [129, 431],
  ])('are accepted up to the number that is read, and refused beyond it: %d', async (count, status) => {
    const { url } = await transport.serve();
    const others = Array.from({ length: count - 2 }, (_, index) => `x-${index}: y\r\n`).join('');
    const bytes = `GET /who HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${others}\r\n`;
    expect(await exchange(url, bytes)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });
});

describe('headers that may be sent once', () => {
  it.each([
    ['x-api-key', 401],
    ['X-Api-Key', 401],
    ['Authorization', 400],
    ['Host', 400],
    ['Content-Type', 400],
  ])('%s is refused with %d when it is sent twice', async (name, status) => {
    const { url } = await transport.serve();
    const text = await exchange(
      url,
      `GET /who HTTP/1.1\r\nhost: a\r\n${name}: one\r\n${name.toLowerCase()}: two\r\nconnection: close\r\n\r\n`,
    );
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(text).toContain(`"code":${status}`);
  });

  it('are accepted once', async () => {
    const { url } = await transport.serve();
    const once =
      'GET /who HTTP/1.1\r\nhost: a\r\nx-api-key: one\r\naccept: a\r\naccept: b\r\nconnection: close\r\n\r\n';
    expect(await exchange(url, once)).toMatch(/^HTTP\/1\.1 200 /);
  });
});
