import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualTimers } from '../../testing/timers.ts';
import type { KnownKey } from '../../platform/callers/key-cache.ts';
import { NO_METRICS } from '../../common/ports/metrics.ts';
import { createGateway } from '../gateway.ts';
import { listen } from '../http/listen.ts';
import { createLogger } from '../http/log/log.ts';
import { closeServer } from '../server/server.ts';
import type { TlsOptions } from '../http/tls.ts';
import { Transport } from '../../testing/gateway/transport.ts';
import { createInProcessLimiter } from '../limits/rate-limiter.ts';
import { DEFAULT_BOUNDS } from '../../testing/server-bounds.ts';
import { openForEach } from '../../testing/opened.ts';

let app: FastifyInstance;
let url: URL;
/** The callers whose requests are in the handler: addresses as the proxy names them, or keys. */
let inside: string[];
let ends: (() => void)[];
/** How many request heads have arrived. */
let arrived: number;
let sockets: Socket[];
const transport = openForEach(() => new Transport(), 'close');
beforeEach(setUp);
afterEach(tearDown);

describe('places in the pipeline', () => {
  it('are not held by requests whose bodies do not arrive', async () => {
    await open();
    for (let index = 0; index < 2 * PLACES; index++) send(ATTACKER, 'content-length: 10');
    await headsArrived(2 * PLACES);
    execute('203.0.113.2', 'a');
    await expect.poll(() => inside).toContain('203.0.113.2');
    await executeWithKey('o1');
  });

  it('are not held by bodies that do not arrive over HTTP/2', async () => {
    await open({ secure: true });
    const session = connectHttp2(url, { rejectUnauthorized: false });
    session.on('error', () => {});
    const request = (body: string | null) => {
      const stream = session.request({
        ':method': 'POST',
        ':path': EXECUTE,
        'content-type': 'application/json',
        'x-forwarded-for': ATTACKER,
        ...(body === null ? {} : { 'x-api-key': 'o1' }),
      });
      stream.on('error', () => {});
      if (body !== null) stream.end(body);
    };
    for (let index = 0; index < 2 * PLACES; index++) request(null);
    await headsArrived(2 * PLACES);
    request('{}');
    await expect.poll(() => inside).toEqual(['o1']);
    const closed = once(session, 'close');
    session.destroy();
    await closed;
  });

  it('are shared by the repeats of a request, of which four are let in at once', async () => {
    await open();
    for (let index = 0; index < 2 * PLACES; index++) execute(ATTACKER, 'never-lands');
    await headsArrived(2 * PLACES);
    await expect.poll(() => inside.length).toBe(4);
    execute(ATTACKER, 'another');
    await expect.poll(() => inside.length).toBe(5);
    for (let index = 0; index < 5; index++) execute(`203.0.113.${index + 2}`, 'never-lands');
    await expect.poll(() => inside.length).toBe(10);
  });

  it('are held by executions whose clients left, until they end', async () => {
    await open();
    let finished = 0;
    app.requestFinishedListeners.push(() => finished++);
    for (let index = 0; index < PLACES / 4; index++) {
      const leaving = execute(ATTACKER, `r${index}`);
      await expect.poll(() => inside.length).toBe(index + 1);
      leaving.destroy();
      await expect.poll(() => finished).toBe(index + 1);
    }
    execute(ATTACKER, 'one more');
    await headsArrived(PLACES / 4 + 1);
    await executeWithKey('o1');
    expect(insideOf(ATTACKER)).toBe(PLACES / 4);
    ends[0]?.();
    await expect.poll(() => insideOf(ATTACKER)).toBe(PLACES / 4 + 1);
  });

  it('allow a client to repeat its execution any number of times after it left', async () => {
    await open();
    let finished = 0;
    app.requestFinishedListeners.push(() => finished++);
    for (let index = 0; index < 10; index++) {
      const leaving = execute(ATTACKER, 'a');
      await expect.poll(() => inside.length).toBe(index + 1);
      leaving.destroy();
      await expect.poll(() => finished).toBe(index + 1);
    }
  });

  it('are released when the last repeat is answered or its work has ended', async () => {
    await open();
    const repeats = [execute(ATTACKER, 'a'), execute(ATTACKER, 'a')];
    await expect.poll(() => inside.length).toBe(2);
    // The share of an address is a quarter of the places.
    for (let index = 0; index < 6; index++) execute(ATTACKER, `b${index}`);
    await expect.poll(() => inside.length).toBe(6);
    let ended = 0;
    app.requestFinishedListeners.push(() => ended++);
    repeats[0]?.destroy();
    await expect.poll(() => ended).toBe(1);
    expect(inside).toHaveLength(6);
    repeats[1]?.destroy();
    await expect.poll(() => ended).toBe(2);
    expect(inside).toHaveLength(6);
    ends[1]?.();
    await expect.poll(() => inside.length).toBe(7);
  });

  it('are not all held by one address', async () => {
    await open();
    for (let index = 0; index < 2 * PLACES; index++) execute(ATTACKER, `r${index}`);
    await headsArrived(2 * PLACES);
    execute('203.0.113.2', 'a');
    await expect.poll(() => inside).toContain('203.0.113.2');
    await executeWithKey('o1');
    expect(insideOf(ATTACKER)).toBe(PLACES / 4);
  });

  it('are not all held by addresses of one IPv6 network', async () => {
    await open();
    for (let index = 0; index < 2 * PLACES; index++) execute(`2001:db8::${index + 1}`, `r${index}`);
    await headsArrived(2 * PLACES);
    execute('2001:db8:0:1::1', 'a');
    await expect.poll(() => inside).toContain('2001:db8:0:1::1');
    expect(inside).toHaveLength(PLACES / 4 + 1);
  });

  it('are not all held by callers without a key', async () => {
    await open();
    for (let index = 0; index < 3 * PLACES; index++) execute(`203.0.113.${index + 1}`, 'a');
    await headsArrived(3 * PLACES);
    await executeWithKey('o1');
    expect(inside).toHaveLength(PLACES / 2 + 1);
  });

  it('are not all held by one organisation', async () => {
    await open();
    const ask = (key: string) => send('203.0.113.1', `x-api-key: ${key}\r\ncontent-length: 2`, '{}');
    for (let index = 0; index < 2 * PLACES; index++) ask('greedy');
    await headsArrived(2 * PLACES);
    await executeWithKey('modest');
    expect(insideOf('greedy')).toBe((PLACES * 4) / 5);
  });
});

describe('bodies that are arriving', () => {
  it('take at most their caller’s share of the bytes, and release it', async () => {
    // Each counts with its maximum length, so there is room for four.
    await open({ maxBodyBytes: 16 * 1024 * 1024 });
    const unfinished = [send(ATTACKER, CHUNKED), send(ATTACKER, CHUNKED)];
    await headsArrived(2);
    const refused = send(ATTACKER, CHUNKED);
    const [answer] = (await once(refused, 'data')) as [Buffer];
    expect(inside).toEqual([]);
    expect(String(answer)).toMatch(/^HTTP\/1\.1 503 .*retry-after: 1/s);
    send('203.0.113.2', CHUNKED, '2\r\n{}\r\n0\r\n\r\n');
    await expect.poll(() => inside).toEqual(['203.0.113.2']);
    let ended = 0;
    app.requestFinishedListeners.push(() => ended++);
    unfinished[0]?.destroy();
    await expect.poll(() => ended).toBe(1);
    send(ATTACKER, CHUNKED, '2\r\n{}\r\n0\r\n\r\n');
    await expect.poll(() => insideOf(ATTACKER)).toBe(1);
  });

  it('from many addresses without a key leave the organisations’ share free', async () => {
    await open({ maxBodyBytes: 16 * 1024 * 1024 });
    for (let index = 0; index < 4; index++) send(`203.0.113.${index + 1}`, CHUNKED);
    await headsArrived(4);
    const refused = send('203.0.113.5', CHUNKED);
    const [answer] = (await once(refused, 'data')) as [Buffer];
    expect(String(answer)).toMatch(/^HTTP\/1\.1 503 /);
    const [whole, unfinished] = ['2\r\n{}\r\n0\r\n\r\n', ''];
    for (let index = 0; index < 2; index++) send(ATTACKER, `x-api-key: greedy\r\n${CHUNKED}`, unfinished);
    await headsArrived(7);
    send(ATTACKER, `x-api-key: modest\r\n${CHUNKED}`, whole);
    await expect.poll(() => inside).toEqual(['modest']);
  });

  const CHUNKED = 'transfer-encoding: chunked';
});

/** The number of places, and of waiting requests. */
const PLACES = 20;
const EXECUTE = '/swap/v2/execute';
const ORGANISATION: KnownKey = {
  id: 'k',
  name: 'k',
  teamId: 't',
  organisationId: 'o',
  rules: null,
  limits: { main: 100_000, execute: 100_000, submit: 100_000 },
  products: null,
  expiresAt: null,
};

async function open({ maxBodyBytes = DEFAULT_BOUNDS.maxBodyBytes, secure = false } = {}): Promise<void> {
  const timers = new ManualTimers();
  inside = [];
  ends = [];
  arrived = 0;
  const tls: TlsOptions = { files: transport.files(), every: () => () => {}, onDefect: () => {} };
  app = await createGateway({
    logger: createLogger('silent', { write: () => {} }),
    pipeline: {
      findKey: (key) => ({ ...ORGANISATION, id: key, organisationId: key }),
      limiter: createInProcessLimiter(),
      countryOf: () => null,
      now: () => 0,
      overload: {
        maxInside: PLACES,
        maxWaiting: PLACES,
        after: (delay, callback) => timers.after(delay, callback),
        metrics: NO_METRICS,
      },
    },
    trustedProxies: ['127.0.0.1'],
    bounds: { ...DEFAULT_BOUNDS, maxBodyBytes },
    tls: secure ? tls : null,
    readiness: [],
    examples: { values: {}, wallet: null },
    products: [],
    registerRoutes: (server) => {
      const repeatKey = (body: unknown) => (body as { requestId?: string } | null)?.requestId ?? null;
      server.post(EXECUTE, { config: { bucket: 'execute', repeatKey } }, async ({ headers, ip }) => {
        inside.push(String(headers['x-api-key'] ?? ip));
        await new Promise<void>((resolve) => ends.push(resolve));
        return { ok: true };
      });
    },
  });
  app.server.on('request', () => {
    arrived++;
  });
  url = new URL(await listen(app, { host: '127.0.0.1', port: 0, setting: 'rest-port' }));
}

function setUp(): void {
  sockets = [];
}

async function tearDown(): Promise<void> {
  for (const socket of sockets) socket.destroy();
  for (const end of ends) end();
  await closeServer(app, 50);
}

/** Sends an execution from an address that the proxy in front of the gateway names. */
function send(caller: string, headers: string, body = ''): Socket {
  const socket = connect(Number(url.port), '127.0.0.1');
  socket.on('error', () => {});
  socket.resume();
  sockets.push(socket);
  const head = `POST ${EXECUTE} HTTP/1.1\r\nhost: a\r\nx-forwarded-for: ${caller}\r\ncontent-type: application/json\r\n`;
  socket.write(`${head}${headers}\r\n\r\n${body}`);
  return socket;
}

function execute(caller: string, requestId: string): Socket {
  const body = JSON.stringify({ requestId });
  return send(caller, `content-length: ${body.length}`, body);
}

/** Resolves when an execution with this key has a place. */
async function executeWithKey(key: string): Promise<void> {
  void fetch(new URL(EXECUTE, url), {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: '{}',
  }).catch(() => {});
  await expect.poll(() => inside).toContain(key);
}

const ATTACKER = '203.0.113.1';
const insideOf = (caller: string) => inside.filter((one) => one === caller).length;
const headsArrived = (count: number) => expect.poll(() => arrived).toBe(count);
