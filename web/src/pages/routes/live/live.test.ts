import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../../../src/testing/random.ts';
import type { RouteAnswer, RouteLeg } from '../quote/route-answer.ts';
import { drawSparkline } from './draw-sparkline.ts';
import { addQuote, findChangedLegs, type QuoteHistory } from './quote-history.ts';

describe('addQuote', () => {
  it('keeps the last sixty quotes of one request', () => {
    let history: QuoteHistory = { path: 'a', answers: [] };
    for (let count = 0; count < 100; count++) history = addQuote(history, 'a', createAnswer(BigInt(count)));
    expect(history.answers).toHaveLength(60);
    expect(history.answers.at(-1)?.outAmount).toBe(99n);
    expect(addQuote(history, 'b', createAnswer(5n)).answers).toHaveLength(1);
  });

  it('takes the same answer once', () => {
    const answer = createAnswer(1n);
    const history = addQuote({ path: 'a', answers: [] }, 'a', answer);
    expect(addQuote(history, 'a', answer)).toBe(history);
  });
});

describe('findChangedLegs', () => {
  it('finds other pools and other amounts, wherever they stand in the plan', () => {
    const before = [createLeg('one', 1n), createLeg('two', 2n)];
    const now = [createLeg('two', 2n), createLeg('one', 3n), createLeg('three', 1n)];
    expect([...findChangedLegs(before, now)]).toEqual([1, 2]);
    expect(findChangedLegs(null, now).size).toBe(0);
  });
});

describe('drawSparkline', () => {
  it('stays within its box, and computes only numbers', () => {
    assertProperty(
      fc.property(fc.array(fc.bigInt({ min: 0n, max: 2n ** 64n }), { maxLength: 60 }), (values) => {
        const { path, last, least, most } = drawSparkline(values, 220, 40);
        expect(path).not.toMatch(/NaN|Infinity/);
        expect(last.x >= 0 && last.x <= 220 && last.y >= 0 && last.y <= 40).toBe(true);
        for (const value of values) expect(value >= least && value <= most).toBe(true);
      }),
      { cases: 100, seed: 4425 },
    );
  });
});

function createAnswer(outAmount: bigint): RouteAnswer {
  return {
    router: null,
    inputMint: 'A',
    outputMint: 'B',
    inAmount: 1n,
    outAmount,
    swapMode: 'ExactIn',
    threshold: 0n,
    slippageBps: 50,
    impact: null,
    legs: [],
    platformFee: null,
    sponsorBps: 0,
    taker: null,
    network: null,
    lacking: null,
    tookMs: 1,
  };
}

function createLeg(pool: string, outAmount: bigint): RouteLeg {
  return { pool, venue: 'V', inputMint: 'A', outputMint: 'B', inAmount: 1n, outAmount, fee: null, bps: null };
}
