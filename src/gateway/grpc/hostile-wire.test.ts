import { gzipSync } from 'node:zlib';
import type { DescMessage } from '@bufbuild/protobuf';
import { status } from '@grpc/grpc-js';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { Health } from './generated/grpc/health/v1/health_pb.js';
import { ServerReflection } from './generated/grpc/reflection/v1/reflection_pb.js';
import { MarketMakerIngestionService } from './generated/market_maker_pb.js';
import { frameMessages, type RawEnd, RawCaller } from '../../testing/gateway/grpc-raw-calls.ts';
import { REFLECTION_V1ALPHA } from './standard-services/reflection.ts';
import { startTestServer } from '../../testing/gateway/grpc-server.ts';
import { openForAll } from '../../testing/opened.ts';

/** Every call of the server, from its own descriptors. */
const RPCS: readonly Rpc[] = [
  ...[MarketMakerIngestionService, Health, ServerReflection].flatMap((service) =>
    service.methods.map(({ name, input, methodKind }) => ({
      path: `/${service.typeName}/${name}`,
      input,
      isStream: methodKind === 'bidi_streaming',
      isEndless: methodKind === 'server_streaming',
    })),
  ),
  {
    path: `/${REFLECTION_V1ALPHA}/ServerReflectionInfo`,
    input: ServerReflection.method.serverReflectionInfo.input,
    isStream: true,
    isEndless: false,
  },
];

const test = openForAll(startTestServer);
const caller = openForAll(() => new RawCaller(test.server.port));
afterAll(tearDown);

describe.each(RPCS)('$path', (rpc) => {
  it.each([
    ['random bytes', fc.uint8Array({ maxLength: 300 })],
    ['fields of wrong types', anyFields(rpc.input)],
  ])('answers %s with a defined status', async (_, message) => {
    const messages = fc.array(message, { minLength: 1, maxLength: rpc.isStream ? 3 : 1 });
    await assertProperty(
      fc.asyncProperty(messages, async (sent) => {
        const end = await call(rpc, frameMessages(sent));
        expect(end.kind).toBe('status');
        expect(CLEAN).toContain(end.kind === 'status' ? end.code : end);
      }),
      { cases: 40, seed: SEED },
    );
    await stillServes();
  });

  it.each([
    [
      'a message that is too large',
      frameMessages([new Uint8Array(LARGEST + 1)]),
      {},
      status.RESOURCE_EXHAUSTED,
    ],
    ['the length of four gigabytes', Buffer.from([0, 255, 255, 255, 255, 1]), {}, status.RESOURCE_EXHAUSTED],
    [
      'little that unpacks to much',
      frameMessages([gzipSync(new Uint8Array(16_000_000))], { isCompressed: true }),
      { 'grpc-encoding': 'gzip' },
      status.RESOURCE_EXHAUSTED,
    ],
    [
      'what cannot be unpacked',
      frameMessages([Uint8Array.of(1, 2, 3)], { isCompressed: true }),
      { 'grpc-encoding': 'gzip' },
      status.INTERNAL,
    ],
    [
      'a packing that there is not',
      frameMessages([Uint8Array.of(1, 2, 3)], { isCompressed: true }),
      { 'grpc-encoding': 'zip' },
      status.UNIMPLEMENTED,
    ],
  ])('refuses %s', async (_, body, headers, code) => {
    expect(await call(rpc, body, headers)).toMatchObject({ kind: 'status', code });
    await stillServes();
  });

  it.runIf(!rpc.isStream)('accepts one message', async () => {
    const end = await call(rpc, frameMessages([new Uint8Array(), new Uint8Array()]));
    expect(end).toMatchObject({ kind: 'status', code: status.UNIMPLEMENTED });
  });

  it('ends calls that break off or are not gRPC', async () => {
    const broken = await call(rpc, Uint8Array.of(0, 0, 0, 0, 9, 1));
    expect(broken.kind).not.toBe('http');
    expect(await call(rpc, frameMessages([]), { 'content-type': 'text/plain' })).toEqual({
      kind: 'http',
      status: 415,
    });
    await stillServes();
  });
});

const SEED = 20_261_121;
const LARGEST = 64 * 1024;

interface Rpc {
  readonly path: string;
  readonly input: DescMessage;
  /** Whether it accepts more than one message. */
  readonly isStream: boolean;
  readonly isEndless: boolean;
}

/** Statuses of a refusal of the message, and of an answer. */
const CLEAN = [status.OK, status.INVALID_ARGUMENT, status.NOT_FOUND, status.PERMISSION_DENIED];

async function tearDown(): Promise<void> {
  caller?.close();
  await test?.close();
  expect(test?.defects ?? []).toEqual([]);
}

function call({ path, isEndless }: Rpc, body: Uint8Array, headers?: Record<string, string>): Promise<RawEnd> {
  // Opening swap streams is limited to a rate.
  test.timers.advance(60_000);
  return caller.call({ path, isEndless, body, key: 'key-1', ...(headers === undefined ? {} : { headers }) });
}

async function stillServes(): Promise<void> {
  const [check] = Health.methods;
  const path = `/${Health.typeName}/${check?.name}`;
  const body = frameMessages([new Uint8Array()]);
  expect(await caller.call({ path, body })).toMatchObject({ kind: 'status', code: status.OK });
}

/** Wire types, and how their values are encoded. */
const VALUES = [
  { type: 0, value: fc.nat().map(varint) },
  { type: 1, value: fc.uint8Array({ minLength: 8, maxLength: 8 }) },
  { type: 2, value: fc.uint8Array({ maxLength: 20 }).map((bytes) => [bytes.length, ...bytes]) },
  { type: 5, value: fc.uint8Array({ minLength: 4, maxLength: 4 }) },
] as const;

/** Fields of the message and others, well formed and of any type. */
function anyFields({ fields }: DescMessage): fc.Arbitrary<Uint8Array> {
  const numbers = [...fields.map(({ number }) => number), 19];
  const tagged = VALUES.map(({ type, value }) =>
    fc
      .tuple(fc.constantFrom(...numbers), value as fc.Arbitrary<Iterable<number>>)
      .map(([number, bytes]) => [...varint(number * 8 + type), ...bytes]),
  );
  return fc.array(fc.oneof(...tagged), { maxLength: 6 }).map((all) => Uint8Array.from(all.flat()));
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}
