import { type PublishedBook, parsePublication, formatPublication } from '../src/rfq/cluster/book-text.ts';
import { createTestAddress, SOL_TOKEN, USDC_TOKEN } from '../src/testing/rfq/test-rfq.ts';
import type { Row } from './row.ts';

const BOOKS = 100;
const LEVELS = 5;
const ROUNDS = 500;

/**
 * Measures the cost of a book that one instance publishes to another, with five levels per side and the most books per
 * publication.
 */
export function publishedBooksRow(): Row {
  const publication = {
    from: 'gateway-0123456789ab',
    books: Array.from({ length: BOOKS }, bookOf),
    gone: [],
  };
  const text = formatPublication(publication);
  const written = perBook(() => formatPublication(publication));
  const read = perBook(() => parsePublication(text));
  return {
    what: "a maker's book of five levels a side, published to another instance: size / to write / to read",
    measured: `${(text.length / BOOKS / 1_000).toFixed(1)} kB / ${written.toFixed(1)} µs / ${read.toFixed(1)} µs`,
  };
}

function bookOf(_: unknown, number: number): PublishedBook {
  const token = (byte: number) => ({
    mint: createTestAddress(byte),
    decimals: 9,
    tokenProgram: createTestAddress(200),
  });
  const levels = Array.from({ length: LEVELS }, (__, level) => ({
    price: 99_000_000n + BigInt(level),
    volume: 10n ** 12n,
  }));
  return {
    live: {
      version: number,
      makerId: `maker-${number}`,
      makerAddress: createTestAddress(number),
      base: token(1),
      quote: token(2),
      bids: levels,
      asks: levels,
    },
    snapshot: {
      timestamp: 1_800_000_000_000_000n,
      sequence: 123_456n,
      expirySeconds: 60n,
      lotSizeBase: 1_000n,
      cluster: 'mainnet',
      base: SOL_TOKEN,
      quote: USDC_TOKEN,
    },
    leftMs: 59_000,
    ageMs: 3,
    taken: { base: 0n, quote: 0n },
  };
}

/** Returns microseconds of this thread per book. */
function perBook(work: () => unknown): number {
  for (let round = 0; round < ROUNDS; round++) work();
  const before = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round++) work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / ROUNDS / BOOKS;
}
