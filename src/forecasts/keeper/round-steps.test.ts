import fc from 'fast-check';
import { FORECAST_VOID_AFTER_SECONDS } from '../../protocols/bisonfi-forecast/forecast-program.ts';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import {
  computePayout,
  findCellStart,
  findOpening,
  findRoundStep,
  type JudgedPrice,
  MAX_PRICE_AGE_SECONDS,
  mayOpenAt,
  MIN_TRADING_SECONDS,
} from './round-steps.ts';

// What the keeper decides about a round at a time, by the round and its feed alone.

describe('findRoundStep', () => {
  it('settles by the first price at or after the close, and by no other', () => {
    const property = fc.property(times, ([now, publishTime, previous]) => {
      const step = findRoundStep(ROUND, createPrice(publishTime, previous), now);
      const isFirst = previous < CLOSE && CLOSE <= publishTime;
      const isInTime = now >= CLOSE && now < CLOSE + FORECAST_VOID_AFTER_SECONDS;
      expect(step === 'settle').toBe(isInTime && isFirst && publishTime <= now);
    });
    assertProperty(property, { cases: 2_000, seed: 43_001 });
  });

  it('never ends a round before its close, nor voids one before the deadline', () => {
    const property = fc.property(times, fc.boolean(), ([now, publishTime, previous], isRead) => {
      const step = findRoundStep(ROUND, isRead ? createPrice(publishTime, previous) : null, now);
      if (now < CLOSE) expect(step).toBe('trades');
      expect(step === 'void').toBe(now >= CLOSE + FORECAST_VOID_AFTER_SECONDS);
    });
    assertProperty(property, { cases: 2_000, seed: 43_002 });
  });

  it('does nothing about a round that has its result, whatever the clock says', () => {
    const property = fc.property(times, ([now, publishTime, previous]) => {
      const round = { ...ROUND, outcome: 'up' } as const;
      expect(findRoundStep(round, createPrice(publishTime, previous), now)).toBe('ended');
    });
    assertProperty(property, { cases: 200, seed: 43_003 });
  });

  it.each([
    ['with a wide confidence', { confidence: 217_000_000_001n }],
    ['of nothing', { price: 0n }],
    ['below nothing', { price: -1n }],
    ['in another unit', { exponent: -10 }],
  ])('waits for the deadline after a price %s', (_, changed) => {
    const price = createPrice(CLOSE + 1, CLOSE - 14, changed);
    expect(findRoundStep(ROUND, price, CLOSE + 2)).toBe('waits');
    expect(findRoundStep(ROUND, price, CLOSE + FORECAST_VOID_AFTER_SECONDS)).toBe('void');
  });
});

describe('mayOpenAt', () => {
  it('accepts a confidence of one fiftieth of the price at most', () => {
    const price = createPrice(CLOSE, CLOSE - 15, { price: 5_000n, confidence: 100n });
    expect(mayOpenAt(price, CLOSE)).toBe(true);
    expect(mayOpenAt({ ...price, confidence: 101n }, CLOSE)).toBe(false);
  });

  it('accepts prices of the last minute alone', () => {
    const property = fc.property(times, ([now, publishTime, previous]) => {
      const isCurrent = publishTime <= now && now - publishTime <= MAX_PRICE_AGE_SECONDS;
      expect(mayOpenAt(createPrice(publishTime, previous), now)).toBe(isCurrent);
    });
    assertProperty(property, { cases: 500, seed: 43_006 });
  });
});

describe('findOpening', () => {
  it('opens the round of the current time once, while a minute of trading remains', () => {
    const property = fc.property(
      fc.constantFrom(300, 900),
      fc.integer({ min: 0, max: 100_000 }),
      fc.boolean(),
      (seconds, now, isKnown) => {
        const start = findCellStart({ seconds }, now);
        expect(start % seconds).toBe(0);
        expect(now - start).toBeGreaterThanOrEqual(0);
        expect(now - start).toBeLessThan(seconds);
        const opening = findOpening({ seconds }, (openAt) => isKnown && openAt === start, now);
        const isEarly = start + seconds - 15 - now >= MIN_TRADING_SECONDS;
        expect(opening).toBe(isEarly && !isKnown ? start : null);
      },
    );
    assertProperty(property, { cases: 2_000, seed: 43_004 });
  });
});

describe('computePayout', () => {
  it('pays both sides of a pair a dollar at most, and a dollar where one side has won', () => {
    const property = fc.property(
      fc.constantFrom('up' as const, 'down' as const, 'void' as const),
      fc.bigInt({ min: 0n, max: 1n << 60n }),
      (outcome, amount) => {
        const paid = computePayout(outcome, 'up', amount) + computePayout(outcome, 'down', amount);
        expect(paid).toBe(outcome === 'void' ? amount - (amount % 2n) : amount);
      },
    );
    assertProperty(property, { cases: 500, seed: 43_005 });
  });
});

const CLOSE = 1_800_000_300;
const ROUND = { closeAt: CLOSE, exponent: -8, outcome: null } as const;

function createPrice(publishTime: number, previousPublishTime: number, changed: Partial<JudgedPrice> = {}) {
  return {
    price: 10_850_000_000_000n,
    confidence: 5_425_000_000n,
    exponent: -8,
    publishTime: BigInt(publishTime),
    previousPublishTime: BigInt(previousPublishTime),
    ...changed,
  };
}

const time = fc.integer({ min: CLOSE - 400, max: CLOSE + 1_000 });
const times = fc.tuple(time, time, time);
