import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../testing/random.ts';
import { computeFairUpPrice, type FairPriceTerms } from './fair-price.ts';

describe('computeFairUpPrice', () => {
  it('is half a dollar at the open price, and rises with the price', () => {
    expect(fairAt({})).toBe(500_000n);
    assertProperty(
      fc.property(terms, fc.bigInt(0n, 10_000_000_000n), (each, more) => {
        const higher = computeFairUpPrice({ ...each, price: each.price + more });
        expect(higher).toBeGreaterThanOrEqual(computeFairUpPrice(each));
      }),
      { cases: 5_000, seed: 1 },
    );
  });

  it('is the normal distribution of the change in units of the deviation of the time that is left', () => {
    assertProperty(
      fc.property(terms, (each) => {
        const exact = computeProbability(each) * 1e6;
        expect(Math.abs(Number(computeFairUpPrice(each)) - exact)).toBeLessThan(1_500);
      }),
      { cases: 5_000, seed: 2, against: 'the normal distribution' },
    );
  });

  it('stays below a dollar and above nothing, however far the price has moved', () => {
    assertProperty(
      fc.property(fc.record({ ...fields, price: anyPrice, openPrice: anyPrice }), (each) => {
        const fair = computeFairUpPrice(each);
        expect(fair >= 32n && fair <= 999_968n).toBe(true);
      }),
      { cases: 2_000, seed: 3 },
    );
    expect(fairAt({ price: 2n * OPEN })).toBe(999_968n);
    expect(fairAt({ price: 1n })).toBe(32n);
  });

  it('is the same for 15 seconds', () => {
    const price = OPEN + 10_000_000_000n;
    const first = fairAt({ price, publishedAt: CLOSE - 150n });
    for (let later = 1n; later < 15n; later++)
      expect(fairAt({ price, publishedAt: CLOSE - 150n + later })).toBe(first);
    expect(fairAt({ price, publishedAt: CLOSE - 135n })).toBeGreaterThan(first);
  });

  it('moves to the sure side as time passes', () => {
    const ahead = [300n, 240n, 120n, 60n, 30n].map((left) =>
      fairAt({ price: OPEN + 10_000_000_000n, publishedAt: CLOSE - left }),
    );
    expect(ahead).toEqual([...ahead].sort((one, other) => Number(one - other)));
    expect(new Set(ahead).size).toBe(5);
  });

  it('has these prices, which the program has too', () => {
    expect(fairAt({ price: 10_860_000_000_000n, publishedAt: CLOSE - 300n })).toBe(738_016n);
    expect(fairAt({ price: 10_840_000_000_000n, publishedAt: CLOSE - 300n })).toBe(261_984n);
    expect(fairAt({ price: 10_850_000_000_001n, publishedAt: CLOSE - 30n })).toBe(500_000n);
    expect(fairAt({ price: 10_849_000_000_000n, publishedAt: CLOSE - 30n, deviation: 0n })).toBe(32n);
  });
});

const OPEN = 10_850_000_000_000n;
const CLOSE = 1_756_684_800n;
const SPAN = 900n;

function fairAt(changed: Partial<FairPriceTerms>): bigint {
  const terms = {
    price: OPEN,
    openPrice: OPEN,
    deviation: 5_000n,
    closeAt: CLOSE,
    publishedAt: CLOSE - 300n,
  };
  return computeFairUpPrice({ ...terms, ...changed });
}

const fields = {
  deviation: fc.bigInt(1_000n, 50_000n),
  closeAt: fc.constant(CLOSE),
  publishedAt: fc.bigInt(CLOSE - SPAN, CLOSE - 16n),
};
const anyPrice = fc.bigInt(1n, (1n << 63n) - 1n);
const terms: fc.Arbitrary<FairPriceTerms> = fc.record({
  ...fields,
  price: fc.bigInt(OPEN - 100_000_000_000n, OPEN + 100_000_000_000n),
  openPrice: fc.constant(OPEN),
});

function computeProbability({ price, openPrice, deviation, closeAt, publishedAt }: FairPriceTerms): number {
  const left = Number(closeAt - (publishedAt - (publishedAt % 15n)));
  const expected = (Number(deviation) / 1e6) * Math.sqrt(left / 3_600);
  const change = (Number(price) - Number(openPrice)) / Number(openPrice) / expected;
  return integrateNormal(Math.max(-4, Math.min(4, change)));
}

/** The integral of the bell curve up to a number, by Simpson's rule. */
function integrateNormal(to: number): number {
  const density = (at: number) => Math.exp((-at * at) / 2) / Math.sqrt(2 * Math.PI);
  const pieces = 200;
  const width = to / pieces;
  let sum = 0;
  for (let piece = 0; piece < pieces; piece++) {
    const at = piece * width;
    sum += ((density(at) + 4 * density(at + width / 2) + density(at + width)) * width) / 6;
  }
  return 0.5 + sum;
}
