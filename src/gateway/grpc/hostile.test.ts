import { once } from 'node:events';
import { connect } from 'node:http2';
import fc from 'fast-check';
import { create, toBinary } from '@bufbuild/protobuf';
import { Client, credentials, Metadata, status } from '@grpc/grpc-js';
import { afterAll, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { createTestAddress } from '../../testing/rfq/test-rfq.ts';
import { quoteAt } from '../../testing/gateway/grpc-client.ts';
import {
  MarketMakerIngestionService,
  MarketMakerQuoteSchema,
  MarketMakerSwapSchema,
  UpdateType,
} from './generated/market_maker_pb.js';
import { startTestServer } from '../../testing/gateway/grpc-server.ts';

const UNARY = ['GetLastSequenceNumber', 'GetAllOrderbooks', 'GetQuotes'];
const STREAMS = ['StreamQuotes', 'StreamSwap'];

afterAll(tearDown);

it('answers random bytes on every method with a defined status', async () => {
  const bytes = fc.uint8Array({ maxLength: 300 });
  await assertProperty(
    fc.asyncProperty(fc.constantFrom(...UNARY), bytes, async (name, message) => {
      expect(CLEAN).toContain(await codeOf(name, message));
    }),
    { cases: 60, seed: SEED },
  );
  await assertProperty(
    fc.asyncProperty(
      fc.constantFrom(...STREAMS),
      fc.array(bytes, { maxLength: 4 }),
      async (name, messages) => {
        test.timers.advance(60_000);
        expect(CLEAN).toContain((await endOf(name, messages)).code);
      },
    ),
    { cases: 60, seed: SEED },
  );
  await stillServes();
});

it.each([...UNARY, ...STREAMS])('refuses a message that is too large on %s', async (name) => {
  const large = new Uint8Array(70_000);
  const code = STREAMS.includes(name) ? (await endOf(name, [large])).code : await codeOf(name, large);
  expect(code).toBe(status.RESOURCE_EXHAUSTED);
  await stillServes();
});

it('refuses a message that is too large once it is decompressed', async () => {
  const options = { 'grpc.default_compression_algorithm': 2 };
  const client = new Client(`127.0.0.1:${test.server.port}`, credentials.createInsecure(), options);
  const path = `/${MarketMakerIngestionService.typeName}/GetAllOrderbooks`;
  const same = (bytes: Buffer) => bytes;
  const answerTo = (bytes: Buffer) =>
    new Promise((resolve) => {
      client.makeUnaryRequest(path, same, same, bytes, new Metadata(), (error) => resolve(error?.code));
    });
  // It is read, and lacks a key.
  expect(await answerTo(Buffer.alloc(0))).toBe(status.UNAUTHENTICATED);
  expect(await answerTo(Buffer.alloc(10_000_000))).toBe(status.RESOURCE_EXHAUSTED);
  client.close();
  await stillServes();
});

it('refuses on each stream the messages of the other', async () => {
  const swap = toBinary(MarketMakerSwapSchema, create(MarketMakerSwapSchema, SWAP));
  const quote = toBinary(
    MarketMakerQuoteSchema,
    quoteAt(test.timers.now(), createTestAddress(1), { sequenceNumber: 10n ** 18n }),
  );
  for (const [name, message] of [
    ['StreamQuotes', swap],
    ['StreamSwap', quote],
  ] as const) {
    test.timers.advance(60_000);
    expect((await endOf(name, [message])).code).toBe(status.INVALID_ARGUMENT);
  }
  await stillServes();
});

it('accepts pings at any rate without a call', async () => {
  const session = connect(`http://127.0.0.1:${test.server.port}`);
  const goaway: unknown[] = [];
  session.on('goaway', (code) => goaway.push(code));
  await once(session, 'connect');
  for (let sent = 0; sent < 100; sent++) {
    await new Promise((resolve, reject) =>
      session.ping((error) => (error === null ? resolve(null) : reject(error))),
    );
  }
  expect([goaway, session.destroyed]).toEqual([[], false]);
  session.destroy();
});

it('names the missing required field', async () => {
  // A quote with its sequence number only.
  expect(await endOf('StreamQuotes', [Uint8Array.of(16, 1)])).toMatchObject({
    code: status.INVALID_ARGUMENT,
    details: 'MarketMakerQuote lacks the required field timestamp',
  });
  // A pair whose base token has an address only.
  const pair = Uint8Array.of(10, 5, 10, 3, 10, 1, 65, 18, 0);
  await expect(
    test.connect().raw(MarketMakerIngestionService, 'GetQuotes', Buffer.from(pair)),
  ).rejects.toMatchObject({
    code: status.INVALID_ARGUMENT,
    details: expect.stringMatching(/^GetQuotesRequest lacks the required field token_pair/),
  });
});

it('refuses an unknown method', async () => {
  expect(await codeOf('Trade', new Uint8Array())).toBe(status.UNIMPLEMENTED);
});

it.each([
  ['of two makers', ['key-1', 'key-2']],
  ['twice', ['key-1', 'key-1']],
  ['of nobody, and of a maker', ['other', 'key-1']],
  ['of a maker, and none', ['key-1', '']],
  ['in one with another', ['key-1,key-2']],
  ['with a space inside', ['key- 1']],
])('refuses a call whose key is given %s', async (_how, keys) => {
  const client = new Client(`127.0.0.1:${test.server.port}`, credentials.createInsecure());
  const metadata = new Metadata();
  for (const key of keys) metadata.add('x-api-key', key);
  const same = (bytes: Buffer) => bytes;
  const path = `/${MarketMakerIngestionService.typeName}/GetAllOrderbooks`;
  const code = await new Promise((resolve) => {
    client.makeUnaryRequest(path, same, same, Buffer.alloc(0), metadata, (error) => resolve(error?.code));
  });
  expect(code).toBe(status.UNAUTHENTICATED);
  client.close();
});

const SEED = 20_261_124;
const SWAP = { messageType: 4, swapUuid: 'x', signedTransaction: 'y' };
/** Statuses that a message may be answered with when it cannot be decoded or its sender is unknown. */
const CLEAN = [status.INVALID_ARGUMENT, status.PERMISSION_DENIED, status.OK];

const test = await startTestServer();
const hostile = test.connect();

async function tearDown(): Promise<void> {
  await test?.close();
  expect(test?.defects ?? []).toEqual([]);
}

async function stillServes(): Promise<void> {
  const maker = test.connect();
  const swaps = maker.swaps();
  await swaps.until(1);
  const quotes = maker.quotes();
  test.timers.advance(60_000);
  const sequenceNumber = (test.rfq.makers.get('maker-1')?.lastSequence ?? 0n) + 1n;
  quotes.call.write(quoteAt(test.timers.now(), createTestAddress(1), { sequenceNumber }));
  expect((await quotes.until(1))[0]).toMatchObject({ updateType: UpdateType.UPDATED });
  maker.close();
}

function codeOf(name: string, bytes: Uint8Array): Promise<status> {
  return hostile.raw(MarketMakerIngestionService, name, Buffer.from(bytes)).then(
    () => status.OK,
    (error: { code: status }) => error.code,
  );
}

async function endOf(name: string, messages: readonly Uint8Array[]) {
  const stream = hostile.bytes(name);
  for (const bytes of messages) stream.call.write(bytes);
  stream.call.end();
  return stream.ended;
}
