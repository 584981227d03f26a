import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestServer, type TestGrpcServer } from '../../testing/gateway/grpc-server.ts';

let test: TestGrpcServer;
beforeEach(async () => {
  test = await startTestServer({ maxConnections: MAX });
});
afterEach(async () => {
  for (const session of sessions.splice(0)) session.destroy();
  await test.close();
});

it('connections of one address do not lock makers out, and idle ones are closed for new ones', async () => {
  const busy = await open();
  const watch = await call(busy, 'Watch');
  const idle = await open();
  const check = await call(idle, 'Check');
  check.resume();
  if (!check.closed) await once(check, 'close');
  for (let index = 0; index < 2 * MAX; index++) await open();
  const maker = test.connect();
  expect(await maker.unary('getLastSequenceNumber', { makerId: 'maker-1', authToken: '' })).toBeDefined();
  expect([busy.destroyed, watch.closed]).toEqual([false, false]);
  await expect.poll(() => idle.destroyed).toBe(true);
});

it('endless calls from one address leave half of the connections to others', async () => {
  for (let index = 0; index < MAX / 2; index++) await call(await open(), 'Watch');
  await expect(open()).rejects.toThrow('the connection was closed');
  const maker = test.connect();
  expect(await maker.unary('getLastSequenceNumber', { makerId: 'maker-1', authToken: '' })).toBeDefined();
});

const MAX = 20;
const CROWD = '127.0.0.2';
/** A message without a field. */
const EMPTY = Buffer.alloc(5);

const sessions: ClientHttp2Session[] = [];

async function open(): Promise<ClientHttp2Session> {
  const url = `http://127.0.0.1:${test.server.port}`;
  const session = connect(url, { localAddress: CROWD } as object);
  sessions.push(session);
  session.on('error', () => {});
  await new Promise<void>((resolve, reject) => {
    session.once('remoteSettings', () => resolve());
    session.once('close', () => reject(new Error('the connection was closed')));
  });
  return session;
}

async function call(session: ClientHttp2Session, method: string): Promise<ClientHttp2Stream> {
  const stream = session.request({
    ':method': 'POST',
    ':path': `/grpc.health.v1.Health/${method}`,
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  stream.on('error', () => {});
  stream.end(EMPTY);
  await once(stream, 'data');
  return stream;
}
