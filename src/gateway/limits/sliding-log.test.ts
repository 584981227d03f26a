import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { SlidingLog, type RateLimitVerdict, WINDOW_MS } from './sliding-log.ts';

describe('SlidingLog', () => {
  it('agrees with a count over all times', () => {
    assertProperty(
      fc.property(steps, fc.integer({ min: 1, max: 90 }), windows, (gaps, limit, windowMs) => {
        const log = new SlidingLog(windowMs);
        const times: number[] = [];
        let now = 1_790_000_000_000;
        for (const gap of gaps) {
          now += gap;
          expect(log.hit(now, limit)).toEqual(naive(times, now, limit, windowMs));
        }
      }),
      { cases: 300, seed: SEED, against: 'a count over all times' },
    );
  });

  it('agrees with it when the limit changes', () => {
    assertProperty(
      fc.property(steps, fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 }), (gaps, limits) => {
        const log = new SlidingLog();
        const times: number[] = [];
        let now = 1_790_000_000_000;
        gaps.forEach((gap, index) => {
          now += gap;
          const limit = limits[Math.floor(index / 20) % limits.length] ?? 1;
          expect(log.hit(now, limit)).toEqual(naive(times, now, limit, WINDOW_MS));
        });
      }),
      { cases: 300, seed: SEED, against: 'a count over all times' },
    );
  });

  it('frees the place of a request exactly when it is 60 seconds old', () => {
    const log = new SlidingLog();
    expect(log.hit(1_000, 1).admitted).toBe(true);
    expect(log.current(60_999)).toBe(1);
    expect(log.current(61_000)).toBe(0);
    expect(log.hit(61_000, 1)).toEqual({ admitted: true, current: 1, limit: 1, freesAt: 121_000 });
  });

  it('keeps no place for a refused request', () => {
    const log = new SlidingLog();
    log.hit(0, 1);
    expect(log.hit(30_000, 1)).toEqual({ admitted: false, current: 2, limit: 1, freesAt: 60_000 });
    expect(log.current(30_000)).toBe(1);
    expect(log.hit(60_000, 1)).toMatchObject({ admitted: true, current: 1 });
  });

  it('admits no additional request when the clock is set back', () => {
    const log = new SlidingLog();
    log.hit(100_000, 1);
    expect(log.hit(90_000, 1).admitted).toBe(false);
    expect(log.hit(10_000, 1).admitted).toBe(false);
  });

  it('does not wait for a clock that was set back by more than a window', () => {
    const right = 1_790_000_000_000;
    const wrong = right + 3_600_000;
    const log = new SlidingLog();
    for (let index = 0; index < 20; index++) log.hit(wrong + index * 1_000, 20);
    expect(log.hit(right, 20)).toEqual({
      admitted: false,
      current: 21,
      limit: 20,
      freesAt: right - 19_000 + WINDOW_MS,
    });
    expect(log.current(right + 40_999)).toBe(20);
    expect(log.hit(right + 41_000, 20)).toMatchObject({ admitted: true, current: 20 });
    expect(log.current(right + WINDOW_MS)).toBe(1);
    const empty = new SlidingLog();
    empty.hit(wrong, 1);
    expect(empty.current(wrong + WINDOW_MS)).toBe(0);
    expect(empty.hit(right, 1)).toEqual({ admitted: true, current: 1, limit: 1, freesAt: right + WINDOW_MS });
  });
});

const SEED = 20_260_727;

/** A model that keeps every admitted time and counts them all. */
function naive(times: number[], now: number, limit: number, windowMs: number): RateLimitVerdict {
  const inWindow = times.filter((time) => time > now - windowMs).sort((one, other) => one - other);
  const current = inWindow.length + 1;
  if (current > limit) {
    return { admitted: false, current, limit, freesAt: (inWindow.at(-limit) ?? now) + windowMs };
  }
  times.push(now);
  return { admitted: true, current, limit, freesAt: (inWindow[0] ?? now) + windowMs };
}

const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.nat({ max: 3_000 }) },
    { weight: 2, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.nat({ max: 130_000 }) },
    { weight: 1, arbitrary: fc.constantFrom(59_999, 60_000, 60_001) },
  ),
  { maxLength: 150 },
);

/** A plan's window, and the shorter window of a firewall rule. */
const windows = fc.constantFrom(WINDOW_MS, 1_000);
