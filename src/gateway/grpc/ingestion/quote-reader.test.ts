import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../testing/random.ts';
import { createMessageDecoder } from '../wire/decode.ts';
import { MarketMakerQuoteSchema } from '../generated/market_maker_pb.js';
import { createSnapshotDecoder } from './ingestion-definition.ts';
import { toSnapshot } from './quote-messages.ts';
import { QuoteReader } from './quote-reader.ts';

describe('createSnapshotDecoder', () => {
  it('decodes every snapshot as the generic decoder does', () => {
    assertProperty(fc.property(quote, expectSame), {
      cases: 2_000,
      seed: SEED,
      against: 'the generic decoder',
    });
  });

  it('decodes changed, truncated and extended bytes as the generic decoder does', () => {
    const changed = fc
      .tuple(quote, fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 3 }))
      .map(([bytes, changes]) => {
        for (const [at, byte] of changes) if (bytes.length > 0) bytes[at % bytes.length] = byte;
        return bytes;
      });
    const cut = fc.tuple(changed, fc.nat()).map(([bytes, at]) => bytes.subarray(0, at % (bytes.length + 1)));
    const grown = fc.tuple(changed, fc.uint8Array({ maxLength: 20 })).map(([a, b]) => Buffer.concat([a, b]));
    assertProperty(fc.property(fc.oneof(changed, cut, grown, fc.uint8Array()), expectSame), {
      cases: 5_000,
      seed: SEED,
      against: 'the generic decoder',
    });
  });
});

describe('QuoteReader', () => {
  it('reads a usual snapshot', () => {
    const { timestamp, quoteExpiryTime, sequenceNumber, makerId, makerAddress, lotSizeBase } = QUOTE;
    expect(read(encoded(QUOTE))).toEqual({
      timestamp,
      sequence: sequenceNumber,
      expirySeconds: quoteExpiryTime,
      makerId,
      makerAddress,
      lotSizeBase,
      cluster: 'mainnet',
      bids: QUOTE.bidLevels,
      asks: QUOTE.askLevels,
      base: { mint: 'base', decimals: 9, symbol: 'SOL', tokenProgram: 'program' },
      quote: { mint: 'quote', decimals: 6, symbol: 'USDC', tokenProgram: 'program' },
    });
  });

  it.each([
    ['an unknown field', and(0x58, 1)],
    ['a field that comes twice', and(0x10, 8)],
    ['a field of another wire type', and(0x4d, 1, 2, 3, 4)],
    ['a level without a price', and(0x4a, 2, 0x08, 1)],
    ['a level that is longer than the message', and(0x4a, 9, 0x08, 1)],
    ['a number that does not end', and(0x4a, 12, 0x08, ...Array.from({ length: 11 }, () => 0x80))],
    ['a number that a double cannot hold', encoded({ ...QUOTE, sequenceNumber: 2n ** 53n })],
    ['an id that is not ASCII', encoded({ ...QUOTE, makerId: 'mäker' })],
    ['a second pair', and(0x42, 0)],
    ['an unknown cluster', encoded({ ...QUOTE, cluster: QUOTE.cluster + 2 })],
  ] as const)('leaves %s to the other decoder', (_what, bytes) => {
    expect(read(bytes)).toBeNull();
    expectSame(bytes);
  });

  it('caches a bounded number of pairs, and no long ones', () => {
    const reader = new QuoteReader();
    const named = (symbol: string) => ({
      ...QUOTE,
      tokenPair: { ...QUOTE.tokenPair, baseToken: { ...QUOTE.tokenPair.baseToken, symbol } },
    });
    const readAgain = (symbol: string) => reader.read(Buffer.from(encoded(named(symbol))));
    const first = readAgain('first')?.base;
    expect(readAgain('first')?.base).toBe(first);
    for (let i = 0; i < 256; i++) readAgain(`${i}`);
    expect(readAgain('first')?.base).not.toBe(first);
    expect(readAgain('first')?.base).toEqual(first);
    expect(readAgain('x'.repeat(500))).toBeNull();
  });
});

const SEED = 20_261_121;
const byLibrary = createMessageDecoder(MarketMakerQuoteSchema, () => 0);
const decode = createSnapshotDecoder(() => 0);

const u64 = fc.oneof(fc.bigInt(0n, 300n), fc.bigInt(0n, 2n ** 53n + 2n), fc.bigInt(0n, 2n ** 64n - 1n));
const text = fc.oneof(fc.constantFrom('', 'maker-1', 'SOL', 'x'.repeat(200)), fc.string({ unit: 'binary' }));
const token = fc.record({
  address: text,
  decimals: fc.integer({ min: 0, max: 300 }),
  symbol: text,
  owner: text,
});
const levels = fc.array(fc.record({ price: u64, volume: u64 }), { maxLength: 8 });
const quote = fc
  .record({
    timestamp: u64,
    sequenceNumber: u64,
    quoteExpiryTime: u64,
    makerId: text,
    makerAddress: text,
    lotSizeBase: u64,
    cluster: fc.nat(3),
    bidLevels: levels,
    askLevels: levels,
    tokenPair: fc.record({ baseToken: token, quoteToken: token }),
  })
  .map(encoded);

function encoded(init: MessageInitShape<typeof MarketMakerQuoteSchema>): Uint8Array {
  return toBinary(MarketMakerQuoteSchema, create(MarketMakerQuoteSchema, init));
}

/** The result of the generic decoder. */
function judged(bytes: Uint8Array) {
  const received = byLibrary(bytes);
  return 'invalid' in received ? received : { message: toSnapshot(received.message), at: 0 };
}

function expectSame(bytes: Uint8Array): void {
  const whole = Buffer.from(bytes);
  expect(decode(whole)).toEqual(judged(whole));
}

const QUOTE = {
  timestamp: 1_700_000_000_000_000n,
  sequenceNumber: 7n,
  quoteExpiryTime: 60n,
  makerId: 'maker-1',
  makerAddress: 'address',
  lotSizeBase: 1_000n,
  cluster: 1,
  tokenPair: {
    baseToken: { address: 'base', decimals: 9, symbol: 'SOL', owner: 'program' },
    quoteToken: { address: 'quote', decimals: 6, symbol: 'USDC', owner: 'program' },
  },
  bidLevels: [{ price: 99n, volume: 2n ** 40n }],
  askLevels: [{ price: 101n, volume: 1n }],
};
const read = (bytes: Uint8Array) => new QuoteReader().read(Buffer.from(bytes));
/** Appends bytes, as if the sender's proto had another field or sent one twice. */
const and = (...tail: readonly number[]) => Buffer.concat([encoded(QUOTE), Uint8Array.from(tail)]);
