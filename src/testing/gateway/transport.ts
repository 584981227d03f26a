import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';
import { TEST_CERTIFICATES } from './certificates.ts';
import { listen } from '../../gateway/http/listen.ts';
import { createLogger } from '../../gateway/http/log/log.ts';
import { type Bounds, closeServer, createServer } from '../../gateway/server/server.ts';
import { DEFAULT_BOUNDS } from '../server-bounds.ts';

const LISTEN = { host: '127.0.0.1', port: 0, setting: 'rest-port' };

/** Servers with a few routes, and the files of their certificate. */
export class Transport {
  readonly defects: unknown[] = [];
  /** Makes the last HTTPS server check its certificate files. */
  reload: () => void = () => {};
  readonly #folder = mkdtempSync(join(tmpdir(), 'sluice-transport-'));
  readonly #opened: FastifyInstance[] = [];

  constructor() {
    this.writeCertificate(0);
  }

  files() {
    return { certificate: join(this.#folder, 'cert.pem'), key: join(this.#folder, 'key.pem') };
  }

  writeCertificate(index: 0 | 1): void {
    writeFileSync(this.files().certificate, TEST_CERTIFICATES[index].certificate);
    writeFileSync(this.files().key, TEST_CERTIFICATES[index].key);
  }

  async serve({
    bounds = DEFAULT_BOUNDS,
    secure = false,
    maxAnswerMs = 30_000,
    trustedProxies = [],
  }: {
    bounds?: Bounds;
    secure?: boolean;
    maxAnswerMs?: number;
    trustedProxies?: readonly string[];
  } = {}) {
    const app = await createServer({
      logger: createLogger('silent', { write: () => {} }),
      trustedProxies,
      bounds,
      maxAnswerMs,
      tls: secure
        ? {
            files: this.files(),
            every: (_milliseconds, work) => {
              this.reload = work;
              return () => {};
            },
            onDefect: (error) => this.defects.push(error),
          }
        : null,
      register: (root) => {
        root.get('/who', async ({ raw, headers }) => ({
          version: raw.httpVersion,
          host: headers.host ?? null,
        }));
        root.post(
          '/echo',
          { schema: { body: Type.Object({ text: Type.String() }) } },
          async ({ body }) => body,
        );
        root.get('/never', () => new Promise(() => {}));
        root.get('/large', async () => 'x'.repeat(1_000_000));
        root.get('/patient', { handlerTimeout: 60_000 }, async () => {
          // Longer than the limit of silence of the servers that are asked for it.
          await new Promise<void>((resolve) => SYSTEM_TIMERS.after(500, resolve));
          return { done: true };
        });
      },
    });
    this.#opened.push(app);
    return { app, url: new URL(await listen(app, LISTEN)) };
  }

  async close(): Promise<void> {
    for (const app of this.#opened) await closeServer(app, 100);
    rmSync(this.#folder, { recursive: true });
  }
}

/** Sends these bytes, and returns everything that is received until the other side closes. */
export function exchange(url: URL, ...parts: string[]): Promise<string> {
  return receiveAll(connect(Number(url.port), '127.0.0.1'), ...parts);
}

/** Like `exchange`, over an open connection. A server that refuses the bytes may reset the connection meanwhile. */
export async function receiveAll(socket: Socket, ...parts: string[]): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  for (const part of parts) socket.write(part);
  await closed;
  return text;
}

export async function openTlsSocket(url: URL, protocols: string[]): Promise<TLSSocket> {
  const socket = connectTls({
    port: Number(url.port),
    host: '127.0.0.1',
    rejectUnauthorized: false,
    ALPNProtocols: protocols,
  });
  await once(socket, 'secureConnect');
  return socket;
}

export async function askHttp2(session: ClientHttp2Session, headers: Record<string, string>, body?: string) {
  const stream = session.request({ ':path': '/who', ...headers });
  stream.end(body);
  const [answer] = (await once(stream, 'response')) as [Record<string, string | number>];
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return { status: answer[':status'], headers: answer, text };
}

export const openHttp2 = (url: URL) => connectHttp2(url.href, { rejectUnauthorized: false });
