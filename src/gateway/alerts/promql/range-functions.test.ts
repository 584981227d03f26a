import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../testing/random.ts';
import { computeOverRange } from './range-functions.ts';

describe('computeOverRange', () => {
  it('extrapolates to both ends of the range, and to no more than half a distance beyond the samples', () => {
    // By hand: 10 in 40 s; the start is 5 s away and the end 55 s, of which 10 s are added: 10 * 55 / 40.
    const samples = { times: [5_000, 25_000, 45_000], values: [100, 104, 110] };
    expect(computeOverRange('increase', samples, 0, 100_000)).toBeCloseTo(13.75, 10);
    expect(computeOverRange('rate', samples, 0, 100_000)).toBeCloseTo(0.1375, 10);
  });

  it('does not extrapolate a counter beyond its zero', () => {
    // By hand: 2 to 12 in 40 s began at zero 8 s before; the end is 5 s away: 10 * 53 / 40.
    const samples = { times: [15_000, 35_000, 55_000], values: [2, 7, 12] };
    expect(computeOverRange('increase', samples, 0, 60_000)).toBeCloseTo(13.25, 10);
    expect(computeOverRange('delta', samples, 0, 60_000)).toBeCloseTo(15, 10);
  });

  it('counts what a counter had before it began again', () => {
    const samples = { times: [0, 10_000, 20_000, 30_000], values: [50, 60, 5, 8] };
    expect(computeOverRange('increase', samples, 0, 30_000)).toBe(18);
    expect(computeOverRange('delta', samples, 0, 30_000)).toBe(-42);
  });

  it('knows nothing of a single sample', () => {
    expect(computeOverRange('rate', { times: [1], values: [1] }, 0, 10)).toBeNull();
    expect(computeOverRange('rate', { times: [], values: [] }, 0, 10)).toBeNull();
  });

  it('gives the rate of a counter that grows steadily, wherever the range begins', () => {
    assertProperty(
      fc.property(steady, fc.integer({ min: 0, max: 14_999 }), (rate, offset) => {
        const times = Array.from({ length: 20 }, (_, index) => index * 15_000 + offset);
        // High enough that zero is far away.
        const values = times.map((at) => 1e6 + (rate * at) / 1_000);
        expect(computeOverRange('rate', { times, values }, 0, 300_000)).toBeCloseTo(rate, 6);
        expect(computeOverRange('increase', { times, values }, 0, 300_000)).toBeCloseTo(rate * 300, 4);
      }),
      { cases: 1_000, seed: 4_602 },
    );
  });

  it('is the same for a counter that begins again at any time', () => {
    assertProperty(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 2, maxLength: 20 }),
        fc.nat(19),
        (steps, reset) => {
          const times = steps.map((_, index) => index * 15_000);
          let sum = 1_000;
          const whole = steps.map((step) => (sum += step));
          const before = whole[reset] ?? 0;
          const begun = whole.map((value, index) => (index <= reset ? value : value - before));
          const to = (steps.length - 1) * 15_000;
          const increase = (values: readonly number[]) =>
            computeOverRange('increase', { times, values }, 0, to);
          expect(increase(begun)).toBeCloseTo(increase(whole) ?? Number.NaN, 6);
        },
      ),
      { cases: 1_000, seed: 4_603 },
    );
  });
});

const steady = fc.double({ min: 0.001, max: 1_000, noNaN: true });
