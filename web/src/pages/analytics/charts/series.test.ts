import { describe, expect, it } from 'vitest';
import { buildPoints, listElementTimes } from './series.ts';

const MINUTE_MS = 60_000;

describe('listElementTimes', () => {
  it('has every element of the range, also a last one that is not whole', () => {
    const range = { since: 0, until: 31 * MINUTE_MS };
    expect(listElementTimes({ range, bucketMinutes: 15 })).toEqual([0, 15 * MINUTE_MS, 30 * MINUTE_MS]);
  });

  it.each([0, -1, Number.NaN, 1e-9])(
    'is empty where an answer has elements of %d minutes',
    (bucketMinutes) => {
      expect(listElementTimes({ range: { since: 0, until: 1e15 }, bucketMinutes })).toEqual([]);
    },
  );

  it('is empty where a range has more elements than an answer has', () => {
    expect(listElementTimes({ range: { since: 0, until: 1e15 }, bucketMinutes: 1 })).toEqual([]);
  });
});

describe('buildPoints', () => {
  it('lays what was before over the range, and has a point where nothing was', () => {
    const points = buildPoints([100, 200, 300], [{ at: 0, requests: 4 }], 200, (element) => ({
      y: element?.requests ?? 0,
    }));
    expect(points).toEqual([
      { x: 100, y: 0 },
      { x: 200, y: 4 },
      { x: 300, y: 0 },
    ]);
  });
});
