import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { isWithinFairShare } from './fair-share.ts';

/** Returns what each party holds after they took single units in turn until none may take another. */
function greedy(total: number, parties: number, factor: number): readonly number[] {
  const held = new Array<number>(parties).fill(0);
  let free = total;
  for (let taken = true; taken; ) {
    taken = false;
    for (const [index, own] of held.entries()) {
      if (!isWithinFairShare(own, 1, free, factor)) continue;
      held[index] = own + 1;
      free--;
      taken = true;
    }
  }
  return held;
}

describe('isWithinFairShare', () => {
  it('leaves a part free, however much a single party requests', () => {
    expect(greedy(1_000, 1, 4)).toEqual([800]);
    expect(greedy(1_000, 1, 1)).toEqual([500]);
    expect(greedy(2, 1, 4)).toEqual([1]);
  });

  it('grants the first units while they last', () => {
    expect(greedy(1, 2, 4)).toEqual([1, 0]);
    expect(isWithinFairShare(0, 10, 10, 0.5)).toBe(true);
    expect(isWithinFairShare(0, 11, 10, 0.5)).toBe(false);
  });

  it('gives greedy parties equal parts, and leaves something for the next one', () => {
    const sizes = { total: fc.integer({ min: 1, max: 2_000 }), parties: fc.integer({ min: 1, max: 50 }) };
    assertProperty(
      fc.property(
        fc.record({ ...sizes, factor: fc.constantFrom(0.5, 1, 4) }),
        ({ total, parties, factor }) => {
          const held = greedy(total, parties, factor);
          expect(Math.max(...held) - Math.min(...held)).toBeLessThanOrEqual(1);
          const free = total - held.reduce((sum, one) => sum + one, 0);
          if (parties < total / 2) expect(free).toBeGreaterThan(0);
        },
      ),
      { cases: 300, seed: 11 },
    );
  });
});
