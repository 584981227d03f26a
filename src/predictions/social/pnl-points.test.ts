import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { toHour } from '../store/totals/trading-periods.ts';
import { computePnlPoints } from './pnl-points.ts';

const HOUR = 3_600;
const NOW = 1_800_000_000;
const HOURS = new Map([
  [toHour(NOW), 5n],
  [toHour(NOW) - 1, -20n],
  [toHour(NOW) - 30, 100n],
]);

describe('computePnlPoints', () => {
  it('ends with what is realized now, and goes back in even steps', () => {
    const points = computePnlPoints({ total: 1_000n, hours: HOURS }, { seconds: 48 * HOUR, count: 4 }, NOW);
    expect(points).toEqual([
      { at: NOW - 36 * HOUR, realizedPnl: 915n },
      { at: NOW - 24 * HOUR, realizedPnl: 1_015n },
      { at: NOW - 12 * HOUR, realizedPnl: 1_015n },
      { at: NOW, realizedPnl: 1_000n },
    ]);
    const one = computePnlPoints({ total: 7n, hours: new Map() }, { seconds: HOUR, count: 1 }, NOW);
    expect(one).toEqual([{ at: NOW, realizedPnl: 7n }]);
  });

  it('has at each point the sum of the hours up to it', () => {
    const hours = fc.dictionary(fc.nat({ max: 200 }).map(String), fc.bigInt({ min: -9n, max: 9n }));
    const range = {
      seconds: fc.integer({ min: 1, max: 200 * HOUR }),
      count: fc.integer({ min: 1, max: 60 }),
    };
    assertProperty(
      fc.property(hours, fc.record(range), (ago, { seconds, count }) => {
        const realized = new Map(
          Object.entries(ago).map(([back, amount]) => [toHour(NOW) - Number(back), amount]),
        );
        const total = [...realized.values()].reduce((sum, amount) => sum + amount, 0n);
        const points = computePnlPoints({ total, hours: realized }, { seconds, count }, NOW);
        expect(points).toHaveLength(count);
        for (const { at, realizedPnl } of points) {
          const upTo = [...realized].filter(([hour]) => hour <= toHour(at));
          expect(realizedPnl).toBe(upTo.reduce((sum, [, amount]) => sum + amount, 0n));
        }
      }),
      { cases: 1_000, seed: 43 },
    );
  });
});
