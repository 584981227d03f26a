import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../testing/random.ts';
import {
  computeAskPrice,
  computeBidPrice,
  computeBoughtTokens,
  computeCost,
  computeProceeds,
  computeSoldTokens,
  type SideTerms,
} from './round-quote.ts';

describe('computeBoughtTokens', () => {
  it('is the greatest number of tokens whose price is not above the amount', () => {
    assertProperty(
      fc.property(terms, fc.bigInt(1n, 20_000_000_000n), (side, amount) => {
        const found = findGreatest((tokens) => isAtMost(computeArea(side, tokens, 1n), amount));
        const expected = found > 0n && lastAsk(side, found) <= 990_000n ? found : null;
        expect(computeBoughtTokens(side, amount)).toBe(expected);
      }),
      { cases: 5_000, seed: 1, against: 'a search over exact fractions' },
    );
  });

  it('costs what computeCost says, and a millionth of a dollar less does not buy as much', () => {
    assertProperty(
      fc.property(terms, fc.bigInt(1n, 20_000_000_000n), (side, tokens) => {
        const cost = computeCost(side, tokens);
        if (cost === null) return;
        expect(isAtMost(computeArea(side, tokens, 1n), cost)).toBe(true);
        expect(isAtMost(computeArea(side, tokens, 1n), cost - 1n)).toBe(false);
        // The amount may buy some more, and more may be beyond what the house sells.
        const bought = computeBoughtTokens(side, cost);
        if (bought !== null) expect(bought).toBeGreaterThanOrEqual(tokens);
        expect(computeBoughtTokens(side, cost - 1n) ?? 0n).toBeLessThan(tokens);
      }),
      { cases: 5_000, seed: 2 },
    );
  });

  it('sells nothing above 99 cents, and nothing below a cent', () => {
    expect(computeBoughtTokens({ ...SIDE, fair: 980_000n }, 1_000_000n)).toBeNull();
    expect(computeBoughtTokens({ ...SIDE, fair: 979_999n }, 1n)).toBe(1n);
    expect(computeBoughtTokens({ ...SIDE, fair: 32n, imbalance: -50_000_000_000n, slope: 0n }, 10_000n)).toBe(
      996_810n,
    );
    expect(computeAskPrice({ ...SIDE, fair: 32n, imbalance: -50_000_000_000n })).toBe(10_000n);
    expect(computeBoughtTokens(SIDE, 0n)).toBeNull();
    expect(computeCost(SIDE, 0n)).toBeNull();
  });

  it('refuses an amount that would raise the price above 99 cents', () => {
    // From 51 cents, 48,000 tokens raise the price to 99 cents. They cost 75 cents on average.
    const most = computeCost(SIDE, 48_000_000_000n);
    expect(most).toBe(36_000_000_000n);
    expect(computeBoughtTokens(SIDE, 36_000_000_000n)).toBe(48_000_000_000n);
    expect(computeBoughtTokens(SIDE, 36_001_000_000n)).toBeNull();
    expect(computeCost(SIDE, 48_000_000_001n)).toBeNull();
    expect(computeBoughtTokens(SIDE, (1n << 64n) - 1n)).toBeNull();
    expect(computeBoughtTokens({ ...SIDE, slope: 0n }, (1n << 64n) - 1n)).toBeNull();
  });
});

describe('computeProceeds', () => {
  it('is the exact price of the tokens, rounded down', () => {
    assertProperty(
      fc.property(terms, fc.bigInt(1n, 20_000_000_000n), (side, tokens) => {
        const [numerator, denominator] = computeArea(side, tokens, -1n);
        const exact = numerator > 0n ? numerator / denominator : 0n;
        const expected = exact > 0n && lastBid(side, tokens) >= 10_000n ? exact : null;
        expect(computeProceeds(side, tokens)).toBe(expected);
      }),
      { cases: 5_000, seed: 3, against: 'exact fractions' },
    );
  });

  it('takes the tokens that computeSoldTokens says, and one less does not bring as much', () => {
    assertProperty(
      fc.property(terms, fc.bigInt(1n, 10_000_000_000n), (side, amount) => {
        const tokens = computeSoldTokens(side, amount);
        if (tokens === null) return;
        expect(computeProceeds(side, tokens)).toBeGreaterThanOrEqual(amount);
        expect(computeProceeds(side, tokens - 1n) ?? 0n).toBeLessThan(amount);
      }),
      { cases: 5_000, seed: 4 },
    );
  });

  it('sells for any amount up to what all tokens bring that the house buys', () => {
    assertProperty(
      fc.property(terms, fc.bigInt(1n, 20_000_000_000n), (side, tokens) => {
        const amount = computeProceeds(side, tokens);
        if (amount !== null) expect(computeSoldTokens(side, amount)).toBeLessThanOrEqual(tokens);
      }),
      { cases: 5_000, seed: 5 },
    );
  });

  it('buys nothing below a cent, and nothing above 99 cents', () => {
    expect(computeProceeds({ ...SIDE, fair: 19_999n }, 1_000_000n)).toBeNull();
    expect(computeProceeds({ ...SIDE, fair: 20_000n, slope: 0n }, 1_000_000n)).toBe(10_000n);
    expect(computeBidPrice({ ...SIDE, fair: 999_968n, imbalance: 50_000_000_000n })).toBe(990_000n);
    expect(computeProceeds(SIDE, 0n)).toBeNull();
    // A millionth of a token is worth less than the smallest amount.
    expect(computeProceeds(SIDE, 1n)).toBeNull();
    expect(computeSoldTokens(SIDE, 1n << 64n)).toBeNull();
    expect(computeSoldTokens(SIDE, 0n)).toBeNull();
  });
});

describe('a trader against the house', () => {
  it('loses by buying and selling again, in however many pieces', () => {
    assertProperty(
      fc.property(terms, fc.array(piece, { minLength: 1, maxLength: 6 }), (side, pieces) => {
        let [paid, held] = [0n, 0n];
        for (const amount of pieces) {
          const bought = computeBoughtTokens(withMore(side, held), amount);
          if (bought === null) continue;
          paid += amount;
          held += bought;
        }
        for (const parts of [1n, 3n, 7n]) {
          expect(sellInParts(side, held, parts)).toBeLessThanOrEqual(paid);
        }
      }),
      { cases: 2_000, seed: 6 },
    );
  });

  it('gains nothing by splitting a sale or a purchase, apart from the rounding of the price', () => {
    assertProperty(
      fc.property(terms, fc.bigInt(1n, 2_000_000_000n), fc.bigInt(2n, 9n), (side, amount, parts) => {
        // Below the least price, tokens cost the same however many are bought at once.
        const tokens = computeAskPrice(side) === 10_000n ? null : computeBoughtTokens(side, amount);
        if (tokens === null) return;
        let bought = 0n;
        for (let part = 0n; part < parts; part++) {
          bought += computeBoughtTokens(withMore(side, bought), amount / parts) ?? 0n;
        }
        expect(bought).toBeLessThanOrEqual(computeBoughtTokens(withMicro(side, -1n), amount) ?? 0n);
        const after = withMore(side, tokens);
        const whole = computeProceeds(withMicro(after, 1n), tokens);
        if (whole === null || computeBidPrice(after) === 990_000n) return;
        expect(sellInParts(side, tokens, parts)).toBeLessThanOrEqual(whole);
      }),
      { cases: 5_000, seed: 7 },
    );
  });

  it('pays more than a dollar for both sides, and gets less than a dollar for them', () => {
    assertProperty(
      fc.property(terms, fc.bigInt(1_000n, 2_000_000_000n), (up, tokens) => {
        const down = { ...up, fair: 1_000_000n - up.fair, imbalance: -up.imbalance - tokens };
        const cost = [computeCost(up, tokens), computeCost(down, tokens)];
        if (cost[0] != null && cost[1] != null) {
          expect((cost[0] + cost[1]) * 1_000_000n).toBeGreaterThanOrEqual(tokens * 1_000_000n);
        }
        const other = { ...down, imbalance: tokens - up.imbalance };
        const gains = [computeProceeds(up, tokens), computeProceeds(other, tokens)];
        if (gains[0] != null && gains[1] != null) expect(gains[0] + gains[1]).toBeLessThanOrEqual(tokens);
      }),
      { cases: 5_000, seed: 8 },
    );
  });
});

/** The side of a round in the middle, with the terms of the genesis. */
const SIDE: SideTerms = { fair: 500_000n, halfSpread: 10_000n, slope: 10_000n, imbalance: 0n };

const terms: fc.Arbitrary<SideTerms> = fc.record({
  fair: fc.bigInt(32n, 999_968n),
  halfSpread: fc.bigInt(0n, 50_000n),
  slope: fc.oneof(fc.bigInt(0n, 100_000n), fc.constant(0n), fc.constant(10_000n)),
  imbalance: fc.bigInt(-20_000_000_000n, 20_000_000_000n),
});
const piece = fc.oneof(fc.bigInt(1n, 100n), fc.bigInt(1n, 1_000_000_000n));

type Fraction = readonly [numerator: bigint, denominator: bigint];

function withMore(side: SideTerms, tokens: bigint): SideTerms {
  return { ...side, imbalance: side.imbalance + tokens };
}

/** Changes the price by some micro USD for a token. */
function withMicro(side: SideTerms, change: bigint): SideTerms {
  return { ...side, fair: side.fair + change };
}

function sellInParts(side: SideTerms, tokens: bigint, parts: bigint): bigint {
  let [left, received] = [tokens, 0n];
  for (let part = parts; part > 0n; part--) {
    const sold = left / part;
    const proceeds = computeProceeds(withMore(side, left), sold);
    if (proceeds === null) continue;
    received += proceeds;
    left -= sold;
  }
  return received;
}

/** Rounds a fraction towards the greater number. */
function ceil([numerator, denominator]: Fraction): bigint {
  const whole = numerator / denominator;
  return whole * denominator < numerator ? whole + 1n : whole;
}

function floor(fraction: Fraction): bigint {
  return -ceil([-fraction[0], fraction[1]]);
}

function firstAsk({ fair, halfSpread, slope, imbalance }: SideTerms): bigint {
  const price = fair + halfSpread + ceil([slope * imbalance, 1_000_000_000n]);
  return price < 10_000n ? 10_000n : price;
}

function firstBid({ fair, halfSpread, slope, imbalance }: SideTerms): bigint {
  const price = fair - halfSpread + floor([slope * imbalance, 1_000_000_000n]);
  return price > 990_000n ? 990_000n : price;
}

function lastAsk(side: SideTerms, tokens: bigint): bigint {
  return firstAsk(side) + ceil([side.slope * tokens, 1_000_000_000n]);
}

function lastBid(side: SideTerms, tokens: bigint): bigint {
  return firstBid(side) - ceil([side.slope * tokens, 1_000_000_000n]);
}

/** The first price times the tokens, plus or minus half of what the price moves times the tokens: in micro USD. */
function computeArea(side: SideTerms, tokens: bigint, direction: 1n | -1n): Fraction {
  const first = direction === 1n ? firstAsk(side) : firstBid(side);
  const rectangle: Fraction = [first * tokens, 1_000_000n];
  const triangle: Fraction = [direction * side.slope * tokens * tokens, 2n * 1_000_000_000n * 1_000_000n];
  return [rectangle[0] * triangle[1] + triangle[0] * rectangle[1], rectangle[1] * triangle[1]];
}

function isAtMost([numerator, denominator]: Fraction, amount: bigint): boolean {
  return numerator <= amount * denominator;
}

/** Returns the greatest number for which the condition holds, if it holds for all below. */
function findGreatest(holds: (value: bigint) => boolean): bigint {
  let [from, below] = [0n, 1n << 60n];
  while (below - from > 1n) {
    const middle = (from + below) / 2n;
    if (holds(middle)) from = middle;
    else below = middle;
  }
  return from;
}
