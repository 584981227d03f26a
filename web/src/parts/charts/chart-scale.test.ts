import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../../src/testing/random.ts';
import { buildNumberAxis, buildTimeAxis, computeRange, findNearest, formatChartTime } from './chart-scale.ts';

describe('computeRange', () => {
  it('has room around the values, and around equal ones', () => {
    expect(computeRange([0, 100], 0.1)).toEqual([-10, 110]);
    expect(computeRange([200, 200])).toEqual([188, 212]);
    expect(computeRange([0])).toEqual([-1, 1]);
  });

  it('is a range whatever the values are', () => {
    assertProperty(
      fc.property(fc.array(fc.double()), (values) => {
        const [from, to] = computeRange(values);
        expect(from < to || values.some((value) => Math.abs(value) > 1e300 || Math.abs(value) < 1e-300)).toBe(
          true,
        );
      }),
      { cases: 100, seed: 4501 },
    );
  });
});

describe('buildNumberAxis', () => {
  it('labels lines with the digits by which they differ', () => {
    const { ticks } = buildNumberAxis([0, 1], [100, 0], 4);
    expect(ticks.map(({ at, text }) => [Math.round(at), text])).toEqual([
      [100, '0.0'],
      [80, '0.2'],
      [60, '0.4'],
      [40, '0.6'],
      [20, '0.8'],
      [0, '1.0'],
    ]);
  });

  it('finds the value of a pixel', () => {
    const axis = buildNumberAxis([10, 20], [0, 200], 5);
    expect(axis.toValue(axis.toPixel(13))).toBeCloseTo(13);
  });
});

describe('buildTimeAxis', () => {
  it.each([
    [2 * 60_000, '12:00:00'],
    [2 * 3_600_000, '12:00'],
    [6 * 86_400_000, '06-02'],
  ])('labels %s ms in the unit of its lines', (span, text) => {
    const start = Date.UTC(2026, 4, 31, 12);
    const { ticks } = buildTimeAxis([start, start + span], [0, 600], 5);
    expect(ticks.map((tick) => tick.text)).toContain(text);
  });
});

describe('findNearest', () => {
  it('finds the nearest of sorted coordinates', () => {
    expect(findNearest([], 5)).toBeNull();
    expect([-9, 1, 4, 6, 99].map((at) => findNearest([0, 5, 10], at))).toEqual([0, 0, 1, 1, 2]);
  });

  it('is never further than any other', () => {
    assertProperty(
      fc.property(
        fc.array(fc.integer({ min: -1_000, max: 1_000 }), { minLength: 1 }),
        fc.integer({ min: -1_500, max: 1_500 }),
        (values, at) => {
          const sorted = [...values].sort((one, other) => one - other);
          const found = sorted[findNearest(sorted, at) ?? -1] ?? Number.NaN;
          expect(Math.abs(found - at)).toBe(Math.min(...sorted.map((value) => Math.abs(value - at))));
        },
      ),
      { cases: 100, seed: 4502 },
    );
  });
});

describe('formatChartTime', () => {
  it('says the date, and survives what is no time', () => {
    expect(formatChartTime(0)).toBe('1970-01-01 00:00:00 UTC');
    expect(formatChartTime(Number.NaN)).toBe('an unknown time');
    expect(formatChartTime(1e300)).toBe('an unknown time');
  });
});
