import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { U64_MAX } from '../../solana/units.ts';
import { type PublishedBook, parsePublication, formatPublication } from './book-text.ts';
import { createTestAddress } from '../../testing/rfq/test-rfq.ts';

describe('publicationText, publicationOf', () => {
  it('return what was published, to the atom', () => {
    const name = fc.record({ makerId: text, base: address, quote: address });
    const publication = fc.record({
      from: text,
      books: fc.array(book, { maxLength: 3 }),
      gone: fc.array(name, { maxLength: 3 }),
    });
    assertProperty(
      fc.property(publication, (published) => {
        expect(parsePublication(formatPublication(published))).toEqual(published);
      }),
      { cases: 500, seed: SEED },
    );
  });
});

const SEED = 20_261_126;

const u64 = fc.bigInt(0n, U64_MAX);
const address = fc.integer({ min: 0, max: 255 }).map(createTestAddress);
const levels = fc.array(fc.record({ price: u64, volume: u64 }), { maxLength: 5 });
const token = fc.record({ mint: address, decimals: fc.nat(255), tokenProgram: address });
const text = fc.string({ maxLength: 64 });

const book: fc.Arbitrary<PublishedBook> = fc
  .record({
    version: fc.nat(),
    makerId: text,
    makerAddress: address,
    base: token,
    quote: token,
    bids: levels,
    asks: levels,
    symbols: fc.tuple(text, text),
    times: fc.tuple(u64, u64, u64, u64),
    leftMs: fc.maxSafeNat(),
    ageMs: fc.nat(),
    taken: fc.record({ base: u64, quote: u64 }),
    cluster: fc.constantFrom('mainnet' as const, 'devnet' as const, 'unspecified' as const),
  })
  .map(({ symbols: [baseSymbol, quoteSymbol], times, leftMs, ageMs, taken, cluster, ...live }) => {
    const [timestamp, sequence, expirySeconds, lotSizeBase] = times;
    const snapshot = {
      timestamp,
      sequence,
      expirySeconds,
      lotSizeBase,
      cluster,
      base: { ...live.base, symbol: baseSymbol },
      quote: { ...live.quote, symbol: quoteSymbol },
    };
    return { live, snapshot, leftMs, ageMs, taken };
  });
